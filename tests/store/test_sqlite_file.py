"""The file: never made by a read, shared by processes, refused when foreign or torn and then left as it is."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.errors import ArgonError
from argon_lang.store import sqlite_file
from argon_lang.store.protocol import NO_STORE
from argon_lang.store.sqlite import SqliteStore
from tests.store.stores import RENT, assert_, close, day, pairs, put
from tests.store.test_durability import ROOT, WRITER, whole
from tests.store.writer import changes

NOW = {("p::Lease.rent", RENT)}


def written(path: Path) -> SqliteStore:
    """A closed store of three transactions."""
    store = SqliteStore(path)
    put(store, assert_(start=0))
    put(store, close(at=5), assert_((1, 2), key="p::x/2"))
    with store.write(day(3)) as writer:
        writer.set_module_hash("m" * 64)
        writer.commit(key="k", receipt=b"\xa0")
    store.close()
    return store


def refusal(call: Callable[[], object]) -> ArgonError:
    with pytest.raises(ArgonError) as caught:
        call()
    return caught.value


# -- making -----------------------------------------------------------------------------------------------------------


def test_a_read_never_creates_a_store(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / ".argon" / "store.sqlite3")
    state = store.snapshot()
    assert (store.id, store.generation(), state.head, state.facts(day(0))) == (NO_STORE, 0, 0, {})
    assert state.receipt("k") is None
    store.close()
    assert os.listdir(tmp_path) == []


def test_the_first_write_makes_the_folder_and_the_file_and_leaves_nothing_else_after_closing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / ".argon" / "store.sqlite3")
    put(store, assert_())
    assert store.id != NO_STORE
    store.close()
    assert os.listdir(tmp_path / ".argon") == ["store.sqlite3"]


def test_a_store_keeps_its_identity_and_everything_in_it(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    first = written(path).snapshot()
    again = SqliteStore(path)
    state = again.snapshot()
    assert (state.store_id, state.generation, state.module_hash) == (first.store_id, 3, "m" * 64)
    assert state.transactions() == first.transactions()
    assert state.receipt("k") == b"\xa0"
    again.close()


def test_a_store_that_two_processes_make_at_once_is_one_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "store.sqlite3"
    other = SqliteStore(path)
    link = os.link

    def late(source: str, target: Path) -> None:
        monkeypatch.setattr(os, "link", link)
        put(other, assert_())
        link(source, target)

    monkeypatch.setattr(os, "link", late)
    mine = SqliteStore(path)
    assert put(mine, close(at=4)) == 2
    assert mine.id == other.id
    other.close()
    mine.close()
    assert os.listdir(tmp_path) == ["store.sqlite3"]


def test_a_folder_that_cannot_hold_a_store_is_one_refusal(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = SqliteStore(tmp_path / "file" / "store.sqlite3")
    error = refusal(lambda: put(store, assert_()))
    assert (error.code, error.details["reason"]) == ("ARGON_RUNTIME_STORE_UNAVAILABLE", "system")
    store.close()


# -- sharing ----------------------------------------------------------------------------------------------------------


def test_a_reader_sees_whole_transactions_while_another_process_writes(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = SqliteStore(path)
    with subprocess.Popen([*WRITER, str(path), "40"], cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for line in process.stdout:
            heard = int(line.split()[1]) if line.startswith(b"ack") else 0
            state = store.snapshot()
            assert heard <= state.head == state.generation
            assert [len(t.events) for t in state.transactions()] == [len(changes(t.tx)) for t in state.transactions()]
    assert process.returncode == 0
    whole(store.snapshot())
    assert store.generation() == 40
    store.close()


HOLD = """
import sys
from datetime import datetime, UTC
from pathlib import Path
from argon_lang.store.sqlite import SqliteStore
from tests.store.stores import assert_
store = SqliteStore(Path(sys.argv[1]))
with store.write(datetime(2026, 1, 1, tzinfo=UTC)) as writer:
    writer.append([assert_((1, 1))])
    print("holding", flush=True)
    sys.stdin.readline()
    writer.commit()
