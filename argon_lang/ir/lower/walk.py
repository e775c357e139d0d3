"""Rebuilding lowered values: every expression within them, wherever it stands."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from operator import attrgetter, is_
from typing import Any, TypeVar, cast, get_args

from argon_lang.ir.expr import Closure, Comprehend, Expr, LetIn, Local
from argon_lang.ir.rules import Rule
from argon_lang.syntax.tree import View

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Held:
    """Only while lowering: an aggregate of a rule's item, not yet put in its place. `take(node, body, name)` adds its
    literal to a conjunction and yields the variable; `fold(node, reading)` is the expression that it is elsewhere.
    `given` are the values of `let`s around it.
    """

    node: View
    take: Callable[[View, Any, str | None], Expr]
    fold: Callable[[View, Any], Expr]
    given: tuple[tuple[str, Expr], ...] = ()


EXPRS: tuple[type, ...] = (*get_args(Expr), Held)
"""The classes of expressions."""
_EXPRS = frozenset(EXPRS)
OPAQUE: tuple[type, ...] = (Rule,)
"""The rule of an aggregate in an expression has variables of its own."""


@cache
def _names(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls))


Reader = Callable[[Any], tuple[Any, ...]]


class _Readers(dict[type, Reader | None]):
    """What an instance of a class holds: the values of a dataclass, the items of a tuple; None for a scalar."""

    def __missing__(self, cls: type) -> Reader | None:
        self[cls] = found = tuple if issubclass(cls, tuple) else _fields(cls)
        return found


def _fields(cls: type) -> Reader | None:
    if not dataclasses.is_dataclass(cls):
        return None
    names = _names(cls)
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda part: ()
    read = attrgetter(*names)
    return lambda part: (read(part),)


_INSIDE = _Readers()


def rebuild(
    part: T, change: Callable[[Any], Any], whole: tuple[type, ...] = (), meet: Callable[[Any], None] | None = None
) -> T:
    """`part` with `change` applied to each dataclass instance in it, innermost first. Equal parts stay the object.

    Instances of the classes `whole` are left as they are. `meet` is told each of the others before what is in it.
    """
    cls: type[Any] = type(part)
    inside = _INSIDE[cls]
    if inside is None or cls in whole:
        return part
    old = inside(part)
    if isinstance(part, tuple):
        listed = [rebuild(value, change, whole, meet) if value and _INSIDE[type(value)] else value for value in old]
        return part if all(map(is_, listed, old)) else cast(T, tuple(listed))
    if meet is not None:
        meet(part)
    new = [rebuild(value, change, whole, meet) if value and _INSIDE[type(value)] else value for value in old]
    return cast(T, change(part if all(map(is_, new, old)) else cls(*new)))


def parts(whole: object, without: tuple[type, ...] = ()) -> Iterator[Any]:
    """Every dataclass instance in `whole`, outermost first, in the order of fields; none of `without`, or in them."""
    pending = [whole]
    while pending:
        part = pending.pop()
        cls: type[Any] = type(part)
        inside = _INSIDE[cls]
        if inside is not None and cls not in without:
            if cls is not tuple:
                yield part
            pending += [each for each in inside(part)[::-1] if each and _INSIDE[type(each)]]


def free_locals(whole: object) -> tuple[str, ...]:
    """Names of the locals that the expressions in `whole` read and do not bind, by first occurrence."""
    bound = {name for part in parts(whole, OPAQUE) for name in introduced(part)}
    found = (part.name for part in parts(whole, OPAQUE) if isinstance(part, Local))
    return tuple(dict.fromkeys(name for name in found if name not in bound))


def introduced(part: object) -> tuple[str, ...]:
    """The locals that an expression introduces for what is inside it."""
    match part:
        case LetIn(name) | Comprehend(name):
            return (name,)
        case Closure(params):
            return params
        case _:
            return ()


def map_children(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """`expr` with `change` applied to each expression directly below it."""
    build: Any = type(expr)
    inside = _INSIDE[build]
    rebuilt: Expr = build(*[_mapped(part, change) for part in inside(expr)]) if inside is not None else expr
    return rebuilt


def _mapped(part: Any, change: Callable[[Expr], Expr]) -> Any:
    """A function of its own: one within `map_children` would refer to itself, and be garbage that is in a circle."""
    if isinstance(part, tuple):
        return tuple([_mapped(each, change) for each in part])
    return change(part) if type(part) in _EXPRS else part


def substitute(expr: Expr | Held, values: Mapping[str, Expr], fresh: Callable[[], str]) -> Expr:
    """`expr` with locals replaced; its own `let` names become fresh ones, so that nothing is captured."""
    match expr:
        case Local(name):
            return values.get(name, expr)
        case Held(node, take, fold, given):
            inside = tuple((name, substitute(value, values, fresh)) for name, value in given)
            own = {name for name, _ in given}
            outer = (pair for pair in values.items() if pair[0] not in own)
            return cast(Expr, Held(node, take, fold, (*inside, *outer)))
        case Comprehend(name, source, condition, element):
            new = fresh()
            inner = {**values, name: Local(new)}
            wanted = None if condition is None else substitute(condition, inner, fresh)
            return Comprehend(new, substitute(source, values, fresh), wanted, substitute(element, inner, fresh))
        case Closure(params, body):
            renamed = {name: fresh() for name in params}
            within = {**values, **{name: Local(new) for name, new in renamed.items()}}
            return Closure(tuple(renamed.values()), substitute(body, within, fresh))
        case LetIn(name, value, body):
            new = fresh()
            inner = {**values, name: Local(new)}
            return LetIn(new, substitute(value, values, fresh), substitute(body, inner, fresh))
        case _:
            return map_children(expr, lambda part: substitute(part, values, fresh))
