"""Run-time values (semantics S8.1). Immutable and hashable, so that rows are tuples of them.

| type | Python value |
|---|---|
| Bool, String, Date, DateTime, Duration | `bool`, `str`, `date`, aware UTC `datetime`, `timedelta` |
| Int, Nat · Real · Decimal · f64 | `int` · `Fraction` · `Decimal` (exact: never rounded to a context) · `float` |
| Money | `Money` (apart from plain numbers) |
| individual · relation tuple | `Entity` · `TupleValue` |
| enum · struct | `EnumValue` · `StructValue` |
| `[T]` · `Set<T>` · absent `T?` | `tuple` · `frozenset` · `None` |
| `Map<K, V>` · `Range<T>` | `MapValue` · `RangeValue` |

Numbers compare by value across Int, Real and Decimal (Python's numeric tower does so exactly); a Bool is no number.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from argon_lang.program.types import DURATION, FLOAT, MONEY, Type


@dataclass(frozen=True, slots=True, order=True)
class Entity:
    """An individual. A declared one's id is its path (`pkg::alice`); a minted one's is `#<tx>.<ordinal>`."""

    id: str


@dataclass(frozen=True, slots=True, order=True)
class Money:
    """An exact amount of money; scale as written, two places after a division."""

    amount: Decimal


@dataclass(frozen=True, slots=True)
class EnumValue:
    """`path` is the enum's, `variant` the bare name; `payload` positional, or (name, value) pairs for named fields."""

    path: str
    variant: str
    payload: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class StructValue:
    """Structural data: fields in declaration order."""

    path: str
    fields: tuple[tuple[str, Value], ...]

    def get(self, name: str) -> Value:
        """The named field. Raises KeyError when the struct has no such field (a compiler bug)."""
        for key, value in self.fields:
            if key == name:
                return value
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class TupleValue:
    """A relation tuple as an individual: its identity is relation and endpoint values (language §3.3)."""

    relation: str
    ends: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class MapValue:
    """A map: pairs of a key and its value, each key once. Its order is that of its keys."""

    entries: frozenset[tuple[Value, Value]]


@dataclass(frozen=True, slots=True)
class RangeValue:
    """The values from `start` up to `end`, `end` not among them."""

    start: Value
    end: Value


Value = (
    bool
    | int
    | Fraction
    | Decimal
    | float
    | Money
    | str
    | date
    | datetime
    | timedelta
    | Entity
    | EnumValue
    | StructValue
    | TupleValue
    | MapValue
    | RangeValue
    | tuple["Value", ...]
    | frozenset["Value"]
    | None
)
Row = tuple[Value, ...]


def zero_of(type_: Type) -> Value:
    """The sum of nothing."""
    zeros: dict[Type, Value] = {MONEY: Money(Decimal("0.00")), DURATION: timedelta(), FLOAT: 0.0}
    return zeros.get(type_, 0)
