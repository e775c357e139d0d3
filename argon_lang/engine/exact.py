"""Exact arithmetic (language §3.10): no operation rounds unless its definition says so.

Int is `int`, Real a `Fraction`, Decimal a `Decimal` that is never rounded to a context: its operations run in a context
whose precision no number reaches, with inexact results trapped. Money rounds only when it is divided, or multiplied by
a number without finite decimals: half-even, two places. f64 follows IEEE 754, except that an infinite or undefined
result is an error.

Every function raises `ArgonError` `ARGON_RUNTIME_ARITHMETIC` (placeholders `found`, `construct`) where there is no
result, and `ARGON_RUNTIME_INTERNAL` for operand types that no checked program has.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

from argon_lang.engine.identity import kept_apart
from argon_lang.errors import ArgonError
from argon_lang.ir.values import Money, Value
from argon_lang.problems import args

MAX_BITS = 1_000_000
"""Numbers over this size (300,000 digits) are refused: each step on them would take seconds."""

Number = int | Fraction | Decimal
_CONTEXT = decimal.Context(
    prec=MAX_BITS // 3,
    Emax=decimal.MAX_EMAX,
    Emin=decimal.MIN_EMIN,
    rounding=decimal.ROUND_HALF_EVEN,
    traps=[decimal.Inexact, decimal.InvalidOperation, decimal.Overflow, decimal.DivisionByZero],
)
_WIDEST_EXPONENT = MAX_BITS // 4
_BITS_OF_FIVE = math.log2(5)


def fail(construct: str, found: str) -> NoReturn:
    """Refuse the calculation `construct`, because of `found`."""
    raise ArgonError(
        "ARGON_RUNTIME_ARITHMETIC", args(construct=construct, found=found), details={"operation": construct}
    )


def together(construct: str, values: Iterable[Any]) -> frozenset[Any]:
    """The values as a set. Refuses two that differ in type alone: a set would take one of them for the other."""
    found = kept_apart(values)
    return fail(construct, "values that differ in type alone, such as true and 1") if found is None else found


def no_operation(op: str, *operands: Value) -> NoReturn:
    """Operands that no checked program has."""
    kinds = ", ".join(type(operand).__name__ for operand in operands)
    raise ArgonError("ARGON_RUNTIME_INTERNAL", args(found=f"no operation {op} on {kinds}"))


def is_number(value: Value) -> bool:
    """An exact number (no Bool, no f64, no Money)?"""
    return isinstance(value, int | Fraction | Decimal) and not isinstance(value, bool)


def fraction(value: Value) -> Fraction:
    """An exact number as a rational."""
    if isinstance(value, Decimal):
        if abs(value.adjusted()) > _WIDEST_EXPONENT:
            fail(str(value), "a number with too many digits")
        return Fraction(value)
    if isinstance(value, int | Fraction):
        return Fraction(value)
    no_operation("Real", value)


def _bounded(value: Number, op: str) -> Number:
    """`value`, unless it has grown beyond `MAX_BITS`."""
    if isinstance(value, int):
        size = value.bit_length()
    elif isinstance(value, Fraction):
        size = value.numerator.bit_length() + value.denominator.bit_length()
    else:
        return value
    if size > MAX_BITS:
        fail(op, "a number with too many digits")
    return value


def _plain(op: str, left: Value, right: Value) -> Number | None:
    """`+ - *` of two exact numbers; None when they are not."""
    if not (is_number(left) and is_number(right)):
        return None
    return _tower(op, left, right)


def _tower(op: str, a: Any, b: Any) -> Number:
    """In the narrowest of Int, Decimal and Real that holds both."""
    kinds = {type(a), type(b)}
    if Decimal in kinds and Fraction not in kinds:
        return _decimal(op, Decimal(a), Decimal(b))
    if Decimal in kinds:
        a, b = fraction(a), fraction(b)
    if op == "*" and kinds == {int} and a.bit_length() + b.bit_length() > MAX_BITS:
        fail(op, "a number with too many digits")
    return _bounded(a + b if op == "+" else a - b if op == "-" else a * b, op)


def _decimal(op: str, left: Decimal, right: Decimal) -> Decimal:
    method = {"+": _CONTEXT.add, "-": _CONTEXT.subtract, "*": _CONTEXT.multiply}[op]
    try:
        return method(left, right)
    except decimal.DecimalException:
        fail(op, "a number with too many digits")


def _floating(op: str, left: float, right: float) -> float:
    try:
        result = _FLOATING[op](left, right)
    except ZeroDivisionError:
        fail(op, "division by zero")
    except OverflowError:
        fail(op, "a number too large for f64")
    if not math.isfinite(result):
        fail(op, "a number too large for f64")
    return result


_FLOATING: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "%": lambda a, b: a % b,
}


def add(left: Value, right: Value) -> Value:
    """`left + right`: numbers, Money, text, durations, a date or instant and a duration."""
    if type(left) is int and type(right) is int:
        return left + right
    match left, right:
        case str(), str():
            return left + right
        case Money(a), Money(b):
            return Money(_decimal("+", a, b))
        case float(), float():
            return _floating("+", left, right)
        case (date(), timedelta()) | (timedelta(), date()) | (timedelta(), timedelta()):
            return _shift("+", left, right)
        case _:
            result = _plain("+", left, right)
            return no_operation("+", left, right) if result is None else result


def subtract(left: Value, right: Value) -> Value:
    """`left - right`: numbers, Money, durations, a date and a duration, two dates or instants."""
    if type(left) is int and type(right) is int:
        return left - right
    match left, right:
        case Money(a), Money(b):
            return Money(_decimal("-", a, b))
        case float(), float():
            return _floating("-", left, right)
        case date(), date():
            return as_instant(left) - as_instant(right)
        case (date(), timedelta()) | (timedelta(), timedelta()):
            return _shift("-", left, right)
        case _:
            result = _plain("-", left, right)
            return no_operation("-", left, right) if result is None else result


def _shift(op: str, left: Any, right: Any) -> date | timedelta:
    """Move along the calendar. A Date moved by a part of a day is the day of the instant reached."""
    try:
        if isinstance(left, timedelta) and isinstance(right, timedelta):
            return left + right if op == "+" else left - right
        base, by = (right, left) if isinstance(left, timedelta) else (left, right)
        moved: datetime = as_instant(base) + (by if op == "+" else -by)
        return moved if isinstance(base, datetime) else moved.date()
    except OverflowError:
        fail(op, "a date beyond the calendar (years 1 to 9999)")


def as_instant(value: date) -> datetime:
    """A date as its midnight in UTC; an instant as it is."""
    return value if isinstance(value, datetime) else datetime.combine(value, time(), UTC)


def multiply(left: Value, right: Value) -> Value:
    """`left * right`: numbers; Money by a number; a duration by a whole number."""
    if isinstance(right, Money | timedelta) and not isinstance(left, Money | timedelta):
        left, right = right, left
    match left, right:
        case Money(amount), _ if is_number(right):
            return _money_times(amount, right)
        case float(), float():
            return _floating("*", left, right)
        case timedelta(), int() if is_number(right):
            return _stretch(left, right)
        case _:
            result = _plain("*", left, right)
            return no_operation("*", left, right) if result is None else result


def _money_times(amount: Decimal, factor: Any) -> Money:
    plain = finite_decimal(factor) if isinstance(factor, Fraction) else Decimal(factor)
    if plain is None:
        return Money(rounded(fraction(amount) * factor, 2, "half_even"))
    return Money(_decimal("*", amount, plain))


def _stretch(duration: timedelta, factor: int) -> timedelta:
    try:
        return duration * factor
    except OverflowError:
        fail("*", "a duration beyond the calendar")


def divide(left: Value, right: Value) -> Value:
    """`left / right`: exact numbers give Real, Money by a number Money, Money by Money and durations a Real."""
    match left, right:
        case float(), float():
            return _floating("/", left, right)
        case Money(a), Money(b):
            return divide(a, b)
        case timedelta(), timedelta():
            return divide(_microseconds(left), _microseconds(right))
        case Money(amount), _ if is_number(right):
            return Money(rounded(_quotient(amount, right), 2, "half_even"))
        case _ if is_number(left) and is_number(right):
            return _bounded(_quotient(left, right), "/")
        case _:
            no_operation("/", left, right)


def _quotient(left: Value, right: Value) -> Fraction:
    divisor = fraction(right)
    if not divisor:
        fail("/", "division by zero")
    return fraction(left) / divisor


def _microseconds(duration: timedelta) -> int:
    return duration // timedelta(microseconds=1)


def remainder(left: Value, right: Value) -> Value:
    """`left % right`, with the sign of the divisor: `a == b * floor(a / b) + a % b`."""
    if isinstance(left, float) and isinstance(right, float):
        return _floating("%", left, right)
    if not (is_number(left) and is_number(right)):
        no_operation("%", left, right)
    if not right:
        fail("%", "division by zero")
    if isinstance(left, int) and isinstance(right, int):
        return left % right
    result = fraction(left) % fraction(right)
    return result if Fraction in (type(left), type(right)) else finite_decimal(result) or Decimal(0)


def negate(value: Value) -> Value:
    """Unary minus."""
    match value:
        case Money(amount):
            return Money(amount.copy_negate() if amount else amount)
        case Decimal():
            return value.copy_negate() if value else value
        case bool():
            no_operation("-", value)
        case int() | Fraction() | float() | timedelta():
            return -value
        case _:
            no_operation("-", value)


def finite_decimal(value: Fraction) -> Decimal | None:
    """The same number as a Decimal; None when its decimals never end."""
    denominator = value.denominator
    twos = (denominator & -denominator).bit_length() - 1
    rest = denominator >> twos
    fives = round((rest.bit_length() - 1) / _BITS_OF_FIVE)
    if rest != 5**fives:
        return None
    places = max(twos, fives)
    return _scaled(value.numerator * 10**places // denominator, places)


def _scaled(units: int, places: int) -> Decimal:
    """`units` over ten to the `places`."""
    return Decimal(units).scaleb(-places, _CONTEXT)


def rounded(value: Fraction, places: int, mode: str) -> Decimal:
    """`value` to `places` decimal places. `mode`: `half_even`, `half_away`, `trunc`, `floor` or `ceil`."""
    if abs(places) > 100_000:
        fail(f"round({places})", "more decimal places than can be kept")
    scale = Fraction(10) ** places
    return _scaled(whole(value * scale, mode), places)


def whole(value: Fraction, mode: str) -> int:
    """The whole number next to `value`, by `mode` (see `rounded`)."""
    match mode:
        case "half_even":
            return round(value)
        case "half_away":
            return math.floor(abs(value) + Fraction(1, 2)) * (-1 if value < 0 else 1)
        case "trunc":
            return math.trunc(value)
        case "floor":
            return math.floor(value)
        case _:
            return math.ceil(value)


def power(base: Value, exponent: int) -> Value:
    """`base` to a whole `exponent`; a negative one gives a Real."""
    if exponent < 0:
        return divide(1, power(base, -exponent))
    size = fraction(base)
    bits = max(size.numerator.bit_length(), size.denominator.bit_length())
    if bits > 1 and bits * exponent > MAX_BITS:
        fail(f"pow({exponent})", "a number with too many digits")
    result = size**exponent
    if isinstance(base, Decimal):
        return finite_decimal(result) or Decimal(0)
    return result if isinstance(base, Fraction) else int(result)


def widen(value: Decimal, places: int) -> Decimal:
    """The same number written with so many more decimal places."""
    exponent = value.as_tuple().exponent
    return value.quantize(Decimal((0, (1,), int(exponent) - places)), context=_CONTEXT)
