"""One total order over all values: the canonical order of rows (semantics S1.7).

Absent < Bool < numbers (by value, an f64 among them after an equal exact one) < Money < String < dates and instants (by
time, a Date before the instant at which it begins) < Duration < individuals (declared ones by path, then minted ones by
transaction and ordinal) < enum values < structs < relation tuples < lists < sets < maps < ranges.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from argon_lang.engine.identity import instant
from argon_lang.ir.values import Entity, EnumValue, MapValue, Money, RangeValue, Row, StructValue, TupleValue, Value

SortKey = tuple[Any, ...]


def sort_key(value: Value) -> SortKey:
    """A key whose order is the canonical order; equal keys only for equal values."""
    match value:
        case None:
            return (0,)
        case bool():
            return (1, value)
        case int() | Fraction() | Decimal():
            return (2, value, 0)
        case float():
            return (2, value, 1)
        case Money(amount):
            return (3, amount)
        case str():
            return (4, value)
        case datetime():
            return (5, instant(value), 1)
        case date():
            return (5, instant(value), 0)
        case timedelta():
            return (6, value)
        case Entity(id_):
            return (7, *_entity(id_))
        case _:
            return _structured(value)


def _entity(id_: str) -> SortKey:
    """Declared paths first; a minted `#<tx>.<ordinal>` by its two numbers."""
    if id_.startswith("#"):
        tx, _, ordinal = id_[1:].partition(".")
        if tx.isdecimal() and ordinal.isdecimal():
            return (1, int(tx), int(ordinal), id_)
        return (2, id_)
    return (0, id_)


def _structured(value: Value) -> SortKey:
    match value:
        case EnumValue(path, variant, payload):
            return (8, path, variant, row_key(payload))
        case StructValue(path, fields):
            return (9, path, tuple((name, sort_key(part)) for name, part in fields))
        case TupleValue(relation, ends):
            return (10, relation, row_key(ends))
        case tuple():
            return (11, row_key(value))
        case frozenset():
            return (12, tuple(sorted(map(sort_key, value))))
        case MapValue(entries):
            return (13, tuple(sorted(map(row_key, entries))))
        case RangeValue(start, end):
            return (14, sort_key(start), sort_key(end))
        case _:
            raise TypeError(type(value).__name__)


def row_key(row: Iterable[Value]) -> SortKey:
    """The key of a row: column by column."""
    return tuple(map(sort_key, row))


def sort_rows(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows in canonical order."""
    return tuple(sorted(rows, key=row_key))
