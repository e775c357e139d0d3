"""Aggregates (language §3.10): a scope of their own over a body of atoms, and one value out of what it ranges over.

In a rule body the scope is the clause's: a variable that occurs outside groups, every other one is the aggregate's own.
Elsewhere (projections, functions, statements) the locals that are visible group.
"""

from __future__ import annotations

from argon_lang.problems import Note, args
from argon_lang.program.aggregate_parts import Aggregate as Node
from argon_lang.program.aggregate_parts import parts_of, ranges_over_rows
from argon_lang.program.infer.atoms import check_atoms
from argon_lang.program.infer.clauses import open_aggregate
from argon_lang.program.infer.compat import EXACT, bare, element_of
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import handles, infer_expr
from argon_lang.program.intrinsics import is_ordered
from argon_lang.program.types import (
    DURATION,
    FLOAT,
    MONEY,
    NAT,
    REAL,
    UNKNOWN,
    ListOf,
    OptionOf,
    SetOf,
    Type,
    Unknown,
    show,
)
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

CALLS = ("sum", "count", "min", "max", "avg")
BLOCKS = ("count", "set", "one", "collect")


@handles(nodes.AggregateCall, nodes.AggregateBlock)
def _aggregate(cx: Context, node: Node, hint: Type | None) -> Type:
    op = node.op
    if op is None:
        return UNKNOWN
    known = CALLS if isinstance(node, nodes.AggregateCall) else BLOCKS
    if op.text not in known:
        form = "(…)" if isinstance(node, nodes.AggregateCall) else " { … }"
        cx.report("OE1312", (op.start, op.end), args(name=op.text + form), notes=(Note("known"),))
        return UNKNOWN
    if cx.aggregate is not None:
        _nested(cx, node, cx.aggregate)
        return UNKNOWN
    if ranges_over_rows(node):
        return _over_rows(cx, node, op.text, hint)
    clause = open_aggregate(cx, node)
    cx.aggregate = node
    with cx.frame(clause.frames[node.index]), cx.state(True):
        _source(cx, node)
        check_atoms(cx, clause, parts_of(node).atoms)
        found = _value(cx, node, op.text, hint)
    cx.aggregate = None
    return found


def _over_rows(cx: Context, node: Node, op: str, hint: Type | None) -> Type:
    """`sum(e)`: over the rows of a group; where there are none, over nothing."""
    if not cx.grouped:
        value = parts_of(node).value
        infer_expr(cx, value)
        shown = value.text if value is not None else "e"
        note = Note("range", args(nearest=f"`{op}(x for x in xs)` or `{op}({shown}, P(…))`"))
        cx.report("OE1314", node, args(op=op), notes=(note,))
        return UNKNOWN
    cx.aggregate = node
    found = _value(cx, node, op, hint)
    cx.aggregate = None
    found = bare(found)
    return OptionOf(found) if cx.grouped == "all" and op in ("min", "max", "avg") else found


def _nested(cx: Context, node: Node, outer: View) -> None:
    """OE1311 at the word of the inner aggregate."""
    inner, around = node.op, getattr(outer, "op", None)
    if inner is not None and around is not None:
        values = args(construct=f"`{inner.text}`", of=around.text)
        note = Note("split", args(suggestion=inner.text + "_of"))
        cx.report("OE1311", (inner.start, inner.end), values, notes=(note,))


def _source(cx: Context, node: Node) -> None:
    """`for x in xs`: xs is a list or set."""
    source = parts_of(node).source
    if source is None:
        return
    found = infer_expr(cx, source.source)
    if source.source is not None and element_of(found) is None and not isinstance(found, Unknown):
        cx.report("OE0202", source.source, args(expected="[_]", found=show(found)))


def _value(cx: Context, node: Node, op: str, hint: Type | None) -> Type:
    value = parts_of(node).value
    if op in ("set", "collect"):
        element = hint.element if isinstance(hint, ListOf | SetOf) else None
        found = infer_expr(cx, value, element) if value is not None else _only(cx, node)
        return SetOf(found) if op == "set" else ListOf(found)
    if op == "one":
        return infer_expr(cx, value, hint) if value is not None else _only(cx, node)
    if op == "count":
        if value is not None:
            infer_expr(cx, value)
        return NAT
    found = infer_expr(cx, value, hint)
    if isinstance(found, Unknown):
        return UNKNOWN
    if value is not None and not _takes(op, bare(found)):
        note = Note("operator", args(construct=op, found=show(found)))
        cx.report("OE0202", value, args(expected="_", found=show(found)), notes=(note,))
        return UNKNOWN
    return REAL if op == "avg" and found in EXACT else found


def _takes(op: str, ty: Type) -> bool:
    """May the aggregate range over values of the type?"""
    if op in ("min", "max"):
        return is_ordered(ty, ty)
    return ty in (*EXACT, MONEY, FLOAT) or (op == "sum" and ty == DURATION)


def _only(cx: Context, node: Node) -> Type:
    """The type of the one variable of its own that a `set { … }` without `e from` ranges over."""
    own = own_variables(cx, node)
    if len(own) == 1:
        local = cx.locals[own[0]]
        return local.type
    name = node.op.text if node.op is not None else "one"
    cx.report("OE1316", node, args(op=name, found=len(own) or "no"), notes=(Note("value", args(op=name)),))
    return UNKNOWN


def own_variables(cx: Context, node: Node) -> list[int]:
    """The numbers of the locals that are the aggregate's own, `_` included."""
    return [local.number for local in cx.locals if local.scope == node.index]
