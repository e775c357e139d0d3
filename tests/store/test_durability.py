"""What was acknowledged survives a kill at any instant and a log cut at any byte, and was on the disk before.

The short forms run in CI; `tasks.py long` runs three hundred kills and cuts a log of full-sized pages.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from argon_lang.store.protocol import Snapshot
from argon_lang.store.sqlite import SqliteStore
from tests.store.stores import assert_, day, dice, put
from tests.store.writer import NOW, changes

ROOT = Path(__file__).parents[2]
WRITER = [sys.executable, "-m", "tests.store.writer"]
ENDLESS = "1000000"


# -- kill -9 ----------------------------------------------------------------------------------------------------------


def killed(path: Path, acknowledgements: int, delay: float) -> int:
    """Start a writer, kill it so long after so many acknowledgements, and give the last transaction it acknowledged."""
    with subprocess.Popen([*WRITER, str(path), ENDLESS], cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        heard = [process.stdout.readline() for _ in range(1 + acknowledgements)]
        until = time.perf_counter() + delay
        while time.perf_counter() < until:
            pass
        process.kill()
        heard += process.stdout.readlines()
    acknowledged = [int(line.split()[1]) for line in heard if line.startswith(b"ack") and line.endswith(b"\n")]
    return max(acknowledged, default=0)


def whole(state: Snapshot) -> None:
    """Every transaction is there in full, without a gap."""
    transactions = state.transactions()
    assert [each.tx for each in transactions] == list(range(1, state.head + 1))
    for each in transactions:
        assert [event.change for event in each.events] == changes(each.tx), each.tx
    rows = state.facts(NOW).get("p::n/2", ())
    assert rows == tuple(change.row for each in transactions for change in changes(each.tx))


def survive(folder: Path, kills: int) -> None:
    """One store through that many kills; each writer goes on where the last one was stopped."""
    dice_ = random.Random(20260131)
    path, known = folder / "store.sqlite3", 0
    for _ in range(kills):
        acknowledged = killed(path, dice_.choice([0, 0, 1, 3, 9]), dice_.random() * 0.02)
        store = SqliteStore(path)
        state = store.snapshot()
        assert max(known, acknowledged) <= state.head
        assert state.head - max(known, acknowledged) <= 1, "only the one in flight may be there unheard"
        whole(state)
        known = state.head
        store.close()
    assert known > kills


def test_a_writer_killed_at_random_instants_loses_nothing_acknowledged_and_leaves_nothing_half_there(
    tmp_path: Path,
) -> None:
    survive(tmp_path, 5)


@pytest.mark.long
def test_three_hundred_kills_lose_nothing_acknowledged(tmp_path: Path) -> None:
    survive(tmp_path, 300)


# -- the acknowledgement follows the sync -----------------------------------------------------------------------------


def calls(path: Path, *pragmas: str) -> list[dict[str, str]]:
    """The writes and syncs of a writer of five transactions, in order."""
    tracer = [sys.executable, str(ROOT / "tests/store/syscalls.py")]
    run = subprocess.run(
        [*tracer, *WRITER, str(path), "5", *pragmas], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


def unsynced(seen: list[dict[str, str]]) -> Iterator[str]:
    """The acknowledgements before which the log was written and not synced afterwards, or not written at all."""
    last = ""
    for call in seen:
        if call["path"].endswith("-wal"):
            last = "sync" if "sync" in call["call"] else "write"
        elif call["call"] == "write" and call["text"].startswith("ack"):
            if last != "sync":
                yield call["text"]
            last = ""


if sys.platform == "linux":

    def test_an_acknowledgement_follows_the_sync_of_the_log_that_holds_it(tmp_path: Path) -> None:
        seen = calls(tmp_path / "store.sqlite3")
        assert [call["text"] for call in seen if call["text"].startswith("ack")] == [f"ack {n}\n" for n in range(1, 6)]
        assert list(unsynced(seen)) == []

    def test_the_trace_would_tell_a_store_that_does_not_sync(tmp_path: Path) -> None:
        seen = calls(tmp_path / "store.sqlite3", "synchronous=OFF")
        assert list(unsynced(seen)) == [f"ack {n}\n" for n in range(1, 6)]


# -- a torn log -------------------------------------------------------------------------------------------------------


def with_a_log(path: Path, page: int) -> tuple[int, int]:
    """A store whose last two transactions are in the log only: the log's length before the last, and after it.

    The writer is gone as a killed process is: nothing is moved from the log to the file, which a copy keeps so.
    """
    origin = path.with_name("origin.sqlite3")
    store = SqliteStore(origin, random=dice())
    put(store, assert_(start=0))
    store.close()
    with sqlite3.connect(origin, isolation_level=None) as connection:
        connection.executescript(
            f"PRAGMA journal_mode=DELETE; PRAGMA page_size={page}; VACUUM; PRAGMA journal_mode=WAL"
        )
    connection.close()
    log, lengths = Path(f"{origin}-wal"), []
    for n in (1, 2):
        put(store, *(assert_((n, m)) for m in range(2)))
        lengths.append(log.stat().st_size)
    path.write_bytes(origin.read_bytes())
    Path(f"{path}-wal").write_bytes(log.read_bytes())
    store.close()
    return lengths[0], lengths[1]


def cut_at_every_byte(folder: Path, page: int) -> None:
    """Shorten the log byte by byte through its last transaction; each time the earlier ones are all there."""
    path = folder / "store.sqlite3"
    before, after = with_a_log(path, page)
    log, index = Path(f"{path}-wal"), Path(f"{path}-shm")
    whole_ = SqliteStore(path)
    assert whole_.snapshot().head == 3
    expected = whole_.snapshot().records(2)
    whole_.close()
    assert log.stat().st_size == after > before
    for length in range(after - 1, before - 1, -1):
        os.truncate(log, length)
        index.unlink(missing_ok=True)
        store = SqliteStore(path)
        state = store.snapshot()
        assert (state.head, state.records()) == (2, expected), length
        store.close()
    store = SqliteStore(path)
    assert put(store, assert_((9, 9)), at=1) == 3
    assert len(store.snapshot().facts(day(1))["p::Lease.rent"]) == 4
    store.close()


def test_a_log_cut_at_every_byte_of_its_last_transaction_opens_with_all_the_earlier_ones(tmp_path: Path) -> None:
    cut_at_every_byte(tmp_path, 512)


@pytest.mark.long
def test_a_log_of_full_sized_pages_cut_at_every_byte_opens_with_all_the_earlier_ones(tmp_path: Path) -> None:
    cut_at_every_byte(tmp_path, 4096)
