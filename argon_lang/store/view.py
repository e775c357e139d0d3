"""Reads of a timeline at a pinned transaction: the reader that every backend hands out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from argon_lang.errors import ArgonError
from argon_lang.ir.values import Entity, EnumValue, Row, StructValue, TupleValue
from argon_lang.problems import args
from argon_lang.store.protocol import DEFAULT, MAIN, Event, Facts, Fork, Kind, Logged, Record, Transaction
from argon_lang.store.timeline import Timeline


class View:
    """A `Reader` of one state (`argon_lang.store.protocol`): a timeline, and how much of it this reader sees."""

    def __init__(
        self, timeline: Timeline, store_id: UUID, generation: int, head: int, module_hash: str, of: Fork | None = None
    ) -> None:
        """`of` is the fork that is read; None for the main branch."""
        self._timeline = timeline
        self.of = of
        self._store_id = store_id
        self._generation = generation
        self._head = head
        self._module_hash = module_hash

    @property
    def store_id(self) -> UUID:
        """The store's identity."""
        return self._store_id

    @property
    def generation(self) -> int:
        """The generation that these reads rest on."""
        return self._generation

    @property
    def head(self) -> int:
        """The last transaction that these reads see."""
        return self._head

    @property
    def module_hash(self) -> str:
        """The module under which the store was last written."""
        return self._module_hash

    @property
    def fork(self) -> str:
        """The name of the fork that is read; `main` of the main branch."""
        return self.of.name if self.of is not None else MAIN

    def records(self, as_of_tx: int | None = None) -> Sequence[Record]:
        """All records known at a transaction time, in the order of their events."""
        as_of = self._head if as_of_tx is None else as_of_tx
        if not 0 <= as_of <= self._head:
            known = args(name="asOfTx", expected=f"0..{self._head}", found=as_of)
            raise ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", known)
        return self._timeline.known(as_of, self._head)

    def facts(self, valid_at: datetime, as_of_tx: int | None = None, standpoints: Sequence[str] = (DEFAULT,)) -> Facts:
        """Rows with logged support for."""
        return self._rows("fact", valid_at, as_of_tx, standpoints)

    def hidden(self, valid_at: datetime, as_of_tx: int | None = None, standpoints: Sequence[str] = (DEFAULT,)) -> Facts:
        """Rows whose declared fact a logged delete hides."""
        return self._rows("hide", valid_at, as_of_tx, standpoints)

    def refuted(
        self, valid_at: datetime, as_of_tx: int | None = None, standpoints: Sequence[str] = (DEFAULT,)
    ) -> Facts:
        """Rows with logged support against."""
        return self._rows("against", valid_at, as_of_tx, standpoints)

    def next_boundary(self, after: datetime, as_of_tx: int | None = None) -> datetime | None:
        """The first instant later than `after` at which some record begins or ends to be valid."""
        records = self.records(as_of_tx)
        ends = (instant for record in records for instant in (record.valid_from, record.valid_to))
        return min((instant for instant in ends if instant is not None and instant > after), default=None)

    def log(
        self,
        *,
        key: str | None = None,
        row: Row | None = None,
        individual: Entity | None = None,
        since_tx: int = 0,
    ) -> Sequence[Logged]:
        """The event history, oldest first."""

        def wanted(event: Event) -> bool:
            change = event.change
            return (
                (key is None or change.key == key)
                and (row is None or change.row == row)
                and (individual is None or individual in _entities(change.row))
            )

        return [
            Logged(transaction.tx, transaction.instant, event)
            for transaction in self.transactions(since_tx)
            for event in transaction.events
            if wanted(event)
        ]

    def transactions(self, since_tx: int = 0) -> Sequence[Transaction]:
        """The transactions later than `since_tx`, oldest first."""
        return self._timeline.transactions(since_tx, self._head)

    def receipt(self, key: str) -> bytes | None:
        """What the transaction with this idempotency key left as its receipt."""
        tx, receipt = self._timeline.receipt(key) or (self._head + 1, b"")
        return receipt if tx <= self._head else None

    def _rows(self, kind: Kind, valid_at: datetime, as_of_tx: int | None, standpoints: Sequence[str]) -> Facts:
        layers = frozenset(standpoints)
        found: dict[str, dict[Row, None]] = {}
        for record in self.records(as_of_tx):
            if record.kind == kind and record.standpoint in layers and holds(record, valid_at):
                found.setdefault(record.key, {})[record.row] = None
        return {key: tuple(rows) for key, rows in found.items()}


def holds(record: Record, valid_at: datetime) -> bool:
    """Whether an instant lies in a record's valid time."""
    begun = record.valid_from is None or record.valid_from <= valid_at
    return begun and (record.valid_to is None or valid_at < record.valid_to)


def _entities(value: Any) -> Iterator[Entity]:
    """The individuals that occur in a row or value."""
    match value:
        case Entity():
            yield value
        case tuple() | frozenset():
            for part in value:
                yield from _entities(part)
        case TupleValue(_, parts) | EnumValue(_, _, parts) | StructValue(_, parts):
            yield from _entities(parts)
