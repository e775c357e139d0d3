"""Queries `across` standpoints: the views of each, and of all above them, joined by ⊕ (semantics S2.3, S2.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from argon_lang.engine.order import SortKey, row_key, sort_key
from argon_lang.ir.lattice import layers_of
from argon_lang.ir.module import DEFAULT, Query
from argon_lang.ir.values import Row, Value
from argon_lang.program.types import UNKNOWN
from argon_lang.runtime.questions import at_query, window
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.truth import Told, Truth4, answered, told

_STRENGTH: dict[Truth4, frozenset[str]] = {
    "Can": frozenset(),
    "Is": frozenset({"for"}),
    "Not": frozenset({"against"}),
    "Both": frozenset({"for", "against"}),
}
"""What a truth value knows; joining adds it up."""


def join(left: Truth4, right: Truth4) -> Truth4:
    """x ⊕ y: the information of both."""
    known = _STRENGTH[left] | _STRENGTH[right]
    return next(name for name, held in _STRENGTH.items() if held == known)


def views_of(reading: Reading, query: Query) -> tuple[str, ...]:
    """The standpoints whose views are joined: those named and all above them, each once."""
    lattice = reading.served.module.standpoints
    found = dict.fromkeys(each for name in query.across for each in layers_of(lattice, name) if each != DEFAULT)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the joined answer; `order` are the values that the query's `order by` asks for."""

    told: Told
    order: Row


def across(reading: Reading, query: Query, arguments: Sequence[Value]) -> list[Told]:
    """The rows of a query in all of its views, joined. Raises what `ask` raises."""
    found: dict[tuple[SortKey, int], _Row] = {}
    for view in views_of(reading, query):
        state = reading.at(replace(reading.point, view=view))
        seen: Counter[SortKey] = Counter()
        for each in _rows(state, query, arguments):
            name = row_key(each.told.row)
            place = (name, 0 if query.distinct else seen[name])
            seen[name] += 1
            known = found.get(place)
            found[place] = each if known is None else _joined(known, each)
    ordered = [found[place] for place in sorted(found)]
    for index, key in reversed(list(enumerate(query.order))):
        ordered = _ranked(ordered, index, descending=key.descending)
    return _windowed(reading, query, [each.told for each in ordered], arguments)


def _ranked(rows: list[_Row], index: int, *, descending: bool) -> list[_Row]:
    return sorted(rows, key=lambda each: sort_key(each.order[index]), reverse=descending)


def _joined(one: _Row, other: _Row) -> _Row:
    truth = join(one.told.truth4, other.told.truth4)
    return replace(one, told=replace(one.told, truth4=truth, tag=one.told.tag or other.told.tag))


def _rows(state: Reading, query: Query, arguments: Sequence[Value]) -> Iterator[_Row]:
    """The rows of one view. What is ordered by is asked for as further columns."""
    if query.extent is not None:
        yield from (_Row(each, ()) for each in told(at_query(state, query, arguments), query.extent))
        return
    own = replace(query, across=(), result="many", order=(), limit=None, offset=None)
    if query.operands:
        names = [name for name, _, _ in query.columns]
        for each in answered(state, own, arguments)[0]:
            env = dict(zip(names, each.row, strict=True))
            yield _Row(each, tuple(state.shown(key.expr, env) for key in query.order))
        return
    more = tuple((f"order {index}", UNKNOWN, key.expr) for index, key in enumerate(query.order))
    width = len(query.columns)
    for each in answered(state, replace(own, columns=(*query.columns, *more)), arguments)[0]:
        yield _Row(replace(each, row=each.row[:width]), each.row[width:])


def _windowed(reading: Reading, query: Query, rows: list[Told], arguments: Sequence[Value]) -> list[Told]:
    """`limit` and `offset` count the rows that are; the others stay beside them."""
    if query.limit is None and query.offset is None:
        return rows
    inputs = query.rule.inputs if query.rule is not None else ()
    given = dict(zip(inputs, arguments, strict=False))
    kept = {id(each) for each in window(reading, query, [each for each in rows if each.truth4 == "Is"], given)}
    return [each for each in rows if each.truth4 != "Is" or id(each) in kept]
