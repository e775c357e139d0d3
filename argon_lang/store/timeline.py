"""The fold: how a log of events becomes records in two times (`argon_lang.store.protocol`), and the reads of them.

One timeline belongs to one store of this process. A reader pins the transaction that it saw as head, and transaction
time makes everything later invisible to it, so readers and the writer share the records: the writer folds its pending
events in as transaction head + 1, which no pinned reader sees, and takes them out again when it rolls back. The lock
is held while records are collected or folded in, never while anything waits or computes on them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from operator import attrgetter
from threading import Lock
from uuid import UUID

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
        self.numbers = _NUMBERS
        self._live: dict[int, _Entry] = {}
        self._by_fact: defaultdict[_Fact, list[int]] = defaultdict(list)
        self._closed: list[tuple[int, _Entry]] = []
        self._ended: list[int] = []
        self._pending: list[int] = []
        self._past: defaultdict[_Fact, list[tuple[int, _Entry]]] = defaultdict(list)
        self._count = 0
        self._transactions: list[Transaction] = []
        self._receipts: dict[str, tuple[int, bytes]] = {}
        self._last: UUID | None = None
        self._edges: list[datetime] = []
        self._of_edges: list[int] = []

    @property
    def head(self) -> int:
        """The last committed transaction that was folded in."""
        return len(self._transactions)

    @property
    def last(self) -> UUID | None:
        """The greatest id of a committed event."""
        return self._last

    def transactions(self, since: int, head: int) -> Sequence[Transaction]:
        """The committed transactions `since + 1 … head`."""
        return self._transactions[max(since, 0) : head]

    def receipt(self, key: str) -> tuple[int, bytes] | None:
        """The transaction that used an idempotency key, with its receipt."""
        return self._receipts.get(key)

    def fold(self, tx: int, events: Iterable[Event], start: int = 0) -> None:
        """Fold events of transaction `tx` in; `start` numbers the first of them within it."""
        with self._lock:
            for ordinal, event in enumerate(events, start):
                _FOLDS[event.change.op](self, tx, ordinal, event)

    def settle(self, transaction: Transaction) -> None:
        """Take a transaction whose events are folded in as committed."""
        self._pending.clear()
        if transaction.key is not None:
            self._receipts[transaction.key] = (transaction.tx, transaction.receipt)
        self._transactions.append(transaction)
        # Events that come from a fork keep their ids, which may be older than the last one here.
        for event in transaction.events:
            if self._last is None or event.id > self._last:
                self._last = event.id

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
                self._forget_past(_fact(entry.record))
                self._restore(number, _Entry(entry.order, replace(entry.record, tx_to=None)))

    def known(self, as_of: int, head: int) -> list[Record]:
        """The records known at transaction time `as_of` to a reader that pinned `head`, in the order of the log."""
        found = sorted((entry for _, entry in self.entries(as_of)), key=attrgetter("order"))
        return [_masked(entry.record, head) for entry in found]

    def entries(self, as_of: int) -> list[tuple[int, _Entry]]:
        """The records known at a transaction time, each with its number and its place in the log, in no order."""
        with self._lock:
            live = list(self._live.items())
            closed = self._closed[bisect_right(self._ended, as_of) :]
        return [each for each in chain(live, closed) if each[1].record.tx_from <= as_of]

    def of_fact(self, fact: _Fact, as_of: int) -> list[tuple[int, _Entry]]:
        """The same of one fact alone, without going through the others."""
        with self._lock:
            numbers = tuple(self._by_fact.get(fact, ()))
            live = [(number, self._live[number]) for number in numbers]
            past = [each for each in self._past.get(fact, ()) if as_of < (each[1].record.tx_to or 0)]
        return [each for each in chain(live, past) if each[1].record.tx_from <= as_of]

    def edges(self, after: datetime, as_of: int) -> list[Record]:
        """The records known at the head, the pending transaction `as_of`, that begin or end later than an instant."""
        with self._lock:
            numbers = dict.fromkeys(self._of_edges[bisect_right(self._edges, after) :])
            return [self._live[number].record for number in numbers if number in self._live]

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

    def _pass(self, tx: int, ordinal: int, event: Event) -> None:
        """What tells of an erasure makes no record."""

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
            closed = (number, _Entry(entry.order, replace(entry.record, tx_to=tx)))
            self._closed.append(closed)
            self._past[_fact(entry.record)].append(closed)
            self._ended.append(tx)
        self._go_on(entry, tx, pieces)

    def _go_on(self, entry: _Entry, tx: int, pieces: list[Record]) -> None:
        for piece in pieces:
            self._add(entry.order[0], entry.order[1], replace(piece, tx_from=tx))

    def _add(self, event_tx: int, ordinal: int, record: Record) -> None:
        self._count += 1
        self._pending.append(self._count)
        self._restore(self._count, _Entry((event_tx, ordinal, self._count), record))
        for edge in _bounds(record):
            if edge is not None:
                # Most facts begin when they are written, so that this is mostly the end of the list.
                place = bisect_right(self._edges, edge)
                self._edges.insert(place, edge)
                self._of_edges.insert(place, self._count)

    def _restore(self, number: int, entry: _Entry) -> None:
        self._live[number] = entry
        self._by_fact[_fact(entry.record)].append(number)

    def _forget_past(self, fact: _Fact) -> None:
        past = self._past[fact]
        past.pop()
        if not past:
            del self._past[fact]

    def _remove(self, number: int) -> None:
        fact = _fact(self._live.pop(number).record)
        numbers = self._by_fact[fact]
        numbers.remove(number)
        if not numbers:
            del self._by_fact[fact]


class BranchTimeline(Timeline):
    """The records of a fork: those of its parent up to the fork point `cut`, shared, and what it made of them since.

    Only what differs is held: records of its own, and by number the parent's records that it has superseded, with the
    transaction that did. So making one costs nothing, however much the parent holds.
    """

    def __init__(self, base: Timeline, cut: int) -> None:
        super().__init__()
        self.base = base
        self._cut = cut
        self._gone: dict[int, int] = {}
        self._count = base.numbers
        self.numbers = base.numbers + _NUMBERS

    @property
    def head(self) -> int:
        """The last committed transaction, the parent's counted up to the fork point."""
        return self._cut + super().head

    @property
    def last(self) -> UUID | None:
        """The greatest id of a committed event, of the parent's too."""
        known = [each for each in (self.base.last, self._last) if each is not None]
        return max(known, default=None)

    def transactions(self, since: int, head: int) -> Sequence[Transaction]:
        """The committed transactions `since + 1 … head`, the parent's up to the fork point."""
        since, cut = max(since, 0), self._cut
        inherited = self.base.transactions(since, min(head, cut)) if since < cut else ()
        return [*inherited, *self._transactions[max(since - cut, 0) : max(head - cut, 0)]]

    def receipt(self, key: str) -> tuple[int, bytes] | None:
        """The transaction that used an idempotency key, here or before the fork point."""
        inherited = self.base.receipt(key)
        return self._receipts.get(key) or (inherited if inherited is not None and inherited[0] <= self._cut else None)

    def entries(self, as_of: int) -> list[tuple[int, _Entry]]:
        """The records known at a transaction time: inherited ones that stand, then those made here."""
        return [*self._inherited(self.base.entries(min(as_of, self._cut)), as_of), *super().entries(as_of)]

    def edges(self, after: datetime, as_of: int) -> list[Record]:
        """The same of what is inherited, too."""
        records = (entry.record for _, entry in self.entries(as_of))
        return [each for each in records if any(edge is not None and edge > after for edge in _bounds(each))]

    def of_fact(self, fact: _Fact, as_of: int) -> list[tuple[int, _Entry]]:
        """The same of one fact alone."""
        inherited = self._inherited(self.base.of_fact(fact, min(as_of, self._cut)), as_of)
        return [*inherited, *super().of_fact(fact, as_of)]

    def undo(self, tx: int) -> None:
        """Take out what was folded in as pending transaction `tx`."""
        super().undo(tx)
        with self._lock:
            for number in [number for number, gone in self._gone.items() if gone == tx]:
                del self._gone[number]

    def _inherited(self, entries: Iterable[tuple[int, _Entry]], as_of: int) -> Iterator[tuple[int, _Entry]]:
        """The parent's records as this branch knows them, to whom nothing after the fork point has happened there."""
        for number, entry in entries:
            gone, ended = self._gone.get(number), entry.record.tx_to
            if gone is not None and gone <= as_of:
                continue
            until = ended if ended is not None and ended <= self._cut else gone
            yield number, entry if ended == until else _Entry(entry.order, replace(entry.record, tx_to=until))

    def _of(self, kind: str, event: Event) -> Iterator[tuple[int, _Entry]]:
        change = event.change
        yield from super()._of(kind, event)
        for number, entry in self.base.of_fact((change.standpoint, change.key, change.row), self._cut):
            ended = entry.record.tx_to is not None and entry.record.tx_to <= self._cut
            if number not in self._gone and not ended and entry.record.kind == kind:
                yield number, entry

    def _replace(self, number: int, entry: _Entry, tx: int, pieces: list[Record]) -> None:
        if number in self._live:
            super()._replace(number, entry, tx, pieces)
            return
        self._gone[number] = tx
        self._go_on(entry, tx, [replace(piece, tx_to=None) for piece in pieces])


_NUMBERS = 1 << 40
"""How many records one branch may make: the numbers of a branch and of what it is a branch of never meet."""

_FOLDS = {
    "assert": Timeline._assert,
    "close": Timeline._close,
    "refute": Timeline._refute,
    "erase": Timeline._pass,
    "erased": Timeline._pass,
}


def _bounds(record: Record) -> tuple[datetime | None, datetime | None]:
    return record.valid_from, record.valid_to


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
