"""The fold: how a log of events becomes records in two times (`argon_lang.store.protocol`), and the reads of them.

One timeline belongs to one store of this process. A reader pins the transaction that it saw as head, and transaction
time makes everything later invisible to it, so readers and the writer share the records: the writer folds its pending
events in as transaction head + 1, which no pinned reader sees, and takes them out again when it rolls back. The lock
is held while records are collected or folded in, never while anything waits or computes on them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from operator import attrgetter, itemgetter
from threading import Lock

from argon_lang.ir.values import Row
from argon_lang.store.protocol import Event, Kind, Record, Transaction

_Fact = tuple[str, str, Row]


@dataclass(frozen=True, slots=True)
class _Entry:
    """A record with its place in the log: transaction and ordinal of its event, then the order of its making."""

    order: tuple[int, int, int]
    record: Record


class Timeline:
    """The records of one store, live ones apart from superseded ones, and the transactions that made them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._live: dict[int, _Entry] = {}
        self._by_fact: defaultdict[_Fact, list[int]] = defaultdict(list)
        self._closed: list[tuple[int, _Entry]] = []
        self._ended: list[int] = []
        self._pending: list[int] = []
        self._count = 0
        self.transactions: list[Transaction] = []
        self.receipts: dict[str, tuple[int, bytes]] = {}

    @property
    def head(self) -> int:
        """The last committed transaction that was folded in."""
        return len(self.transactions)

    def fold(self, tx: int, events: Iterable[Event], start: int = 0) -> None:
        """Fold events of transaction `tx` in; `start` numbers the first of them within it."""
        with self._lock:
            for ordinal, event in enumerate(events, start):
                _FOLDS[event.change.op](self, tx, ordinal, event)

    def settle(self, transaction: Transaction) -> None:
        """Take a transaction whose events are folded in as committed."""
        self._pending.clear()
        if transaction.key is not None:
            self.receipts[transaction.key] = (transaction.tx, transaction.receipt)
        self.transactions.append(transaction)

    def undo(self, tx: int) -> None:
        """Take out what was folded in as pending transaction `tx`."""
        with self._lock:
            for number in self._pending:
                if number in self._live:
                    self._remove(number)
            self._pending.clear()
            while self._ended and self._ended[-1] == tx:
                self._ended.pop()
                number, entry = self._closed.pop()
                self._restore(number, _Entry(entry.order, replace(entry.record, tx_to=None)))

    def known(self, as_of: int, head: int) -> list[Record]:
        """The records known at transaction time `as_of` to a reader that pinned `head`, in the order of the log."""
        with self._lock:
            live = list(self._live.values())
            closed = self._closed[bisect_right(self._ended, as_of) :]
        entries = chain(live, map(itemgetter(1), closed))
        found = sorted((entry for entry in entries if entry.record.tx_from <= as_of), key=attrgetter("order"))
        return [_masked(entry.record, head) for entry in found]

    # -- the fold -----------------------------------------------------------------------------------------------------

    def _assert(self, tx: int, ordinal: int, event: Event) -> None:
        change = event.change
        for number, entry in self._of("hide", event):
            pieces = _without(entry.record, change.valid_from, change.valid_to)
            if pieces is not None:
                self._replace(number, entry, tx, pieces)
        self._open("fact", tx, ordinal, event)

    def _close(self, tx: int, ordinal: int, event: Event) -> None:
        at = event.change.valid_from
        for kind in ("fact", "hide"):
            for number, entry in self._of(kind, event):
                pieces = _without(entry.record, at, None)
                if pieces is not None:
                    self._replace(number, entry, tx, pieces)
        self._open("hide", tx, ordinal, event)

    def _refute(self, tx: int, ordinal: int, event: Event) -> None:
        self._open("against", tx, ordinal, event)

    def _of(self, kind: str, event: Event) -> Iterator[tuple[int, _Entry]]:
        change = event.change
        for number in tuple(self._by_fact.get((change.standpoint, change.key, change.row), ())):
            if self._live[number].record.kind == kind:
                yield number, self._live[number]

    def _open(self, kind: Kind, tx: int, ordinal: int, event: Event) -> None:
        change = event.change
        record = Record(
            kind=kind,
            key=change.key,
            row=change.row,
            valid_from=change.valid_from,
            valid_to=change.valid_to,
            tx_from=tx,
            tx_to=None,
            event=event.id,
            event_tx=tx,
            standpoint=change.standpoint,
            principal=change.principal,
        )
        self._add(tx, ordinal, record)

    def _replace(self, number: int, entry: _Entry, tx: int, pieces: list[Record]) -> None:
        """End a record's transaction time and let its remaining pieces go on, in its place of the log."""
        self._remove(number)
        if entry.record.tx_from < tx:
            self._closed.append((number, _Entry(entry.order, replace(entry.record, tx_to=tx))))
            self._ended.append(tx)
        for piece in pieces:
            self._add(entry.order[0], entry.order[1], replace(piece, tx_from=tx))

    def _add(self, event_tx: int, ordinal: int, record: Record) -> None:
        self._count += 1
        self._pending.append(self._count)
        self._restore(self._count, _Entry((event_tx, ordinal, self._count), record))

    def _restore(self, number: int, entry: _Entry) -> None:
        self._live[number] = entry
        self._by_fact[_fact(entry.record)].append(number)

    def _remove(self, number: int) -> None:
        fact = _fact(self._live.pop(number).record)
        numbers = self._by_fact[fact]
        numbers.remove(number)
        if not numbers:
            del self._by_fact[fact]


_FOLDS = {"assert": Timeline._assert, "close": Timeline._close, "refute": Timeline._refute}


def _fact(record: Record) -> _Fact:
    return (record.standpoint, record.key, record.row)


def _masked(record: Record, head: int) -> Record:
    """The record as a reader of `head` knows it: what supersedes it later has not happened yet."""
    return replace(record, tx_to=None) if record.tx_to is not None and record.tx_to > head else record


def _without(record: Record, start: datetime | None, end: datetime | None) -> list[Record] | None:
    """What is left of a record's valid time without `[start, end)`; None when the two do not meet."""
    begins_after = end is not None and record.valid_from is not None and record.valid_from >= end
    ends_before = start is not None and record.valid_to is not None and record.valid_to <= start
    if begins_after or ends_before:
        return None
    pieces = []
    if start is not None and (record.valid_from is None or record.valid_from < start):
        pieces.append(replace(record, valid_to=start))
    if end is not None and (record.valid_to is None or record.valid_to > end):
        pieces.append(replace(record, valid_from=end))
    return pieces
