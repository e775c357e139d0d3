"""Expressions whose value needs no state and no clock: what may stand in declared facts and rule heads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.literals import as_number
from argon_lang.ir.values import EnumValue, Money, StructValue, TupleValue, Value
from argon_lang.program.types import ListOf, OptionOf, SetOf, Type

Number = int | Decimal | Fraction
_UNITS = {"weeks": 604_800, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
_EXACT: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}


@dataclass(frozen=True, slots=True)
class _Unfolded:
    """No constant. A value of its own, since None is a value."""


_NONE = _Unfolded()
_Folded = Value | _Unfolded


def constant(expr: ir.Expr) -> ir.Lit | None:
    """The literal that a constant expression amounts to; None when it is no constant."""
    value = _fold(expr)
    return None if isinstance(value, _Unfolded) else ir.Lit(value)


def as_type(value: Value, type_: Type) -> Value:
    """A constant as a value of a declared type: numbers take its numeric type, elements the element's."""
    match type_:
        case OptionOf(inner):
            return as_type(value, inner)
        case ListOf(element) if isinstance(value, tuple):
            return tuple(as_type(each, element) for each in value)
        case SetOf(element) if isinstance(value, tuple | frozenset):
            return frozenset(as_type(each, element) for each in value)
    if isinstance(value, int | Decimal | Fraction) and not isinstance(value, bool):
        return as_number(value, type_)
    return value


def _fold(expr: ir.Expr) -> _Folded:
    match expr:
        case ir.Lit(value):
            return value
        case ir.Unary("-", operand):
            return _negate(_fold(operand))
        case ir.Binary(op, left, right, type_) if op in _EXACT:
            return _arithmetic(op, _fold(left), _fold(right), type_)
        case ir.Builtin(name, (count,)) if name in _UNITS:
            amount = _fold(count)
            return timedelta(seconds=_UNITS[name] * amount) if type(amount) is int else _NONE
        case ir.MakeList(items):
            return _all(items, lambda values: values)
        case ir.MakeTuple(relation, ends):
            return _all(ends, lambda values: TupleValue(relation, values))
        case ir.MakeEnum(path, variant, payload):
            return _all(payload, lambda values: EnumValue(path, variant, values))
        case ir.MakeStruct(path, fields):
            names = [name for name, _ in fields]
            parts = tuple(part for _, part in fields)
            return _all(parts, lambda values: StructValue(path, tuple(zip(names, values, strict=True))))
        case _:
            return _NONE


def _all(items: tuple[ir.Expr, ...], build: Callable[[tuple[Value, ...]], Value]) -> _Folded:
    values: list[Value] = []
    for item in items:
        value = _fold(item)
        if isinstance(value, _Unfolded):
            return _NONE
        values.append(value)
    return build(tuple(values))


def _negate(value: _Folded) -> _Folded:
    match value:
        case bool() | _Unfolded():
            return _NONE
        case Money(amount):
            return Money(-amount)
        case int() | Decimal() | Fraction() | float() | timedelta():
            return -value
        case _:
            return _NONE


def _arithmetic(op: str, left: _Folded, right: _Folded, type_: Type) -> _Folded:
    """Exact arithmetic of plain numbers."""
    if isinstance(left, bool) or isinstance(right, bool):
        return _NONE
    if not (isinstance(left, Number) and isinstance(right, Number)):
        return _NONE
    result = _EXACT[op](Fraction(left), Fraction(right))
    if result.denominator == 1:
        return as_number(result.numerator, type_)
    whole = isinstance(left, Decimal) or isinstance(right, Decimal)
    return as_type(_decimal(result) if whole else result, type_)


def _decimal(value: Fraction) -> Number:
    """The same number as a Decimal, when it has finitely many digits; they are never rounded."""
    denominator, twos, fives = value.denominator, 0, 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    if denominator != 1:
        return value
    places = max(twos, fives)
    scaled = value.numerator * 10**places // value.denominator
    digits = tuple(int(digit) for digit in str(abs(scaled)))
    return Decimal((int(scaled < 0), digits, -places))
