"""The exclusive write transaction of every backend: pending events on the shared timeline, and one durable step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from argon_lang.errors import ArgonError
from argon_lang.ir.codec import CodecError
from argon_lang.problems import args
from argon_lang.store.events import buried, checked, event_of
from argon_lang.store.ids import Random, next_id
from argon_lang.store.protocol import Change, Event, Record, Scrub, Transaction, Wanted
from argon_lang.store.timeline import Timeline
from argon_lang.store.view import View

Persist = Callable[[Transaction, str | None, "Erasure | None"], None]
"""Makes a transaction durable, with the generation bump, or raises and leaves nothing of it.

The second argument is the handle of a fork that ends with it, the third what is erased with it.
"""


@dataclass(frozen=True, slots=True)
class Erasure:
    """What nothing shall be left of, by any of several conditions, and what becomes of the receipts that tell of it."""

    conditions: tuple[Wanted, ...]
    scrub: Scrub

    def of(self, transaction: Transaction) -> Transaction:
        """A transaction without it; the same one when it tells nothing of it."""
        return buried(transaction, lambda change: any(wanted(change) for wanted in self.conditions), self.scrub)


ORDINALS = 1_000_000_000
"""How many individuals one transaction may mint. Each fork counts from its own multiple: no name is given twice."""


class Writer(View):
    """A `WriteTransaction` (`argon_lang.store.protocol`). Used by one thread."""

    def __init__(self, base: View, timeline: Timeline, instant: datetime, random: Random, persist: Persist) -> None:
        super().__init__(timeline, base.store_id, base.generation, base.head + 1, base.module_hash, base.of)
        self._instant = instant
        self._random = random
        self._persist = persist
        self._events: list[Event] = []
        self._last = timeline.last
        self._erasure: Erasure | None = None
        self._known: Sequence[Record] | None = None
        self.committed = False

    @property
    def tx(self) -> int:
        """The number that a commit will give this transaction."""
        return self._head

    @property
    def first_ordinal(self) -> int:
        """What the ordinals of individuals minted here count from."""
        return self.of.number * ORDINALS if self.of is not None else 0

    def set_instant(self, instant: datetime) -> None:
        """Move the transaction's clock reading; only before any append."""
        if self._events:
            raise RuntimeError("this transaction has events already")
        self._instant = instant

    def append(self, changes: Iterable[Change]) -> tuple[Event, ...]:
        """Give each change an event id, in order, and make it visible to this transaction's reads."""
        self._must_be_open()
        events = []
        for change in checked(changes):
            uid = next_id(self._instant, self._last, self._random)
            events.append(_event(uid, change))
            self._last = uid
        self._fold(events)
        return tuple(events)

    def replay(self, events: Iterable[Event]) -> None:
        """Append events of another branch as they are, ids and all."""
        self._must_be_open()
        self._fold(list(events))

    def erase(self, wanted: Wanted, scrub: Scrub) -> None:
        """With the commit, erase every event that says what is wanted."""
        self._must_be_open()
        if self.of is not None:
            told = args(name="fork", expected="the main branch, where alone facts can be erased", found=self.of.name)
            raise ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", told)
        before = self._erasure.conditions if self._erasure is not None else ()
        self._erasure = Erasure((*before, wanted), scrub)

    def records(self, as_of_tx: int | None = None) -> Sequence[Record]:
        """All records known at a transaction time; those of now are collected once between two changes."""
        if as_of_tx is not None:
            return super().records(as_of_tx)
        if self._known is None:
            self._known = super().records()
        return self._known

    def edges(self, after: datetime) -> Iterable[Record]:
        """The records known now that begin or end to be valid later than `after`."""
        return self._timeline.edges(after, self._head)

    def set_module_hash(self, module_hash: str) -> None:
        """Write under this module from now on."""
        self._module_hash = module_hash

    def transactions(self, since_tx: int = 0) -> Sequence[Transaction]:
        """The transactions later than `since_tx`, the pending one last."""
        return [*super().transactions(since_tx), *([self._transaction(None, b"")] if since_tx < self.tx else [])]

    def commit(self, *, key: str | None = None, receipt: bytes = b"", ends: str | None = None) -> int:
        """Make everything durable as one transaction, bump the generation, return `tx`; end the fork `ends` with it."""
        self._must_be_open()
        if key is not None and self.receipt(key) is not None:
            told = args(name="idempotencyKey", expected="a new key", found=f"one of an earlier transaction, {key!r}")
            raise ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", told)
        transaction = self._transaction(key, receipt)
        self._persist(self._erasure.of(transaction) if self._erasure else transaction, ends, self._erasure)
        self.committed = True
        return self.tx

    def _fold(self, events: list[Event]) -> None:
        self._timeline.fold(self.tx, events, len(self._events))
        self._events += events
        self._known = None

    def _must_be_open(self) -> None:
        if self.committed:
            raise RuntimeError("this transaction is committed")

    def _transaction(self, key: str | None, receipt: bytes) -> Transaction:
        return Transaction(self.tx, self._instant, self._module_hash, tuple(self._events), key, receipt)


def _event(uid: UUID, change: Change) -> Event:
    try:
        return event_of(uid, change)
    except CodecError as error:
        told = args(name=change.key, expected=error.expected, found=error.found)
        raise ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", told) from error
