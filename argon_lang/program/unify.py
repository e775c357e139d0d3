"""What the variables of a type stand for where a value of another type is given."""

from __future__ import annotations

from collections.abc import Callable

from argon_lang.program.types import (
    DECIMAL,
    INT,
    NAT,
    REAL,
    UNKNOWN,
    Applied,
    FnOf,
    ListOf,
    Named,
    OptionOf,
    SetOf,
    Type,
    TypeVar,
    Unknown,
    part_types,
    substituted,
)

Assignable = Callable[[Type, Type], bool]
"""`assignable(actual, expected)`: may a value of `actual` stand where `expected` is wanted?"""

_ABOVE: dict[Type, tuple[Type, ...]] = {NAT: (INT, REAL), INT: (REAL,), DECIMAL: (REAL,)}


def assignable(actual: Type, expected: Type) -> bool:
    """Structural assignability without declared types: equality, the numeric tower, and `Unknown` with all."""
    if actual == expected or isinstance(actual, Unknown) or isinstance(expected, Unknown):
        return True
    return expected in _ABOVE.get(actual, ())


def variables(ty: Type) -> tuple[TypeVar, ...]:
    """The type variables in a type, each once."""
    if isinstance(ty, TypeVar):
        return (ty,)
    return tuple(dict.fromkeys(each for part in part_types(ty) for each in variables(part)))


def unify(wanted: Type, given: Type, bound: dict[TypeVar, Type], accepts: Assignable) -> bool:
    """May a value of `given` stand where `wanted` is asked for? What the variables in `wanted` then are is added.

    The first place that says what a variable is decides; others must fit it. A type in error fits and says nothing.
    """
    if isinstance(given, Unknown):
        for each in variables(wanted):
            bound.setdefault(each, UNKNOWN)
        return True
    match wanted, given:
        case TypeVar(), _:
            known = bound.setdefault(wanted, given)
            return known == given or accepts(given, known)
        case (OptionOf(a), OptionOf(b)) | (ListOf(a), ListOf(b)) | (SetOf(a), SetOf(b)):
            return unify(a, b, bound, accepts)
        case (Applied(name, some), Applied(other, others)) | (Named(_, name, some), Named(_, other, others)) if (
            name == other and some
        ):
            pairs = zip(some, others, strict=False)
            return len(some) == len(others) and all(unify(a, b, bound, accepts) for a, b in pairs)
        case FnOf(params, result), FnOf(taken, made) if len(params) == len(taken):
            pairs = zip(params, taken, strict=True)
            return all(_hands(a, b, bound, accepts) for a, b in pairs) and unify(result, made, bound, accepts)
    return not variables(wanted) and accepts(given, wanted)


def _hands(handed: Type, taken: Type, bound: dict[TypeVar, Type], accepts: Assignable) -> bool:
    """May a function that takes `taken` be called with `handed`? What is not known yet is what it takes."""
    known = substituted(handed, bound)
    return unify(handed, taken, bound, accepts) if variables(known) else accepts(known, taken)
