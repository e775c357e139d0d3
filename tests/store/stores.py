"""How the tests make stores and changes: one recipe for every backend, with a clock and ids that repeat."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from argon_lang.ir.values import Entity, Money, Row
from argon_lang.store.memory import MemoryStore
from argon_lang.store.protocol import Change, Facts, Store
from argon_lang.store.sqlite import SqliteStore

T0 = datetime(2026, 1, 1, tzinfo=UTC)
ALICE, BOB = Entity("p::alice"), Entity("p::bob")
RENT: Row = (ALICE, Money(Decimal("12.50")))


def day(n: int) -> datetime:
    """The n-th day of the tests' calendar."""
    return T0 + timedelta(days=n)


def dice(seed: int = 7) -> Callable[[int], bytes]:
    """A source of random bytes that repeats itself."""
    return random.Random(seed).randbytes


def memory(folder: Path, wait: float = 10.0) -> Store:
    """A store in memory."""
    return MemoryStore(random=dice(), wait=wait)


def sqlite(folder: Path, wait: float = 10.0) -> Store:
    """A store in a file of the folder."""
    return SqliteStore(folder / "store.sqlite3", random=dice(), wait=wait)


BACKENDS = [memory, sqlite]


def put(store: Store, *changes: Change, at: int = 0) -> int:
    """Commit one transaction."""
    with store.write(day(at)) as writer:
        writer.append(changes)
        return writer.commit()


def assert_(row: Row = RENT, start: int | None = None, end: int | None = None, **more: str) -> Change:
    """An assertion over days `[start, end)`."""
    key = more.pop("key", "p::Lease.rent")
    bounds = (None if start is None else day(start), None if end is None else day(end))
    return Change("assert", key, row, *bounds, **more)


def close(row: Row = RENT, at: int | None = None, **more: str) -> Change:
    """The end of a row's validity on a day."""
    key = more.pop("key", "p::Lease.rent")
    return Change("close", key, row, None if at is None else day(at), **more)


def pairs(facts: Facts) -> set[tuple[str, Row]]:
    """The rows with their keys; a row that appears twice is an error."""
    listed = [(key, row) for key, rows in facts.items() for row in rows]
    assert len(set(listed)) == len(listed)
    return set(listed)
