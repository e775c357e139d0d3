"""Base facts at one read point: what the module declares and what the store logged, minus what the log hides (S1.5).

What is said against a row stands under the negative key of its own (`argon_lang.ir.names`): base rows like others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from argon_lang.ir.lattice import layers_of
from argon_lang.ir.module import DEFAULT, Fact, Module
from argon_lang.ir.names import negative_key
from argon_lang.ir.values import Row, Value
from argon_lang.runtime.views import declared_claims, valid
from argon_lang.store.protocol import Reader


class Base:
    """Base facts of one state: rows by predicate key, each once, declared ones first, then by assertion.

    A transaction changes its own; one that readers share is never changed.
    """

    __slots__ = ("_subjects", "rows")

    def __init__(self) -> None:
        """No facts."""
        self.rows: dict[str, dict[Row, None]] = {}
        self._subjects: dict[str, dict[Value, dict[Row, None]]] = {}

    def copy(self) -> Base:
        """The same facts, to be changed apart; the rows are the same objects."""
        made = Base()
        made.rows = {key: dict(rows) for key, rows in self.rows.items()}
        return made

    def of(self, key: str) -> Collection[Row]:
        """The rows of a key."""
        return self.rows.get(key, _NO_ROWS)

    def holds(self, key: str, row: Row) -> bool:
        """Is this row among them?"""
        return row in self.rows.get(key, _NO_ROWS)

    def about(self, key: str, subject: Value) -> tuple[Row, ...]:
        """The rows of a key whose first column is `subject`: the values of one individual's field."""
        return tuple(self._by_subject(key).get(subject, ()))

    def add(self, key: str, rows: Iterable[Row]) -> None:
        """Add rows; those already there keep their place."""
        rows = tuple(rows)
        self.rows.setdefault(key, {}).update(dict.fromkeys(rows))
        if key in self._subjects:
            for row in rows:
                self._subjects[key].setdefault(row[0], {})[row] = None

    def remove(self, key: str, rows: Iterable[Row]) -> None:
        """Remove the rows that are there."""
        held = self.rows.get(key, {})
        for row in rows:
            if row in held:
                del held[row]
                if key in self._subjects:
                    del self._subjects[key][row[0]][row]

    def _by_subject(self, key: str) -> dict[Value, dict[Row, None]]:
        index = self._subjects.get(key)
        if index is None:
            index = {}
            for row in self.of(key):
                index.setdefault(row[0], {})[row] = None
            self._subjects[key] = index
        return index


_NO_ROWS: dict[Row, None] = {}


@dataclass(frozen=True, slots=True)
class ReadPoint:
    """Where a read stands in the two times. `tx` None is the head; `view` is a standpoint by its path, or default."""

    valid_at: datetime
    tx: int | None = None
    view: str = DEFAULT


def base_facts(module: Module, reader: Reader, point: ReadPoint) -> Base:
    """Everything asserted that holds at the read point in its view, and what is said against, under negative keys."""
    base, layers = Base(), layers_of(module.standpoints, point.view)
    for layer in layers:
        _declared(module, reader, point, layer, base)
    for key, rows in reader.facts(point.valid_at, point.tx, layers).items():
        base.add(key, rows)
    for key, rows in reader.refuted(point.valid_at, point.tx, layers).items():
        base.add(negative_key(key), rows)
    return base


def layer_facts(module: Module, reader: Reader, point: ReadPoint, layer: str) -> Base:
    """What one layer says itself, apart from what is below it."""
    base = Base()
    _declared(module, reader, point, layer, base)
    for key, rows in reader.facts(point.valid_at, point.tx, (layer,)).items():
        base.add(key, rows)
    for key, rows in reader.refuted(point.valid_at, point.tx, (layer,)).items():
        base.add(negative_key(key), rows)
    return base


def _declared(module: Module, reader: Reader, point: ReadPoint, layer: str, base: Base) -> None:
    """What the module declares in one layer and no logged delete of that layer hides."""
    found: dict[str, dict[Row, None]] = {}
    against: dict[str, dict[Row, None]] = {}
    for claim in declared_claims(module, layer):
        if valid(claim.fact, point.valid_at):
            held = against if claim.against else found
            held.setdefault(claim.fact.key, {})[claim.fact.row] = None
    for key, rows in reader.hidden(point.valid_at, point.tx, (layer,)).items():
        held_rows = found.get(key, {})
        for row in rows:
            held_rows.pop(row, None)
    for key, listed in found.items():
        base.add(key, listed)
    for key, listed in against.items():
        base.add(negative_key(key), listed)


def next_change(module: Module, reader: Reader, point: ReadPoint) -> datetime | None:
    """The first instant after the read point at which some base fact begins or ends to hold (S1.6)."""
    declared = (*module.facts, *(claim.fact for claim in module.claims))
    edges = [edge for edge in _edges(declared) if edge > point.valid_at]
    logged = reader.next_boundary(point.valid_at, point.tx)
    return min([*edges, *([logged] if logged else [])], default=None)


def _edges(facts: Iterable[Fact]) -> Iterator[datetime]:
    for fact in facts:
        if fact.start is not None:
            yield fact.start
        if fact.end is not None:
            yield fact.end


def next_midnight(instant: datetime) -> datetime:
    """The first UTC midnight after `instant`: when `today()` next changes."""
    day = instant.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return day + timedelta(days=1)


def instant_of(value: Value) -> datetime:
    """A date or date-time as an instant: a Date is midnight UTC (S1.3)."""
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    raise TypeError(f"not an instant: {value!r}")
