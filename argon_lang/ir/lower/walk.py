"""Rebuilding lowered values: every expression within them, wherever it stands."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar, cast, get_args

from argon_lang.ir.expr import Expr, LetIn, Local

T = TypeVar("T")
_SCALARS = (str, int, type(None))
EXPRS: tuple[type, ...] = get_args(Expr)
"""The classes of expressions."""


@cache
def _names(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls))


def rebuild(part: T, change: Callable[[Any], Any]) -> T:
    """`part` with `change` applied to each dataclass instance in it, innermost first. Equal parts stay the object."""
    if isinstance(part, _SCALARS):
        return part
    if isinstance(part, tuple):
        items = tuple(rebuild(item, change) for item in part)
        return cast(T, items if any(new is not old for new, old in zip(items, part, strict=True)) else part)
    if not dataclasses.is_dataclass(part) or isinstance(part, type):
        return part
    old = {name: getattr(part, name) for name in _names(type(part))}
    new = {name: rebuild(value, change) for name, value in old.items()}
    same = all(new[name] is old[name] for name in old)
    return cast(T, change(part if same else type(part)(**new)))


def parts(whole: object) -> Iterator[Any]:
    """Every dataclass instance in `whole`, outermost first, in the order of the fields."""
    if isinstance(whole, tuple):
        for item in whole:
            yield from parts(item)
    elif dataclasses.is_dataclass(whole) and not isinstance(whole, type):
        yield whole
        for name in _names(type(whole)):
            yield from parts(getattr(whole, name))


def free_locals(whole: object) -> tuple[str, ...]:
    """Names of the locals that the expressions in `whole` read and do not bind, by first occurrence."""
    bound = {part.name for part in parts(whole) if isinstance(part, LetIn)}
    found = (part.name for part in parts(whole) if isinstance(part, Local))
    return tuple(dict.fromkeys(name for name in found if name not in bound))


def map_children(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """`expr` with `change` applied to each expression directly below it."""

    def inner(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(inner(item) for item in part)
        return change(cast(Expr, part)) if isinstance(part, EXPRS) else part

    build: Any = type(expr)
    rebuilt: Expr = build(*(inner(getattr(expr, name)) for name in _names(build)))
    return rebuilt


def substitute(expr: Expr, values: Mapping[str, Expr], fresh: Callable[[], str]) -> Expr:
    """`expr` with locals replaced; its own `let` names become fresh ones, so that nothing is captured."""
    match expr:
        case Local(name):
            return values.get(name, expr)
        case LetIn(name, value, body):
            new = fresh()
            inner = {**values, name: Local(new)}
            return LetIn(new, substitute(value, values, fresh), substitute(body, inner, fresh))
        case _:
            return map_children(expr, lambda part: substitute(part, values, fresh))
