"""`kill -9` during `argon mutate`: no acknowledged write is lost, none is half there (issue: acceptance 3).

Each writer has its own idempotency key and instant of death, drawn from a seed over the time that a whole run takes.
The short form runs always; three hundred kills by `tasks.py long`.
"""

from __future__ import annotations

import json
import random
import subprocess
import time
from pathlib import Path
from uuid import UUID

import pytest

from argon_lang.store.protocol import Snapshot
from argon_lang.store.sqlite import SqliteStore
from tests.support.cli import COMMAND, PATIENCE, argon, copy, environment

SEED = 20260310
BILL = ["pkg::Invoice^", *(f"pkg::Invoice.{name}" for name in ("payer", "amount", "due", "paid"))]


def command(number: int) -> list[str]:
    """The write with this number: its own key, its own amount."""
    return [
        *COMMAND,
        "mutate",
        "bill",
        "ben",
        f"{number + 1}.00",
        "2030-01-01",
        "--idempotency-key",
        f"k{number}",
        "--json",
    ]


def write(folder: Path, number: int, seconds: float | None) -> int | None:
    """Run one write and kill it after so many seconds; the transaction that it acknowledged, if it came to that."""
    with subprocess.Popen(command(number), cwd=folder, env=environment(), stdout=subprocess.PIPE) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        assert process.stdout is not None
        said = process.stdout.read()
    try:
        return int(json.loads(said)["tx"])
    except ValueError:
        return None


def whole(state: Snapshot) -> dict[str, int]:
    """Fail when a transaction is missing or not there in full; keys with their transactions."""
    transactions = state.transactions()
    assert [each.tx for each in transactions] == list(range(1, state.head + 1))
    for each in transactions:
        assert [event.change.key for event in each.events] == BILL, each.tx
        assert each.key is not None
        assert json.loads(each.receipt)["tx"] == each.tx
    return {str(each.key): each.tx for each in transactions}


def survive(folder: Path, kills: int) -> None:
    lease = copy("lease", folder / "lease")
    assert argon("build", cwd=lease).status == 0
    begun = time.monotonic()
    acknowledged = {"k0": write(lease, 0, None)}
    took = time.monotonic() - begun
    dice = random.Random(SEED)
    for number in range(1, kills + 1):
        tx = write(lease, number, took * dice.uniform(0.3, 1.1))
        if tx is not None:
            acknowledged[f"k{number}"] = tx
        store = SqliteStore(lease / ".argon" / "store.sqlite3")
        found = whole(store.snapshot())
        store.close()
        assert {key: found.get(key) for key in acknowledged} == acknowledged
    again = write(lease, 0, None)
    assert again == 1, "a replayed key answers with its first receipt"
    last = write(lease, kills + 1, None)
    assert last == len(found) + 1
    assert UUID(json.loads(argon("status", "--json", cwd=lease).out)["store"]["id"]).int != 0


def test_a_few_killed_writers_lose_nothing_acknowledged_and_leave_nothing_half_written(tmp_path: Path) -> None:
    survive(tmp_path, 5)


@pytest.mark.long
def test_three_hundred_killed_writers_lose_nothing_acknowledged_and_leave_nothing_half_written(tmp_path: Path) -> None:
    survive(tmp_path, 300)


def test_writers_in_several_processes_follow_each_other_and_equal_keys_write_once(tmp_path: Path) -> None:
    lease = copy("lease", tmp_path / "lease")
    assert argon("build", cwd=lease).status == 0
    started = [
        subprocess.Popen(command(number), cwd=lease, env=environment(), stdout=subprocess.PIPE)
        for number in (1, 1, 2, 3)
    ]
    receipts = [json.loads(process.communicate(timeout=PATIENCE)[0]) for process in started]
    assert sorted(receipt["tx"] for receipt in receipts if not receipt["replayed"]) == [1, 2, 3]
    first, again = receipts[:2]
    assert first["tx"] == again["tx"]
    assert first["replayed"] != again["replayed"]
    store = SqliteStore(lease / ".argon" / "store.sqlite3")
    assert sorted(whole(store.snapshot())) == ["k1", "k2", "k3"]
    store.close()
