"""Repeated steps over a binary relation: `a.R+(b)`, `*`, `{n,m}` (language §3.9)."""

from __future__ import annotations

from argon_lang.problems import Note, args
from argon_lang.program.findings import a_kind
from argon_lang.program.infer.calls import Callee, candidates, choose, wildcard
from argon_lang.program.infer.compat import overlaps
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import check_expr
from argon_lang.program.infer.names import lookup, report_miss
from argon_lang.program.infer.words import any_of
from argon_lang.program.model import ToSymbol
from argon_lang.program.paths import segments
from argon_lang.program.steps import MOST_STEPS, bounds_of
from argon_lang.program.types_of import bounds_reversed
from argon_lang.syntax import nodes

_STEPPED = ("relation", "predicate")


def stepped(cx: Context, node: nodes.StepAtom) -> Callee | None:
    """The binary relation or derived predicate that the atom steps over; None when there is none."""
    path = node.relation.path if node.relation is not None else None
    found = lookup(cx, segments(path)) if path is not None and segments(path) else None
    known = [each for each in candidates(cx, found) if each.symbol.kind in _STEPPED] if found is not None else []
    return choose(known, 2)


def check_steps(cx: Context, node: nodes.StepAtom) -> None:
    """Check a step atom: what it steps over, its two sides, its bounds."""
    callee = stepped(cx, node)
    given = node.args.args if node.args is not None else []
    if callee is None:
        _report(cx, node)
    elif node.relation is not None and node.relation.path is not None:
        last, symbol = segments(node.relation.path)[-1], callee.symbol
        meaning = ToSymbol(symbol.kind, symbol.path, symbol.arity if symbol.kind == "predicate" else None)
        cx.mean(node.relation.path, meaning, (last.start, last.end))
        check_expr(cx, node.source, callee.params[0].type, overlaps)
        if len(given) == 1 and isinstance(given[0], nodes.Wildcard):
            wildcard(cx, given[0], callee.params[1].type)
        elif len(given) == 1:
            check_expr(cx, given[0], callee.params[1].type, overlaps)
    if len(given) != 1 and node.args is not None:
        values = args(name=node.relation.text if node.relation is not None else "_", expected=any_of((1,)))
        cx.report("OE0209", node.args, (*values, ("found", str(len(given) or "none"))))
    _bounds(cx, node)


def _report(cx: Context, node: nodes.StepAtom) -> None:
    """What is stepped over is unknown, of another kind, or of another arity."""
    path = node.relation.path if node.relation is not None else None
    written = segments(path) if path is not None else ()
    if path is None or not written:
        return
    found, last = lookup(cx, written), written[-1]
    span = (last.start, last.end)
    known = [each for each in candidates(cx, found) if each.symbol.kind in _STEPPED]
    if found.code is not None:
        report_miss(cx, written, found, "relation")
    elif known:
        values = args(name=last.name, expected=any_of(len(each.params) for each in known), found=2)
        cx.report("OE0209", span, values)
    elif found.symbols and found.symbols[0].kind != "unsupported":
        values = args(name=last.name, found=a_kind(found.symbols[0]), expected="a relation of two ends")
        cx.report("OE0201", span, values)


def _bounds(cx: Context, node: nodes.StepAtom) -> None:
    """`{n,m}`: whole numbers in order, and not too many."""
    repetition = node.repetition
    if repetition is None or repetition.plus or repetition.star:
        return
    bounds = bounds_of(repetition)
    if bounds is not None and bounds[0] > bounds[1]:
        cx.problems.append(bounds_reversed("a repeated step", repetition.start, repetition.end))
    elif bounds is None or bounds[1] > MOST_STEPS:
        note = Note("admitted", args(expected=f"`{{n,m}}` of numbers with n <= m <= {MOST_STEPS}, or `+`"))
        values = args(construct="a repeated step", found=f"`{repetition.text}`")
        cx.report("OE0007", repetition, values, notes=(note,))
