"""One write transaction in progress: what it changed so far, as every later statement sees it (semantics S7.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from argon_lang.engine.governor import Governor
from argon_lang.engine.model import Model
from argon_lang.ir.module import Fact
from argon_lang.ir.names import asserted, negative_key
from argon_lang.ir.statements import Assert, AssertDerivable
from argon_lang.ir.values import Entity, Row, TupleValue, Value
from argon_lang.problems import Args
from argon_lang.program.types import Type
from argon_lang.runtime.base import Base, ReadPoint, layer_facts
from argon_lang.runtime.forms import facts_at
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.served import Served
from argon_lang.runtime.views import declared_claims
from argon_lang.store.protocol import DEFAULT, Change, Event, Op, WriteTransaction
from argon_lang.store.view import holds


@dataclass(frozen=True, slots=True)
class MintedEntity:
    """An individual that this transaction created."""

    entity: Entity
    concept: str


@dataclass(frozen=True, slots=True)
class GateRefusal(Exception):
    """A construction gate's refusal: a catalog code with its values (S7.4). Becomes `_WRITE_REFUSED`.

    `step` is the step of a batch that met it, counted from 1.
    """

    code: str
    args_: Args
    step: int | None = None


Later = dict[tuple[str, Value], dict[Row, datetime]]
"""What begins to hold after some instant: rows by key and first column, with the instant."""


@dataclass
class Work:
    """The working state. `instant` is the transaction's clock; `instants` are where gates and guard must hold.

    `asserted` are the rows that this transaction asserted; `touched` the fields whose values it changed, by key and
    subject; `constructed` who was made or classified, and under what; `dropped` the memberships and tuples that it
    closed; `doubts` the rows whose values an open world leaves undecided, each with the value, its place and its
    type. `before` is the state that it began from, at its own instant; `judge` is told what a test asserts on the way.
    The store's own transaction rolls everything back when the work is abandoned.
    """

    served: Served
    writer: WriteTransaction
    instant: datetime
    principal: str
    governor: Governor
    before: Reading | None = None
    judge: Callable[[Assert | AssertDerivable, Mapping[str, Value]], None] | None = None
    instants: set[datetime] = field(default_factory=set)
    minted: list[MintedEntity] = field(default_factory=list)
    emitted: list[tuple[str, Value]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    asserted: dict[tuple[str, Row], None] = field(default_factory=dict)
    touched: dict[tuple[str, Value], None] = field(default_factory=dict)
    constructed: dict[tuple[str, Value], None] = field(default_factory=dict)
    dropped: dict[tuple[str, Entity | TupleValue], None] = field(default_factory=dict)
    doubts: dict[tuple[str, Row], tuple[Value, str, Type]] = field(default_factory=dict)
    _bases: dict[datetime, Base] = field(default_factory=dict)
    _later: dict[datetime, Later] = field(default_factory=dict)
    _readings: dict[datetime, Reading] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """The transaction's own instant always counts."""
        self.instants.add(self.instant)
        self._latest: Model | None = None
        self.view = self.before.point.view if self.before is not None else DEFAULT
        if self.before is not None:
            self._bases[self.instant] = self.before.base.copy()
            self._latest = self.before.latest_model

    @property
    def reading(self) -> Reading:
        """A reader of the state now: fields at once, derived predicates by evaluation when first asked for."""
        return self.reading_at(self.instant)

    def base_at(self, at: datetime | None = None) -> Base:
        """Base facts at an instant (default: now), with everything that this transaction did so far."""
        instant = at or self.instant
        found = self._bases.get(instant)
        if found is None:
            found = self._bases[instant] = self._facts(instant)
        return found

    def _facts(self, instant: datetime) -> Base:
        return facts_at(self.served, self.writer, ReadPoint(instant, view=self.view), self.instant)

    def own_at(self, at: datetime | None = None) -> Base:
        """What the layer that is written says itself at an instant: all that a close can end."""
        if self.view == DEFAULT:
            return self.base_at(at)
        return layer_facts(self.served.module, self.writer, ReadPoint(at or self.instant), self.view)

    def reading_at(self, instant: datetime) -> Reading:
        """A reader of the state at a valid time, with everything that this transaction did so far."""
        found = self._readings.get(instant)
        if found is None:
            found = self._readings[instant] = Reading(
                self.served,
                self.base_at(instant),
                ReadPoint(instant, view=self.view),
                self.instant,
                self.governor,
                reader=self.writer,
                after=self._latest,
            )
        return found

    def passing(self, instant: datetime) -> Reading:
        """The same of an instant that is looked at once, when nothing more is written: nothing of it is kept but what
        makes the next one cheaper.
        """
        point, held = ReadPoint(instant, view=self.view), self._facts(instant)
        found = Reading(self.served, held, point, self.instant, self.governor, reader=self.writer, after=self._latest)
        self._latest = found.model
        return found

    def mint(self, concept: str) -> Entity:
        """A new individual. Its id is the transaction's number and an ordinal, never used again."""
        entity = Entity(f"#{self.writer.tx}.{self.writer.first_ordinal + len(self.minted) + 1}")
        self.minted.append(MintedEntity(entity, concept))
        return entity

    def assert_row(self, key: str, row: Row, at: datetime | None = None, until: datetime | None = None) -> None:
        """Assert a row from `at` (default: now) to `until` (default: for ever), unless it holds all that time."""
        begin = at or self.instant
        self.asserted[key, row] = None
        self.instants |= {begin, until or begin}
        if row in self.own_at(begin).of(key) and self._holds_on(key, row, begin, until):
            return
        self._append([self._change("assert", key, row, begin, until)])

    def close_rows(self, key: str, rows: Iterable[Row], at: datetime | None = None) -> None:
        """End the validity of rows at `at` (default: now); in a standpoint, of those that it says itself."""
        begin, own = at or self.instant, None if self.view == DEFAULT else self.own_at(at).of(key)
        self._append([self._change("close", key, row, begin) for row in rows if own is None or row in own])

    def refute_rows(self, key: str, rows: Iterable[Row], at: datetime | None = None) -> None:
        """Say of rows that they do not hold from `at` (default: now) on, unless that is said already."""
        begin = at or self.instant
        said = self.own_at(begin).of(negative_key(key))
        self.instants.add(begin)
        self._append([self._change("refute", key, row, begin) for row in rows if row not in said])

    def unsay(self, key: str, row: Row) -> None:
        """Let a row never have been said, in any standpoint: the events that say so are erased with it."""
        layers = dict.fromkeys(r.standpoint for r in self.writer.records() if (r.key, r.row) == (key, row))
        never = [Change("close", key, row, None, None, layer, self.principal, self.writer.fork) for layer in layers]
        self._append(never)
        self.asserted.pop((key, row), None)

    def note_erasure(self, path: str, count: int) -> None:
        """Log that facts of a concept or relation were erased, and how many."""
        self._append([Change("erase", path, (count,), None, None, self.view, self.principal, self.writer.fork)])

    def _change(self, op: Op, key: str, row: Row, begin: datetime, until: datetime | None = None) -> Change:
        return Change(op, key, row, begin, until, self.view, self.principal, self.writer.fork)

    def rows_at(self, key: str, at: datetime | None) -> Collection[Row]:
        """The asserted rows of a key, now or at another instant."""
        return self.base_at(at).of(key)

    def memberships(self, entity: Value, at: datetime | None = None) -> Iterator[str]:
        """The concepts under which an individual is asserted."""
        base = self.base_at(at)
        return (path for path in self.served.schema.concepts if base.holds(asserted(path), (entity,)))

    def from_now_on(self, key: str, subject: Value, at: datetime | None = None) -> tuple[Row, ...]:
        """The rows of a key about a subject that hold at an instant (default: now) or begin to hold later."""
        held = dict.fromkeys(self.base_at(at).about(key, subject))
        return tuple(held | dict.fromkeys(self._later_than(at).get((key, subject), {})))

    def next_value(self, key: str, row: Row, at: datetime | None = None) -> datetime | None:
        """When another row about the same subject next begins to hold."""
        later = self._later_than(at).get((key, row[0]), {})
        return min((begin for other, begin in later.items() if other != row), default=None)

    def _later_than(self, at: datetime | None) -> Later:
        instant = at or self.instant
        found = self._later.get(instant)
        if found is None:
            found = self._later[instant] = {}
            for key, row, begin in self._beginnings():
                _note_later(found, instant, key, row, begin)
        return found

    def _beginnings(self) -> Iterator[tuple[str, Row, datetime | None]]:
        hidden = set[tuple[str, Row]]()
        for record in self.writer.records():
            if record.standpoint == self.view and record.kind == "fact":
                yield record.key, record.row, record.valid_from
            elif record.standpoint == self.view and record.kind == "hide" and record.valid_to is None:
                hidden.add((record.key, record.row))
        for fact in self._declared():
            if fact.start is not None and (fact.key, fact.row) not in hidden:
                yield fact.key, fact.row, fact.start

    def _holds_on(self, key: str, row: Row, begin: datetime, until: datetime | None) -> bool:
        """Does a row that holds at `begin` hold up to `until`, by one declaration or one record?"""
        hidden, ends = False, list[datetime | None]()
        for record in self.writer.records():
            if (record.key, record.row, record.standpoint) != (key, row, self.view):
                continue
            if record.kind == "fact" and holds(record, begin):
                ends.append(record.valid_to)
            hidden = hidden or (record.kind == "hide" and (record.valid_to is None or record.valid_to > begin))
        if not hidden:
            ends += [fact.end for fact in self._declared_facts(key, row) if _begun(fact.start, begin)]
        return any(end is None or (until is not None and until <= end) for end in ends)

    def replay(self, events: Sequence[Event]) -> None:
        """Take events of another branch over as they are, and note of them what their statements would have noted."""
        self.writer.replay(events)
        self.events.extend(events)
        for event in events:
            self._note_replayed(event.change)
        self._carry([event.change for event in events])

    def _note_replayed(self, change: Change) -> None:
        key, row, schema = change.key, change.row, self.served.schema
        path = key.removesuffix("^")
        if change.op == "assert":
            self.asserted[key, row] = None
            self.instants |= {change.valid_to} if change.valid_to is not None else set()
        if not key.endswith("^") or change.op not in ("assert", "close"):
            return
        subject: Entity | TupleValue
        if path in schema.relations:
            subject = TupleValue(schema.tuple_root(path), row)
        elif isinstance(row[0], Entity):
            subject = row[0]
        else:
            return
        if change.op == "close":
            self.dropped[path, subject] = None
            return
        self.constructed[path, subject] = None
        if isinstance(subject, Entity) and subject.id.startswith("#") and not any(self.memberships(subject)):
            self.minted.append(MintedEntity(subject, path))

    def _declared(self) -> Iterable[Fact]:
        """What the module declares in the layer that is written."""
        return (claim.fact for claim in declared_claims(self.served.module, self.view) if not claim.against)

    def _declared_facts(self, key: str, row: Row) -> Iterable[Fact]:
        if self.view == DEFAULT:
            return self.served.schema.declared_facts(key, row)
        return [fact for fact in self._declared() if (fact.key, fact.row) == (key, row)]

    def _append(self, changes: list[Change]) -> None:
        self.events.extend(self.writer.append(changes))
        self._carry(changes)

    def _carry(self, changes: list[Change]) -> None:
        for change in changes:
            self.instants.add(change.valid_from or self.instant)
            self._note(change)
            for instant, base in self._bases.items():
                if change.op == "close" and self.view != DEFAULT:
                    self._bases[instant] = self._facts(instant)
                    self._forget(instant)
                elif _apply(base, change, instant):
                    self._forget(instant)
            for instant, later in self._later.items():
                if change.op == "assert":
                    _note_later(later, instant, change.key, change.row, change.valid_from)
                elif change.op == "close":
                    later.get((change.key, change.row[0]), {}).pop(change.row, None)

    def _note(self, change: Change) -> None:
        if change.op in ("assert", "close") and change.key in self.served.schema.fields:
            self.touched[change.key, change.row[0]] = None

    def _forget(self, instant: datetime) -> None:
        """The state at an instant changed: it needs another reading, whose model may start from the one that was."""
        reading = self._readings.pop(instant, None)
        if reading is not None and reading.latest_model is not None:
            self._latest = reading.latest_model


def _begun(start: datetime | None, instant: datetime) -> bool:
    return start is None or start <= instant


def _note_later(later: Later, instant: datetime, key: str, row: Row, begin: datetime | None) -> None:
    if begin is not None and begin > instant:
        known = later.setdefault((key, row[0]), {})
        known[row] = min(begin, known.get(row, begin))


def _apply(base: Base, change: Change, instant: datetime) -> bool:
    """Carry a change over into the base facts of an instant; was it concerned?"""
    if change.op in ("erase", "erased") or not _begun(change.valid_from, instant):
        return False
    if change.op == "close":
        base.remove(change.key, [change.row])
        return True
    if change.valid_to is not None and change.valid_to <= instant:
        return False
    base.add(negative_key(change.key) if change.op == "refute" else change.key, [change.row])
    return True
