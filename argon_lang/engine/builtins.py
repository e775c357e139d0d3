"""What each intrinsic does; `argon_lang.program.intrinsics` says what it takes and gives (a test compares the two).

An implementation gets the receiver and arguments as values, already of one of its signatures' types. One that has no
result for some of them (`fallible`) raises `ARGON_RUNTIME_ARITHMETIC`; the rule compiler evaluates such an expression
only after the literals that are written before it, so that an author can guard it.
"""

from __future__ import annotations

import calendar
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any, Protocol

from argon_lang.engine import collections, exact, rows
from argon_lang.ir.values import Money, Value


class HasClock(Protocol):
    """What an implementation may ask of the evaluation: its instant (aware, UTC)."""

    @property
    def clock(self) -> datetime:
        """The one instant of this evaluation."""


@dataclass(frozen=True, slots=True)
class BuiltinFunction:
    """`call(context, *args)`. `fallible`: it may raise for arguments of the right types."""

    name: str
    call: Callable[..., Value]
    fallible: bool = False


def _today(context: HasClock) -> Value:
    return context.clock.astimezone(UTC).date()


def _now(context: HasClock) -> Value:
    return context.clock.astimezone(UTC)


def _unit(size: timedelta) -> Callable[..., Value]:
    def convert(_: HasClock, value: Any) -> Value:
        if isinstance(value, timedelta):
            return abs(value) // size * (-1 if value < timedelta() else 1)
        return exact.multiply(size, value)

    return convert


def _utc(value: Any) -> Any:
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def _part(name: str) -> Callable[..., Value]:
    def read(_: HasClock, value: Any) -> Value:
        return int(getattr(_utc(value), name))

    return read


def _add_months(_: HasClock, start: Any, months: int) -> Value:
    start = _utc(start)
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        exact.fail("add_months", "a date beyond the calendar (years 1 to 9999)")
    last = calendar.monthrange(year, month + 1)[1]
    moved: date = start.replace(year=year, month=month + 1, day=min(start.day, last))
    return moved


def _add_years(context: HasClock, start: Any, years: int) -> Value:
    return _add_months(context, start, 12 * years)


def _abs(_: HasClock, value: Any) -> Value:
    return value if _sign(_, value) >= 0 else exact.negate(value)


def _sign(_: HasClock, value: Any) -> int:
    zero: Any = timedelta() if isinstance(value, timedelta) else 0
    size = value.amount if isinstance(value, Money) else value
    return int(size > zero) - int(size < zero)


def _before(left: Any, right: Any) -> bool:
    return bool(left < right)


def _min(_: HasClock, left: Any, right: Any) -> Value:
    return right if _before(right, left) else left  # type: ignore[no-any-return]


def _max(_: HasClock, left: Any, right: Any) -> Value:
    return right if _before(left, right) else left  # type: ignore[no-any-return]


def _rounding(mode: str) -> Callable[..., Value]:
    def apply(_: HasClock, value: Any, places: int | None = None) -> Value:
        if isinstance(value, Money):
            return Money(exact.rounded(exact.fraction(value.amount), places or 0, mode))
        ratio = exact.fraction(value)
        return exact.whole(ratio, mode) if places is None else exact.rounded(ratio, places, mode)

    return apply


def _pow(_: HasClock, base: Any, exponent: int) -> Value:
    return exact.power(base, exponent)


def _gcd(_: HasClock, left: int, right: int) -> Value:
    return math.gcd(left, right)


def _to_int(_: HasClock, value: Any) -> Value:
    ratio = Fraction(value) if isinstance(value, float) else exact.fraction(value)
    return int(ratio) if ratio.denominator == 1 else exact.fail("to_int", "a number that is not whole")


def _to_real(_: HasClock, value: Any) -> Value:
    return Fraction(value) if isinstance(value, float) else exact.fraction(value)


def _to_decimal(_: HasClock, value: Any) -> Value:
    if isinstance(value, Money):
        return value.amount
    plain = exact.finite_decimal(Fraction(value) if isinstance(value, float) else exact.fraction(value))
    return exact.fail("to_decimal", "a number without finite decimals") if plain is None else plain


def _to_money(context: HasClock, value: Any) -> Value:
    plain = exact.finite_decimal(exact.fraction(value))
    return exact.fail("to_money", "a number without finite decimals") if plain is None else Money(plain)


def _to_f64(_: HasClock, value: Any) -> Value:
    try:
        return float(exact.fraction(value))
    except OverflowError:
        exact.fail("to_f64", "a number too large for f64")


def _amount(_: HasClock, value: Money) -> Value:
    return value.amount


def _text(method: Callable[[str], str]) -> Callable[..., Value]:
    def apply(_: HasClock, value: str) -> Value:
        return method(value)

    return apply


_UNITS = {
    "weeks": timedelta(weeks=1),
    "days": timedelta(days=1),
    "hours": timedelta(hours=1),
    "minutes": timedelta(minutes=1),
    "seconds": timedelta(seconds=1),
}
_ROUNDINGS = {
    "round": "half_away",
    "round_half_even": "half_even",
    "trunc": "trunc",
    "floor": "floor",
    "ceil": "ceil",
}
_TABLE = (
    BuiltinFunction("today", _today),
    BuiltinFunction("now", _now),
    *(BuiltinFunction(name, _unit(size), fallible=True) for name, size in _UNITS.items()),
    *(BuiltinFunction(name, _part(name)) for name in ("year", "month", "day", "hour", "minute", "second")),
    BuiltinFunction("weekday", lambda _, value: _utc(value).isoweekday()),
    BuiltinFunction("date", lambda _, value: _utc(value).date()),
    BuiltinFunction("midnight", lambda _, value: exact.as_instant(value)),
    BuiltinFunction("add_months", _add_months, fallible=True),
    BuiltinFunction("add_years", _add_years, fallible=True),
    BuiltinFunction("abs", _abs),
    BuiltinFunction("sign", _sign),
    BuiltinFunction("min", _min),
    BuiltinFunction("max", _max),
    *(BuiltinFunction(name, _rounding(mode), fallible=True) for name, mode in _ROUNDINGS.items()),
    BuiltinFunction("pow", _pow, fallible=True),
    BuiltinFunction("gcd", _gcd),
    BuiltinFunction("to_int", _to_int, fallible=True),
    BuiltinFunction("to_real", _to_real),
    BuiltinFunction("to_decimal", _to_decimal, fallible=True),
    BuiltinFunction("to_money", _to_money, fallible=True),
    BuiltinFunction("to_f64", _to_f64, fallible=True),
    BuiltinFunction("amount", _amount),
    BuiltinFunction("upper", _text(str.upper)),
    BuiltinFunction("lower", _text(str.lower)),
    BuiltinFunction("trim", _text(str.strip)),
    BuiltinFunction("starts_with", lambda _, value, part: value.startswith(part)),
    BuiltinFunction("ends_with", lambda _, value, part: value.endswith(part)),
    *(BuiltinFunction(*row) for row in (*collections.TABLE, *rows.TABLE)),
)

BUILTINS: dict[str, BuiltinFunction] = {entry.name: entry for entry in _TABLE}