store.close()
"""


def test_a_second_process_waits_its_bounded_time_and_readers_do_not_wait(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = SqliteStore(path, name=".argon/store.sqlite3", wait=0.05)
    put(store, assert_())
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", HOLD, str(path)], cwd=ROOT, **pipes) as process:  # type: ignore[call-overload]
        process.stdout.readline()
        error = refusal(lambda: put(store, close(at=1)))
        assert pairs(store.snapshot().facts(day(0))) == NOW
        process.communicate(b"\n")
    assert (error.code, error.retryable) == ("ARGON_RUNTIME_STORE_BUSY", True)
    assert dict(error.args_) == {"path": ".argon/store.sqlite3", "found": "50"}
    assert put(store, close(at=1)) == 3
    store.close()


def test_a_writer_sees_what_another_store_object_committed_before_it_began(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    one, two = SqliteStore(path), SqliteStore(path)
    put(one, assert_())
    with two.write(day(0)) as writer:
        assert writer.tx == 2
        assert pairs(writer.facts(day(0))) == NOW
        writer.set_module_hash("m2")
        writer.commit()
    assert one.snapshot().module_hash == "m2"
    one.close()
    two.close()


def test_a_file_put_in_place_of_another_is_read_anew(tmp_path: Path) -> None:
    path, other = tmp_path / "store.sqlite3", tmp_path / "other.sqlite3"
    written(other)
    store = SqliteStore(path)
    put(store, assert_((5, 5)))
    before = store.snapshot()
    store.close()
    os.replace(other, path)
    assert store.snapshot().head == 3
    assert store.id != before.store_id
    assert put(store) == 4
    store.close()
    path.unlink()
    assert store.id == NO_STORE
    assert len(before.records()) == 1


# -- refusing ---------------------------------------------------------------------------------------------------------


def refused_and_kept(path: Path) -> ArgonError:
    """The refusal of reads and writes alike, after which the file is as it was."""
    before = path.read_bytes()
    store = SqliteStore(path)
    errors = [refusal(store.snapshot), refusal(lambda: put(store, assert_()))]
    store.close()
    assert path.read_bytes() == before
    assert [each.code for each in errors] == ["ARGON_RUNTIME_STORE_UNAVAILABLE"] * 2
    assert errors[0].details == errors[1].details
    return errors[0]


def test_a_writer_that_leaves_does_not_take_the_log_from_a_process_that_looked_again(tmp_path: Path) -> None:
    """A process drops its locks on a file when it closes any handle on it: looking must not do that."""
    path = tmp_path / "store.sqlite3"
    store, log = SqliteStore(path), Path(f"{path}-wal")
    with store.write(day(0)) as writer:
        writer.append(changes(1))
        writer.commit()
    kept = log.stat().st_ino
    again = SqliteStore(path)
    assert again.snapshot().head == 1
    subprocess.run([*WRITER, str(path), "2"], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    assert log.stat().st_ino == kept
    for number in (4, 5):
        with store.write(day(number)) as writer:
            writer.append(changes(number))
            writer.commit()
    for each in (store, again):
        whole(each.snapshot())
        assert each.snapshot().head == 5
        each.close()


def test_a_file_that_is_no_store_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    for content, found in ((b"", "an empty file"), (b"hello", "no Argon store"), (b"\0" * 8192, "no Argon store")):
        path.write_bytes(content)
        error = refused_and_kept(path)
        assert dict(error.args_) == {"path": "store.sqlite3", "found": found}
        assert error.details["reason"] == "foreign"


def test_another_program_s_database_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE store (id)")
    connection.close()
    assert refused_and_kept(path).details["reason"] == "foreign"


def test_a_store_of_another_version_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    written(path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version=3")
    connection.close()
    error = refused_and_kept(path)
    assert (error.details["reason"], dict(error.args_)["found"]) == (
        "version",
        "store version 3, where this argon knows 2",
    )


BREAKAGES = {
    "a missing table": "DROP TABLE events",
    "a missing transaction": "DELETE FROM transactions WHERE tx = 2",
    "a missing event": "DELETE FROM events WHERE tx = 2 AND ordinal = 1",
    "a missing first event": "DELETE FROM events WHERE tx = 2 AND ordinal = 0",
    "another body": "UPDATE events SET body = (SELECT body FROM events WHERE tx = 1) WHERE tx = 2 AND ordinal = 1",
    "another instant": "UPDATE transactions SET instant = instant + 1 WHERE tx = 1",
    "another receipt": "UPDATE transactions SET receipt = x'00' WHERE tx = 3",
    "another type": "UPDATE transactions SET receipt = 'text' WHERE tx = 3",
    "an earlier head": "UPDATE store SET tx = 2",
    "another generation": "UPDATE store SET generation = 9",
    "no state": "DELETE FROM store",
    "a short id": "UPDATE events SET id = x'00' WHERE tx = 1",
}


@pytest.mark.parametrize("statement", BREAKAGES.values(), ids=BREAKAGES)
def test_tables_that_do_not_fit_together_are_damage_and_kept(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "store.sqlite3"
    written(path)
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    assert refused_and_kept(path).details["reason"] == "damaged"


def test_a_torn_file_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    written(path)
    content = path.read_bytes()
    for length in (50, 100, 4096, len(content) - 4096):
        path.write_bytes(content[:length])
        assert refused_and_kept(path).code == "ARGON_RUNTIME_STORE_UNAVAILABLE"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes, object]:
    path = tmp_path_factory.mktemp("sound") / "store.sqlite3"
    state = written(path).snapshot()
    return path, path.read_bytes(), (state.store_id, state.generation, state.transactions())


@settings(max_examples=250, deadline=None, derandomize=True)
@given(at=st.integers(0, 20 * 1024), bits=st.integers(1, 255), length=st.integers(1, 64))
def test_a_damaged_region_is_refused_or_was_in_no_use(
    sound: tuple[Path, bytes, object], at: int, bits: int, length: int
) -> None:
    path, content, expected = sound
    at %= len(content)
    region = bytes(byte ^ bits for byte in content[at : at + length])
    damaged = content[:at] + region + content[at + len(region) :]
    path.write_bytes(damaged)
    store = SqliteStore(path)
    try:
        state = store.snapshot()
        assert (state.store_id, state.generation, state.transactions()) == expected
    except ArgonError as error:
        if error.code != "ARGON_RUNTIME_STORE_UNAVAILABLE":
            raise
    store.close()
    assert path.read_bytes() == damaged


def test_a_failing_commit_leaves_nothing_and_the_store_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SqliteStore(tmp_path / "store.sqlite3")
    put(store, assert_())

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(sqlite_file, "_digest", full)
        error = refusal(lambda: put(store, close(at=1)))
    assert (error.code, dict(error.args_)["found"]) == ("ARGON_RUNTIME_STORE_UNAVAILABLE", "database or disk is full")
    assert (store.generation(), len(store.snapshot().records())) == (1, 1)
    assert put(store, close(at=1)) == 2
    store.close()
