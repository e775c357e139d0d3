"""Aggregates over rows of which some are possible and not definite (semantics S4.3).

Such an aggregate has a value (that of its definite rows), a number of excluded rows, and bounds: the least and the
greatest value that it could take if any of the excluded rows were there. A variable that is only compared is compared
by its bounds, so that a comparison is definite when it is true throughout them and possible when it is true of some.
Any other use of the value makes the atom possible.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from argon_lang.engine.aggregates import folding
from argon_lang.engine.exact import add
from argon_lang.engine.operations import less
from argon_lang.engine.order import sort_key
from argon_lang.engine.plan import Plan
from argon_lang.engine.walk import free_locals, literal_variables
from argon_lang.ir.expr import Binary, Local
from argon_lang.ir.rules import Aggregate, Rule, Test, Var
from argon_lang.ir.values import Value
from argon_lang.program.types import Type

Bounds = tuple[Value, Value, Value]
"""The least and the greatest value, and the one of the definite rows (None where they have none)."""
DoubtfulFold = Callable[[Sequence[Value], Sequence[Value], bool], Any]
"""Of the definite values, those in doubt, and whether the possible estimate asks: what the atom binds (None: fails)."""

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@functools.cache
def doubtful_fold(op: str, ty: Type, ranged: bool) -> DoubtfulFold:
    """The aggregate `op`: its value, or with `ranged` its `Bounds`."""
    fold = folding(op, ty)
    return functools.partial(_bounds, op, ty) if ranged else functools.partial(_value, fold)


def _value(
    fold: Callable[[Sequence[Value]], Value | None], definite: Sequence[Value], doubted: Sequence[Value], possible: bool
) -> Value | None:
    if not doubted:
        return fold(definite)
    if not possible:
        return None
    found = fold(definite)
    return found if found is not None else fold([*definite, *doubted])


def _bounds(op: str, ty: Type, definite: Sequence[Value], doubted: Sequence[Value], possible: bool) -> Bounds | None:
    fold = folding(op, ty)
    value = fold(definite)
    if value is None and not (possible and doubted):
        return None
    if not doubted:
        return value, value, value
    low, high = _RANGES[op](fold, definite, doubted)
    return low, high, value


Fold = Callable[[Sequence[Value]], Value | None]
Range = Callable[[Fold, Sequence[Value], Sequence[Value]], tuple[Value, Value]]


def _sum(fold: Fold, definite: Sequence[Value], doubted: Sequence[Value]) -> tuple[Value, Value]:
    low = high = fold(definite)
    zero = fold(())
    for value in doubted:
        if less(value, zero):
            low = add(low, value)
        else:
            high = add(high, value)
    return low, high


def _count(_: Fold, definite: Sequence[Value], doubted: Sequence[Value]) -> tuple[Value, Value]:
    return len(definite), len(definite) + len(doubted)


def _least(fold: Fold, definite: Sequence[Value], doubted: Sequence[Value]) -> tuple[Value, Value]:
    return fold([*definite, *doubted]), fold(definite) if definite else max(doubted, key=sort_key)


def _greatest(fold: Fold, definite: Sequence[Value], doubted: Sequence[Value]) -> tuple[Value, Value]:
    return fold(definite) if definite else min(doubted, key=sort_key), fold([*definite, *doubted])


def _average(fold: Fold, definite: Sequence[Value], doubted: Sequence[Value]) -> tuple[Value, Value]:
    ascending = sorted(doubted, key=sort_key)
    return _extreme(fold, definite, ascending, less), _extreme(fold, definite, ascending[::-1], lambda a, b: less(b, a))


def _extreme(
    fold: Fold, definite: Sequence[Value], doubted: Sequence[Value], before: Callable[[Any, Any], bool]
) -> Value:
    """The average that comes first in an order: values are taken in that order as long as they move it on."""
    taken = list(definite)
    for value in doubted:
        if taken and not before(value, fold(taken)):
            break
        taken.append(value)
    return fold(taken)


_RANGES: dict[str, Range] = {"sum": _sum, "count": _count, "min": _least, "max": _greatest, "avg": _average}


def compared_only(rule: Rule, plan: Plan) -> dict[str, dict[int, tuple[str, bool]]]:
    """The aggregates' variables of a conjunction that are only compared, with those comparisons.

    Each comparison is named by the identity of its expression: the operator as seen from the variable, and whether the
    variable is its left side.
    """
    heads = {term.name for term in rule.terms if isinstance(term, Var)}
    found: dict[str, dict[int, tuple[str, bool]]] = {}
    for step in plan:
        if isinstance(step.literal, Aggregate) and step.literal.op in _RANGES and step.literal.var not in heads:
            tests = _comparisons(step.literal.var, plan)
            if tests:
                found[step.literal.var] = tests
    return found


def _comparisons(var: str, plan: Plan) -> dict[int, tuple[str, bool]] | None:
    """The comparisons of a variable; None when something else reads it."""
    tests: dict[int, tuple[str, bool]] = {}
    for step in plan:
        literal = step.literal
        if var not in literal_variables(literal) or (isinstance(literal, Aggregate) and literal.var == var):
            continue
        if not (isinstance(literal, Test) and isinstance(literal.expr, Binary) and literal.expr.op in _MIRRORED):
            return None
        left, right = literal.expr.left, literal.expr.right
        if left == Local(var) and var not in free_locals(right):
            tests[id(literal.expr)] = (literal.expr.op, True)
        elif right == Local(var) and var not in free_locals(left):
            tests[id(literal.expr)] = (_MIRRORED[literal.expr.op], False)
        else:
            return None
    return tests


def comparison(op: str, possible: bool) -> Callable[[Bounds, Value], bool]:
    """`bounds op value`: of some value within the bounds with `possible`, else of all."""
    return functools.partial(_COMPARISONS[op], possible)


def _below(possible: bool, bounds: Bounds, value: Value) -> bool:
    return less(bounds[0 if possible else 1], value)


def _above(possible: bool, bounds: Bounds, value: Value) -> bool:
    return less(value, bounds[1 if possible else 0])


def _equal(possible: bool, bounds: Bounds, value: Value) -> bool:
    within = not less(value, bounds[0]) and not less(bounds[1], value)
    return within and (possible or not less(bounds[0], bounds[1]))


_COMPARISONS: dict[str, Callable[[bool, Bounds, Value], bool]] = {
    "<": _below,
    ">": _above,
    "<=": lambda possible, bounds, value: not _above(not possible, bounds, value),
    ">=": lambda possible, bounds, value: not _below(not possible, bounds, value),
    "==": _equal,
    "!=": lambda possible, bounds, value: not _equal(not possible, bounds, value),
}
