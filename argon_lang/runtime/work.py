"""One write transaction in progress: what it changed so far, as every later statement sees it (semantics S7.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from argon_lang.engine.governor import Governor
from argon_lang.ir.names import asserted
from argon_lang.ir.values import Entity, Row, Value
from argon_lang.problems import Args
from argon_lang.runtime.base import Base, ReadPoint, base_facts
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.served import Served
from argon_lang.store.protocol import Change, Event, WriteTransaction


@dataclass(frozen=True, slots=True)
class MintedEntity:
    """An individual that this transaction created."""

    entity: Entity
    concept: str


@dataclass
class Work:
    """The working state. `instant` is the transaction's clock; `instants` are where gates and guard must hold.

    `asserted` are the rows that this transaction asserted, with the interval's begin; `dropped` the memberships that it
    closed. The store's own transaction rolls everything back when the work is abandoned.
    """

    served: Served
    writer: WriteTransaction
    instant: datetime
    principal: str
    instants: set[datetime] = field(default_factory=set)
    minted: list[MintedEntity] = field(default_factory=list)
    emitted: list[Value] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    asserted: list[tuple[str, Row, datetime | None]] = field(default_factory=list)
    dropped: list[tuple[str, Entity, datetime]] = field(default_factory=list)
    governor: Governor = field(default_factory=Governor)
    _now: Base | None = None
    _reading: Reading | None = None

    def __post_init__(self) -> None:
        """The transaction's own instant always counts."""
        self.instants.add(self.instant)

    @property
    def base(self) -> Base:
        """Base facts now, with everything that this transaction did so far."""
        if self._now is None:
            self._now = base_facts(self.served.schema.module, self.writer, ReadPoint(self.instant))
        return self._now

    @property
    def reading(self) -> Reading:
        """A reader of the state now: fields at once, derived predicates by evaluation when first asked for."""
        if self._reading is None:
            self._reading = Reading(
                self.served,
                self.base,
                ReadPoint(self.instant),
                self.instant,
                reader=self.writer,
                governor=self.governor,
            )
        return self._reading

    def reading_at(self, instant: datetime) -> Reading:
        """A reader of the state at another valid time, with everything that this transaction did so far."""
        if instant == self.instant:
            return self.reading
        point = ReadPoint(instant)
        return Reading(
            self.served,
            base_facts(self.served.schema.module, self.writer, point),
            point,
            self.instant,
            reader=self.writer,
            governor=self.governor,
        )

    def mint(self, concept: str) -> Entity:
        """A new individual. Its id is the transaction's number and an ordinal, never used again."""
        entity = Entity(f"#{self.writer.tx}.{len(self.minted) + 1}")
        self.minted.append(MintedEntity(entity, concept))
        return entity

    def assert_row(self, key: str, row: Row, at: datetime | None = None, until: datetime | None = None) -> None:
        """Assert a row from `at` (default: now) to `until`; a row that already holds then is asserted once."""
        begin = at or self.instant
        if at is None and until is None and row in self.base.get(key, {}):
            return
        self._append([Change("assert", key, row, begin, until, principal=self.principal)])
        self.asserted.append((key, row, begin))
        self.instants.add(begin)
        if until is not None:
            self.instants.add(until)

    def close_rows(self, key: str, rows: Iterable[Row], at: datetime | None = None) -> None:
        """End the validity of rows at `at` (default: now)."""
        begin = at or self.instant
        changes = [Change("close", key, row, begin, None, principal=self.principal) for row in rows]
        self._append(changes)
        if changes:
            self.instants.add(begin)

    def rows_at(self, key: str, at: datetime | None) -> tuple[Row, ...]:
        """The asserted rows of a key, now or at another instant."""
        base = self.base if at is None or at == self.instant else self.reading_at(at).base
        return tuple(base.get(key, ()))

    def memberships(self, entity: Entity, at: datetime | None = None) -> Iterator[str]:
        """The concepts under which an individual is asserted."""
        for concept in self.served.schema.concepts:
            if (entity,) in dict.fromkeys(self.rows_at(asserted(concept), at)):
                yield concept

    def _append(self, changes: list[Change]) -> None:
        if not changes:
            return
        self.events.extend(self.writer.append(changes))
        if self._now is not None:
            self._apply(changes)
        self._reading = None

    def _apply(self, changes: list[Change]) -> None:
        """Carry changes over into the base facts now, when they touch this instant."""
        base = self.base
        for change in changes:
            begins = change.valid_from is None or change.valid_from <= self.instant
            if change.op == "close" and begins:
                base.get(change.key, {}).pop(change.row, None)
            elif change.op == "assert" and begins and (change.valid_to is None or self.instant < change.valid_to):
                base.setdefault(change.key, {})[change.row] = None


@dataclass(frozen=True, slots=True)
class GateRefusal(Exception):
    """A construction gate's refusal: a catalog code with its values (S7.4). Becomes `_WRITE_REFUSED`."""

    code: str
    args_: Args
