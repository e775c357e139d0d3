"""What the operators and constructors of expressions do to values; generated code calls these."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from argon_lang.engine import exact
from argon_lang.engine.collections import contains
from argon_lang.engine.display import display
from argon_lang.engine.identity import instant, same
from argon_lang.engine.order import sort_key
from argon_lang.ir.values import EnumValue, StructValue, TupleValue, Value


def less(left: Any, right: Any) -> bool:
    """`left < right`: exact numbers with each other, dates with instants, else values of one ordered type."""
    try:
        return bool(left < right)
    except TypeError:
        if isinstance(left, date) and isinstance(right, date):
            return instant(left) < instant(right)
        exact.no_operation("<", left, right)


def contained(part: Value, whole: Any) -> bool:
    """`part in whole`: an element of a list, set or range, a key of a map, text within text."""
    return contains(None, whole, part) is True


def make_enum(path: str, variant: str, *payload: Value) -> Value:
    """An enum value."""
    return EnumValue(path, variant, payload)


def make_struct(path: str, names: tuple[str, ...], *values: Value) -> Value:
    """A struct value, its fields in declaration order."""
    return StructValue(path, tuple(zip(names, values, strict=True)))


def make_tuple(relation: str, *ends: Value) -> Value:
    """A relation tuple as an individual."""
    return TupleValue(relation, ends)


def is_case(value: Any, variant: str) -> bool:
    """Is it an enum value of this variant?"""
    return value is not None and value.variant == variant


def payload_of(value: Any, variant: str, index: int, named: bool) -> Value:
    """Part of the payload of an enum value; None of another variant."""
    if value is None or value.variant != variant:
        return None
    part: Value = value.payload[index]
    return part[1] if named and isinstance(part, tuple) else part


def comprehended(
    items: Any, element: Callable[[Value], Value], condition: Callable[[Value], Value] | None
) -> tuple[Value, ...]:
    """`[element for x in items where condition]`; a set's elements come in value order."""
    listed = sorted(items, key=sort_key) if isinstance(items, frozenset) else items or ()
    return tuple(element(item) for item in listed if condition is None or condition(item) is True)


def format_text(pieces: tuple[str, ...], *values: Value) -> Value:
    """`format!`: the pieces with the values shown between them."""
    shown = [text for piece, value in zip(pieces, values, strict=False) for text in (piece, display(value))]
    return "".join([*shown, pieces[-1]])


OPERATIONS: dict[str, Callable[..., Value]] = {
    "+": exact.add,
    "-": exact.subtract,
    "*": exact.multiply,
    "/": exact.divide,
    "%": exact.remainder,
    "==": same,
    "!=": lambda left, right: not same(left, right),
    "<": less,
    "<=": lambda left, right: not less(right, left),
    ">": lambda left, right: less(right, left),
    ">=": lambda left, right: not less(left, right),
    "in": contained,
    "not_in": lambda part, whole: not contained(part, whole),
}
