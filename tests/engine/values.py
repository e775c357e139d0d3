"""Sample values by type, and whether a value is one of a type."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from argon_lang.ir.values import MapValue, Money, RangeValue
from argon_lang.program import types as t

INTS = st.integers(-(10**30), 10**30)
DECIMALS = st.builds(
    lambda units, places: Decimal(units).scaleb(-places), st.integers(-(10**24), 10**24), st.integers(0, 9)
)
REALS = st.fractions(max_denominator=10**9)
EXACT = st.one_of(INTS, DECIMALS, REALS)
MONEY = DECIMALS.map(Money)

SAMPLES: dict[t.Type, tuple[Any, ...]] = {
    t.BOOL: (True, False),
    t.NAT: (0, 1, 7),
    t.INT: (-2, 0, 3),
    t.DECIMAL: (Decimal("-1.25"), Decimal("0.00"), Decimal("2.5")),
    t.REAL: (Fraction(-1, 3), Fraction(0), Fraction(7, 2)),
    t.MONEY: (Money(Decimal("-3.10")), Money(Decimal("0.00")), Money(Decimal("12.50"))),
    t.FLOAT: (-1.5, 0.0, 2.25),
    t.STRING: ("", "abc"),
    t.DATE: (date(2024, 2, 29), date(2026, 1, 31)),
    t.DATETIME: (datetime(2026, 1, 31, 12, 30, tzinfo=UTC),),
    t.DURATION: (timedelta(0), timedelta(days=-3, hours=5)),
    t.ListOf(t.INT): ((), (1, 2)),
    t.SetOf(t.INT): (frozenset(), frozenset({1, 2})),
    t.OptionOf(t.INT): (None, 4),
    t.ListOf(t.STRING): ((), ("a", "b")),
    t.Applied("Map", (t.INT, t.INT)): (MapValue(frozenset()), MapValue(frozenset({(1, 5), (3, 5)}))),
    t.Applied("Range", (t.DATE,)): (RangeValue(date(2026, 1, 31), date(2026, 2, 2)),),
    t.FnOf((t.INT,), t.INT): (lambda x: x * 2,),
    t.FnOf((t.INT,), t.BOOL): (lambda x: x > 1,),
    t.FnOf((t.INT,), t.ListOf(t.INT)): (lambda x: (x, 2),),
    t.FnOf((t.INT,), t.OptionOf(t.INT)): (lambda x: x if x > 1 else None,),
    t.FnOf((t.INT, t.INT), t.INT): (lambda x, y: x - y,),
    t.FnOf((t.INT, t.INT), t.BOOL): (lambda x, y: x < y,),
    t.FnOf((t.INT, t.INT, t.INT), t.INT): (lambda x, y, z: x - y * z,),
}
for _bound in (t.NAT, t.INT):
    SAMPLES[t.Applied("Range", (_bound,))] = (RangeValue(0, 0), RangeValue(1, 4))

_CLASSES: dict[t.Type, type] = {
    t.BOOL: bool,
    t.NAT: int,
    t.INT: int,
    t.DECIMAL: Decimal,
    t.REAL: Fraction,
    t.MONEY: Money,
    t.FLOAT: float,
    t.STRING: str,
    t.DATE: date,
    t.DATETIME: datetime,
    t.DURATION: timedelta,
}


def fits(value: Any, ty: t.Type) -> bool:
    """Is it a value of exactly this type?"""
    if isinstance(ty, t.OptionOf):
        return value is None or fits(value, ty.inner)
    match ty:
        case t.ListOf(element):
            return isinstance(value, tuple) and all(fits(each, element) for each in value)
        case t.SetOf(element):
            return isinstance(value, frozenset) and all(fits(each, element) for each in value)
        case t.Applied("Map", (key, part)):
            return isinstance(value, MapValue) and all(fits(a, key) and fits(b, part) for a, b in value.entries)
        case t.Applied("Range", (bound,)):
            return isinstance(value, RangeValue) and fits(value.start, bound) and fits(value.end, bound)
    return type(value) is _CLASSES[ty] and (ty != t.NAT or (isinstance(value, int) and value >= 0))
