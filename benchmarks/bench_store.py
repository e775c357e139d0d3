"""What the storage layer takes: loading much, forks, durable commits, opening a file.

On a file in the system's folder for temporary ones. Loading and opening are processor time; what waits for the disk (a
commit, a fork) is wall clock. Memory is what the process gained by the facts it loaded.
"""

from __future__ import annotations

import gc
import resource
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from argon_lang.ir.values import Entity
from argon_lang.store.protocol import Change
from argon_lang.store.sqlite import SqliteStore
from benchmarks.table import Budget, Samples

LOADED = "store: 1,000,000 facts of two columns, loaded"
MEMORY = "store: memory of 1,000,000 facts"
FORKED = "store: make a fork at 1,000,000 facts"
COMMITTED = "store: a durable commit of one event"
HUNDRED = "store: a durable commit of 100 events"
OPENED = "store: open a file of 50,000 events"
BUDGETS = (
    Budget(LOADED, p50=60_000),
    Budget(MEMORY, p50=1_200, unit="MB"),
    Budget(FORKED, p50=10),
    Budget(COMMITTED, p50=5),
    Budget(HUNDRED, p50=50),
    Budget(OPENED),
)
T0 = datetime(2026, 1, 1, tzinfo=UTC)
A_STEP = 10_000


def fact(number: int, part: int) -> Change:
    """A tuple of an individual and a number."""
    return Change("assert", "pkg::r^", (Entity(f"#{number}.{part}"), part), T0)


def put(store: SqliteStore, number: int, count: int) -> None:
    """One transaction of so many facts."""
    with store.write(T0 + timedelta(seconds=number)) as writer:
        writer.append(fact(number, part) for part in range(count))
        writer.commit()


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _loaded(folder: Path, count: int) -> Samples:
    store = SqliteStore(folder / "large.sqlite3")
    gc.collect()
    before, begin = _peak(), time.process_time()
    for number in range(count // A_STEP or 1):
        put(store, number, min(A_STEP, count))
    yield LOADED, [(time.process_time() - begin) * 1e3]
    yield MEMORY, [_peak() - before]
    times = []
    for number in range(15):
        begin = time.perf_counter()
        store.create_fork(f"f{number}", T0)
        times.append((time.perf_counter() - begin) * 1e3)
    yield FORKED, times
    store.close()


def _committed(folder: Path, rounds: int, events: int) -> list[float]:
    store, times = SqliteStore(folder / f"commits-{events}.sqlite3"), []
    for number in range(rounds):
        begin = time.perf_counter()
        put(store, number, events)
        times.append((time.perf_counter() - begin) * 1e3)
    store.close()
    return times


def _opened(folder: Path, rounds: int, events: int) -> list[float]:
    path, times = folder / "open.sqlite3", []
    written = SqliteStore(path)
    for number in range(events // 100):
        put(written, number, 100)
    written.close()
    for _ in range(rounds):
        gc.collect()
        begin = time.process_time()
        SqliteStore(path).snapshot()
        times.append((time.process_time() - begin) * 1e3)
    return times


def measure(quick: bool) -> Samples:
    """See the module's docstring."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        yield from _loaded(folder, 2_000 if quick else 1_000_000)
        yield COMMITTED, _committed(folder, 5 if quick else 200, 1)
        yield HUNDRED, _committed(folder, 3 if quick else 60, 100)
        yield OPENED, _opened(folder, 1 if quick else 5, 500 if quick else 50_000)
