"""Conditions of `where` and `iff`: Booleans over the fields of `self`, and nothing else (language.md §3.2)."""

from __future__ import annotations

from collections.abc import Iterator

from argon_lang.problems import Note, args
from argon_lang.program.findings import a_kind
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import check_expr
from argon_lang.program.infer.names import lookup
from argon_lang.program.model import ToField
from argon_lang.program.paths import names, segments
from argon_lang.program.types import BOOL, Named
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

_OTHERS: dict[type[View], str] = {
    nodes.AggregateCall: "an aggregate",
    nodes.AggregateBlock: "an aggregate",
    nodes.Comprehension: "a comprehension",
    nodes.Lambda: "a function value",
}


def infer_refinement(cx: Context, root: nodes.ConceptDecl, path: str) -> None:
    """Check the conditions of a concept; in them `self` is one of its individuals.

    `iff` is a rule, so an absent field makes its condition fail; `where` is an expression over the state.
    """
    if root.refinement is None:
        return
    start = root.refinement.start
    with cx.frame():
        cx.declare("self", "param", (start, start), Named("concept", path)).given = True
        with cx.state(in_rule=root.refinement.derived):
            for each in root.refinement.conditions:
                _condition(cx, each)


def _condition(cx: Context, node: View) -> None:
    foreign = min(_calls(cx, node), key=_outermost, default=None)
    if foreign is None:
        check_expr(cx, node, BOOL)
        foreign = min(_reads(cx, node), key=_outermost, default=None)
    if foreign is not None:
        at, construct = foreign
        cx.report("OE0665", at, args(name=cx.owner, construct=construct), notes=(Note("own_fields"),))


def _outermost(found: tuple[View, str]) -> tuple[int, int]:
    return found[0].start, -found[0].end


def _calls(cx: Context, node: View) -> Iterator[tuple[View, str]]:
    """What looks at anything else than values: calls of predicates, queries and functions, aggregates."""
    for each in (node, *node.descendants()):
        if type(each) in _OTHERS:
            yield each, _OTHERS[type(each)]
        elif isinstance(each, nodes.Call) and each.path is not None:
            found = lookup(cx, segments(each.path)).symbols
            for symbol in found[:1]:
                if symbol.kind != "unsupported" and not symbol.path.startswith("std::") and symbol.kind != "enum":
                    yield each, f"{a_kind(symbol)}, `{symbol.name}`"


def _reads(cx: Context, node: View) -> Iterator[tuple[View, str]]:
    """Fields of other individuals, and views, whose values are other individuals' doing."""
    for each in (node, *node.descendants()):
        meaning = cx.names.get(each.index)
        if not isinstance(each, nodes.FieldExpr) or not isinstance(meaning, ToField) or meaning.kind == "struct":
            continue
        if not (isinstance(each.base, nodes.Path) and names(each.base) == ("self",)):
            yield each, "a field of another individual"
            continue
        sig = cx.declarations.field(Named(meaning.kind, meaning.owner), meaning.name)
        if sig is not None and sig.view is not None:
            yield each, "a navigation view"
