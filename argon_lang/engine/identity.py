"""When are two values the same? One key per value, shared by interning, `==`, `in` and `distinct`.

Equal numbers of Int, Real and Decimal are the same value; a Bool is no number, an f64 is apart, and an amount of money
is no plain number. Python's own equality would mix them (`True == 1 == 1.0`), hence the tags.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

from argon_lang.ir.values import Entity, EnumValue, MapValue, Money, RangeValue, StructValue, TupleValue, Value

T = TypeVar("T", bound=Any)
_PLAIN = frozenset({int, str, date, datetime, timedelta, Entity, Money, Fraction, Decimal, type(None)})


def identity(value: Value) -> Hashable:
    """A hashable key, equal for two values exactly when the language holds them to be the same."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    match value:
        case bool() | float():
            return (kind, value)
        case tuple():
            return (tuple, *map(identity, value))
        case frozenset():
            return (frozenset, frozenset(map(identity, value)))
        case EnumValue(path, variant, payload):
            return (EnumValue, path, variant, *map(identity, payload))
        case StructValue(path, fields):
            return (StructValue, path, *((name, identity(part)) for name, part in fields))
        case TupleValue(relation, ends):
            return (TupleValue, relation, *map(identity, ends))
        case MapValue(entries):
            return (MapValue, frozenset(map(identity, entries)))
        case RangeValue(start, end):
            return (RangeValue, identity(start), identity(end))
        case _:
            return value


def kept_apart(values: Iterable[T]) -> frozenset[T] | None:
    """The values as a set; None where it would mix up two that are not the same, such as true and 1.

    Python holds these to be equal. They meet only where values of any type are gathered (`Set<Top>`).
    """
    listed = list({identity(each): each for each in values}.values())
    found = frozenset(listed)
    return found if len(found) == len(listed) else None


def same(left: Value, right: Value) -> bool:
    """The language's `==`. A Date equals the instant at which it begins (UTC)."""
    if type(left) is type(right) and type(left) in _PLAIN:
        return left == right
    if isinstance(left, date) and isinstance(right, date):
        return instant(left) == instant(right)
    return identity(left) == identity(right)


def instant(value: date) -> tuple[int, int]:
    """A date or an aware datetime as (day number, microseconds of that UTC day); a Date is its midnight."""
    if not isinstance(value, datetime):
        return (value.toordinal(), 0)
    offset = value.utcoffset() or timedelta()
    day = timedelta(days=value.toordinal(), hours=value.hour, minutes=value.minute, seconds=value.second) - offset
    return (day.days, day.seconds * 1_000_000 + value.microsecond)
