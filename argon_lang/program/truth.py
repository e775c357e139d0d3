"""`Truth4Of<T>` as the result of a query: rows of type T with their truth values (language.md §3.8, semantics S2.5)."""

from __future__ import annotations

from argon_lang.program.model import Scope
from argon_lang.program.paths import names
from argon_lang.program.types import ListOf, SetOf, Type, Unknown
from argon_lang.syntax import nodes

TRUTH4_OF = "std::core::Truth4Of"
"""A value with its truth value: a struct like any other, but around the rows that a query promises."""


def answer_node(written: nodes.ReturnType | None, scope: Scope) -> tuple[nodes.Type | None, bool]:
    """The type of a query's rows as written, out of its `Truth4Of<…>`; and whether that stood around it."""
    node = written.type if written is not None else None
    if isinstance(node, nodes.NamedType) and node.path is not None and node.args is not None:
        inner = node.args.types
        if len(inner) == 1 and any(each.path == TRUTH4_OF for each in scope.lookup(names(node.path)).symbols):
            return inner[0], True
    return node, False


def answer_type(inner: Type, tagged: bool) -> Type:
    """What a query yields: under `Truth4Of` always many rows."""
    return ListOf(inner) if tagged and not isinstance(inner, ListOf | SetOf | Unknown) else inner
