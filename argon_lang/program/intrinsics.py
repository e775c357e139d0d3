"""Signatures of the intrinsics and operators, as plain data: read by the type checker, obeyed by `engine.builtins`.

A *member* is written `a.m`, `a.m()` or `a.m(b)` and lowered to `ir.expr.Builtin(m, (a, b))`; a *function* is written
`m(a)`. A name has several signatures; the first one whose parameters take the arguments gives the result, so narrower
ones stand first. A test compares this table with the implementations.

Numbers: `Nat <: Int <: Real`, `Decimal <: Real`; `Money` and `f64` mix with no other type (language §3.10).
"""

from __future__ import annotations

from collections.abc import Mapping

from argon_lang.program.collections import TABLE as _COLLECTIONS
from argon_lang.program.collections import Intrinsic, Signature
from argon_lang.program.types import (
    BOOL,
    DATE,
    DATETIME,
    DECIMAL,
    DURATION,
    FLOAT,
    INT,
    MONEY,
    NAT,
    REAL,
    STRING,
    UNKNOWN,
    Type,
    TypeVar,
    substituted,
)
from argon_lang.program.unify import Assignable, assignable, unify, variables

__all__ = [
    "INTRINSICS",
    "ON_ABSENT",
    "Intrinsic",
    "Signature",
    "arithmetic_result",
    "assignable",
    "intrinsic_result",
    "is_ordered",
    "negation_result",
    "solved",
]


def _same(*types: Type, arity: int = 1) -> tuple[Signature, ...]:
    """`(A, …) -> A` for each of `types`."""
    return tuple(Signature((ty,) * arity, ty) for ty in types)


def _to(result: Type, *params: Type) -> tuple[Signature, ...]:
    """One-parameter signatures with one result."""
    return tuple(Signature((param,), result) for param in params)


def _rounding() -> tuple[Signature, ...]:
    """To whole numbers without an argument, to that many decimal places with one."""
    whole = (*_to(INT, REAL), *_to(MONEY, MONEY))
    return (*whole, Signature((REAL, INT), DECIMAL), Signature((MONEY, INT), MONEY))


def _unit(name: str) -> Intrinsic:
    """`3.days` makes a Duration, `d.days` counts the whole ones in it (towards zero)."""
    doc = f"A Duration of so many {name}; of a Duration, the whole {name} in it."
    return Intrinsic(name, "member", (*_to(DURATION, INT), *_to(INT, DURATION)), doc)


ON_ABSENT = ("is_some", "is_none", "unwrap_or")
"""Members that ask whether there is a value."""
_NUMBERS = (NAT, INT, DECIMAL, REAL, FLOAT, MONEY)
_CALENDAR = (DATE, DATETIME)

_TABLE = (
    Intrinsic("today", "function", (Signature((), DATE),), "The date (UTC) of the evaluation's clock."),
    Intrinsic("now", "function", (Signature((), DATETIME),), "The instant of the evaluation's clock."),
    *(_unit(name) for name in ("weeks", "days", "hours", "minutes", "seconds")),
    Intrinsic("year", "member", _to(INT, *_CALENDAR), "Calendar year (UTC)."),
    Intrinsic("month", "member", _to(INT, *_CALENDAR), "Calendar month, 1 to 12 (UTC)."),
    Intrinsic("day", "member", _to(INT, *_CALENDAR), "Day of the month, 1 to 31 (UTC)."),
    Intrinsic("weekday", "member", _to(INT, *_CALENDAR), "ISO day of the week: Monday 1 to Sunday 7 (UTC)."),
    Intrinsic("hour", "member", _to(INT, DATETIME), "Hour, 0 to 23 (UTC)."),
    Intrinsic("minute", "member", _to(INT, DATETIME), "Minute, 0 to 59."),
    Intrinsic("second", "member", _to(INT, DATETIME), "Second, 0 to 59."),
    Intrinsic("date", "member", _to(DATE, DATETIME), "The date (UTC) of an instant."),
    Intrinsic("midnight", "member", _to(DATETIME, DATE), "The instant at which a date begins (UTC)."),
    Intrinsic(
        "add_months",
        "member",
        (Signature((DATE, INT), DATE), Signature((DATETIME, INT), DATETIME)),
        "So many calendar months later; a day that the month lacks becomes its last day.",
    ),
    Intrinsic(
        "add_years",
        "member",
        (Signature((DATE, INT), DATE), Signature((DATETIME, INT), DATETIME)),
        "So many calendar years later; 29 February becomes 28 in a common year.",
    ),
    Intrinsic("abs", "both", (*_same(*_NUMBERS), *_same(DURATION)), "Absolute value."),
    Intrinsic("sign", "both", _to(INT, REAL, MONEY), "-1, 0 or 1."),
    Intrinsic("min", "member", (*_same(*_NUMBERS, *_CALENDAR, DURATION, STRING, arity=2),), "The lesser of two."),
    Intrinsic("max", "member", (*_same(*_NUMBERS, *_CALENDAR, DURATION, STRING, arity=2),), "The greater of two."),
    Intrinsic("round", "both", _rounding(), "Nearest; a half goes away from zero. With n: to n decimal places."),
    Intrinsic("round_half_even", "both", _rounding(), "Nearest; a half goes to the even neighbour."),
    Intrinsic("trunc", "both", _rounding(), "Towards zero. With n: to n decimal places."),
    Intrinsic("floor", "both", _rounding(), "Downwards. With n: to n decimal places."),
    Intrinsic("ceil", "both", _rounding(), "Upwards. With n: to n decimal places."),
    Intrinsic(
        "pow",
        "member",
        (
            Signature((NAT, NAT), NAT),
            Signature((INT, NAT), INT),
            Signature((DECIMAL, NAT), DECIMAL),
            Signature((REAL, INT), REAL),
        ),
        "Exact power with a whole exponent.",
    ),
    Intrinsic("gcd", "member", (Signature((INT, INT), NAT),), "Greatest common divisor."),
    Intrinsic("to_int", "member", _to(INT, REAL, FLOAT), "The same number as an Int; an error when it is not whole."),
    Intrinsic("to_real", "member", _to(REAL, REAL, FLOAT), "The same number as a Real."),
    Intrinsic(
        "to_decimal",
        "member",
        _to(DECIMAL, REAL, FLOAT, MONEY),
        "The same number as a Decimal; an error if it has none.",
    ),
    Intrinsic("to_money", "member", _to(MONEY, REAL), "That amount of money; an error when it has no finite decimals."),
    Intrinsic("to_f64", "member", _to(FLOAT, REAL), "The nearest binary floating-point number."),
    Intrinsic("amount", "member", _to(DECIMAL, MONEY), "The number of currency units."),
    Intrinsic("upper", "member", _same(STRING), "In upper case."),
    Intrinsic("lower", "member", _same(STRING), "In lower case."),
    Intrinsic("trim", "member", _same(STRING), "Without white space at both ends."),
    Intrinsic("starts_with", "member", (Signature((STRING, STRING), BOOL),), "Does it begin with the second?"),
    Intrinsic("ends_with", "member", (Signature((STRING, STRING), BOOL),), "Does it end with the second?"),
    *_COLLECTIONS,
)

