"""Base facts at one read point: what the module declares and what the store logged, minus what the log hides (S1.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from argon_lang.ir.module import Fact, Module
from argon_lang.ir.values import Row
from argon_lang.store.protocol import Reader

Base = dict[str, dict[Row, None]]
"""Rows by predicate key, each once, in a stable order (declared first, then by assertion)."""


@dataclass(frozen=True, slots=True)
class ReadPoint:
    """Where a read stands in the two times. `tx` None is the head; `view` is a standpoint (only `default` so far)."""

    valid_at: datetime
    tx: int | None = None
    view: str = "default"


def declared_at(module: Module, instant: datetime) -> Iterator[Fact]:
    """The module's facts that are valid at `instant`."""
    for fact in module.facts:
        if (fact.start is None or fact.start <= instant) and (fact.end is None or instant < fact.end):
            yield fact


def base_facts(module: Module, reader: Reader, point: ReadPoint) -> Base:
    """Everything asserted that holds at the read point."""
    base: Base = {}
    for fact in declared_at(module, point.valid_at):
        base.setdefault(fact.key, {})[fact.row] = None
    _subtract(base, reader.hidden(point.valid_at, point.tx))
    for key, rows in reader.facts(point.valid_at, point.tx).items():
        base.setdefault(key, {}).update(dict.fromkeys(rows))
    return base


def _subtract(base: Base, hidden: Mapping[str, Sequence[Row]]) -> None:
    for key, rows in hidden.items():
        live = base.get(key)
        for row in rows if live else ():
            live.pop(row, None)  # type: ignore[union-attr]  # guarded by the loop's condition


def next_change(module: Module, reader: Reader, point: ReadPoint) -> datetime | None:
    """The first instant after the read point at which some base fact begins or ends to hold (S1.6)."""
    edges = [edge for edge in _edges(module.facts) if edge > point.valid_at]
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
