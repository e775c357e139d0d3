"""`infer_expr` and `check_expr`: every other file of this package registers what it knows about node kinds here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from argon_lang.program.infer.compat import fits
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.mismatch import Why, accepts, report_mismatch
from argon_lang.program.model import Declarations
from argon_lang.program.types import UNKNOWN, ListOf, OptionOf, SetOf, Type, Unknown
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

Handler = Callable[[Context, Any, Type | None], Type]
Fit = Callable[[Declarations, Type, Type], bool]
H = TypeVar("H", bound=Handler)

_HANDLERS: dict[type[View], Handler] = {}


def handles(*kinds: type[View]) -> Callable[[H], H]:
    """Register the inference of some node kinds: `(context, node, hint) -> type`."""

    def register(handler: H) -> H:
        _HANDLERS.update((kind, handler) for kind in kinds)
        return handler

    return register


def infer_expr(cx: Context, node: View | None, hint: Type | None = None) -> Type:
    """The type of an expression. `hint` is what the place expects: literals take it, nothing is checked against it."""
    if node is None:
        return UNKNOWN
    handler = _HANDLERS.get(type(node))
    if handler is None:
        return UNKNOWN
    found = handler(cx, node, hint)
    cx.types[node.index] = found
    return found


def check_expr(cx: Context, node: View | None, expected: Type, fit: Fit = fits, why: Why = None) -> Type:
    """The type of an expression that must fit `expected`; each part that decides the value is told apart (OE0202).

    `why` is what asks for the type.
    """
    found = infer_expr(cx, node, expected)
    if node is not None:
        check_found(cx, node, expected, fit, why)
    return found


def check_found(cx: Context, node: View, expected: Type, fit: Fit = fits, why: Why = None) -> None:
    """As `check_expr`, of an expression that is inferred already."""
    if isinstance(expected, Unknown):
        return
    for leaf, wanted in leaves(node, expected):
        got = cx.types.get(leaf.index, UNKNOWN)
        if not accepts(cx, leaf, got, wanted, fit):
            report_mismatch(cx, leaf, got, wanted, why)


def leaves(node: View, expected: Type) -> Iterator[tuple[View, Type]]:
    """The expressions that yield the value of `node`, with what is expected of each: arms, tails, list elements."""
    stack: list[tuple[View | None, Type]] = [(node, expected)]
    while stack:
        part, wanted = stack.pop()
        inner = _inside(part, wanted)
        if inner is not None:
            stack.extend(reversed(inner))
        elif part is not None:
            yield part, wanted


def _inside(node: View | None, expected: Type) -> list[tuple[View | None, Type]] | None:
    match node:
        case nodes.ParenExpr():
            return [(node.inner, expected)]
        case nodes.IfExpr() if node.otherwise is not None:
            return [(node.then, expected), (node.otherwise.body, expected)]
        case nodes.Block() if node.tail is not None:
            return [(node.tail, expected)]
        case nodes.MatchExpr() if node.arms:
            return [(arm.value, expected) for arm in node.arms]
        case nodes.ListExpr():
            wanted = expected.inner if isinstance(expected, OptionOf) else expected
            if isinstance(wanted, ListOf | SetOf):
                return [(each, wanted.element) for each in node.elements]
            return None
        case _:
            return None