INTRINSICS: dict[str, Intrinsic] = {entry.name: entry for entry in _TABLE}


def intrinsic_result(name: str, args: tuple[Type, ...], accepts: Assignable = assignable) -> Type | None:
    """Result type of `name` applied to `args` (receiver first); None when no signature takes them.

    `accepts` is the checker's own assignability, so that declared types and their subtypes fit the type variable.
    """
    entry = INTRINSICS.get(name)
    for signature in entry.signatures if entry else ():
        result = _apply(signature, args, accepts)
        if result is not None:
            return result
    return None


def _apply(signature: Signature, args: tuple[Type, ...], accepts: Assignable) -> Type | None:
    if len(args) != len(signature.params):
        return None
    bound: dict[TypeVar, Type] = {}
    for param, arg in zip(signature.params, args, strict=True):
        if not unify(param, arg, bound, accepts):
            return None
    return solved(signature.result, bound)


def solved(ty: Type, bound: Mapping[TypeVar, Type]) -> Type:
    """The type with its variables replaced; an intrinsic's that nothing says anything about is unknown."""
    own = (each for each in variables(ty) if not each.owner)
    return substituted(ty, {**dict.fromkeys(own, UNKNOWN), **bound})


_EXACT = (NAT, INT, DECIMAL, REAL)
_ORDERED = (MONEY, FLOAT, STRING, DURATION)

_MIXED: dict[tuple[str, Type, Type], Type] = {
    ("+", STRING, STRING): STRING,
    ("+", MONEY, MONEY): MONEY,
    ("-", MONEY, MONEY): MONEY,
    ("/", MONEY, MONEY): REAL,
    ("+", DURATION, DURATION): DURATION,
    ("-", DURATION, DURATION): DURATION,
    ("/", DURATION, DURATION): REAL,
    **{(op, FLOAT, FLOAT): FLOAT for op in "+-*/%"},
    **{("*", MONEY, ty): MONEY for ty in _EXACT},
    **{("*", ty, MONEY): MONEY for ty in _EXACT},
    **{("/", MONEY, ty): MONEY for ty in _EXACT},
    **{("*", DURATION, ty): DURATION for ty in (NAT, INT)},
    **{("*", ty, DURATION): DURATION for ty in (NAT, INT)},
    **{("+", ty, DURATION): ty for ty in _CALENDAR},
    **{("+", DURATION, ty): ty for ty in _CALENDAR},
    **{("-", ty, DURATION): ty for ty in _CALENDAR},
    **{("-", a, b): DURATION for a in _CALENDAR for b in _CALENDAR},
}


def arithmetic_result(op: str, left: Type, right: Type) -> Type | None:
    """Result type of `left op right` for `+ - * / %`; None when the operator does not take them.

    Exact numbers: the narrowest of Nat, Int, Decimal, Real that holds both; `-` of two Nat is Int, `/` is Real. `%`
    takes the sign of the divisor.
    """
    if left in _EXACT and right in _EXACT:
        if op == "/":
            return REAL
        least = _join(left, right)
        return INT if op == "-" and least == NAT else least
    return _MIXED.get((op, left, right))


def _join(left: Type, right: Type) -> Type:
    if REAL in (left, right):
        return REAL
    if DECIMAL in (left, right):
        return DECIMAL
    return NAT if left == right == NAT else INT


def negation_result(operand: Type) -> Type | None:
    """Result type of unary `-`; None when it does not take `operand`."""
    if operand == NAT:
        return INT
    return operand if operand in (INT, DECIMAL, REAL, FLOAT, MONEY, DURATION) else None


def is_ordered(left: Type, right: Type) -> bool:
    """May `< <= > >=` compare them? Exact numbers with each other, dates with instants, else equal ordered types."""
    if any(left in group and right in group for group in (_EXACT, _CALENDAR)):
        return True
    return left == right and left in _ORDERED
