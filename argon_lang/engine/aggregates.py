"""What aggregates make of the values that they range over (language §3.10, semantics S4.3).

`folding(op, type)` is a function from the values (one per distinct substitution) to one value, or None where there is
none: of nothing for all but `sum` and `count`, of several different values for `one`. The result does not depend on the
order of the values: exact numbers are, binary floats are summed with one rounding, the rest is put in canonical order.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from argon_lang.engine import exact
from argon_lang.engine.order import sort_key
from argon_lang.ir.values import Value, zero_of
from argon_lang.program.types import Type

Folding = Callable[[Sequence[Value]], Value | None]
OPERATIONS = ("sum", "count", "min", "max", "avg", "set", "one", "collect")
"""The aggregates."""


@functools.cache
def folding(op: str, ty: Type) -> Folding:
    """The aggregate `op` whose result has type `ty`."""
    if op == "sum":
        return functools.partial(_sum, zero_of(ty))
    return _FOLDINGS[op]


def _sum(zero: Value, values: Sequence[Any]) -> Value:
    kinds = {type(value) for value in values}
    if kinds <= {int}:
        return sum(values) if kinds else zero
    return _floating(values) if kinds == {float} else functools.reduce(exact.add, values)


def _floating(values: Sequence[float]) -> float:
    try:
        return math.fsum(values)
    except OverflowError:
        exact.fail("sum", "a number too large for f64")


def _average(values: Sequence[Value]) -> Value | None:
    if not values:
        return None
    count = float(len(values)) if isinstance(values[0], float) else len(values)
    return exact.divide(_sum(0, values), count)


def _least(values: Sequence[Value]) -> Value | None:
    return min(values, key=sort_key, default=None)


def _greatest(values: Sequence[Value]) -> Value | None:
    return max(values, key=sort_key, default=None)


def _set(values: Sequence[Value]) -> Value | None:
    return exact.together("set", values) or None


def _one(values: Sequence[Value]) -> Value | None:
    different = {sort_key(value): value for value in values}
    return next(iter(different.values())) if len(different) == 1 else None


def _collect(values: Sequence[Value]) -> Value | None:
    return tuple(sorted(values, key=sort_key)) or None


def _values(values: Sequence[Value]) -> Value | None:
    """All of them, none too: no author's aggregate, but how a rule reads what may be absent."""
    return tuple(sorted(values, key=sort_key))


_FOLDINGS: dict[str, Folding] = {
    "count": len,
    "min": _least,
    "max": _greatest,
    "avg": _average,
    "set": _set,
    "one": _one,
    "collect": _collect,
    "values": _values,
}
