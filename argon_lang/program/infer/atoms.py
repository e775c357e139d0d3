"""Checks each atom of a rule body, once the variables have their types (language.md §3.9)."""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.problems import Edit, Fix, Note, Related, args
from argon_lang.program.infer.calls import infer_call, wildcard
from argon_lang.program.infer.clauses import Clause
from argon_lang.program.infer.closures import check_data
from argon_lang.program.infer.compat import overlaps
from argon_lang.program.infer.context import Context, Local
from argon_lang.program.infer.dispatch import check_expr, infer_expr
from argon_lang.program.infer.mismatch import accepts, report_mismatch
from argon_lang.program.infer.names import lone_name
from argon_lang.program.infer.patterns import check_pattern
from argon_lang.program.infer.steps import check_steps
from argon_lang.program.infer.typerefs import written_type
from argon_lang.program.types import BOOL, Type, Unknown
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def check_atoms(cx: Context, clause: Clause, atoms: Iterable[View]) -> None:
    """Check the atoms of a body as rule atoms."""
    with cx.state(True):
        for atom in atoms:
            _check(cx, clause, atom)


def _check(cx: Context, clause: Clause, atom: View | None) -> None:
    match atom:
        case None:
            return
        case nodes.NegatedAtom() if isinstance(_plain(atom.atom), nodes.AggregateCall | nodes.AggregateBlock):
            _negated_aggregate(cx, atom)
        case nodes.NegatedAtom():
            with cx.frame(clause.frames.get(atom.index, {})):
                _check(cx, clause, atom.atom)
        case nodes.ExistsAtom():
            with cx.frame(clause.frames.get(atom.index, {})):
                for inner in atom.body.atoms if atom.body else ():
                    _check(cx, clause, inner)
        case nodes.ParenExpr():
            _check(cx, clause, atom.inner)
            cx.types[atom.index] = BOOL
        case nodes.Call():
            _call(cx, atom)
        case nodes.TypeAtom():
            _membership(cx, atom)
        case nodes.BindAtom():
            _bind(cx, atom)
        case nodes.IsExpr():
            check_pattern(cx, atom.pattern, infer_expr(cx, atom.value), -1)
            cx.types[atom.index] = BOOL
        case nodes.StepAtom():
            check_steps(cx, atom)
        case _:
            check_expr(cx, atom, BOOL)


def _plain(node: View | None) -> View | None:
    """The node without parentheses around it."""
    return _plain(node.inner) if isinstance(node, nodes.ParenExpr) else node


def _negated_aggregate(cx: Context, atom: nodes.NegatedAtom) -> None:
    """OE1313 at the aggregate's word, with a comparison instead."""
    found = _plain(atom.atom)
    op = getattr(found, "op", None)
    if found is None or op is None:
        return
    suggestion = f"{found.text} == 0"
    fix = Fix("replace", (Edit(atom.start, atom.end, suggestion),), args(suggestion=suggestion))
    values = args(construct=f"`{op.text}`")
    shown = " ".join(suggestion.split())
    fixes = (fix,) if op.text in ("count", "sum") else ()
    cx.report("OE1313", (op.start, op.end), values, notes=(Note("compare", args(suggestion=shown)),), fixes=fixes)


def _call(cx: Context, atom: nodes.Call) -> None:
    found = infer_call(cx, atom, atom=True)
    cx.types[atom.index] = found
    if not isinstance(found, Unknown) and found != BOOL:
        report_mismatch(cx, atom, found, BOOL)


def _membership(cx: Context, atom: nodes.TypeAtom) -> None:
    wanted = written_type(cx, atom.type)
    if isinstance(atom.value, nodes.Wildcard):
        wildcard(cx, atom.value, wanted)
        return
    found = infer_expr(cx, atom.value)
    if atom.value is not None and not accepts(cx, atom.value, found, wanted, overlaps):
        report_mismatch(cx, atom.value, found, wanted)


def _bind(cx: Context, atom: nodes.BindAtom) -> None:
    name = lone_name(atom.target)
    local = cx.local(name) if name is not None else None
    target: Type = infer_expr(cx, atom.target)
    check_data(cx, atom.value, check_expr(cx, atom.value, target, overlaps))
    if atom.target is None:
        return
    if local is None:
        if atom.target.index in cx.names:
            _report_bound(cx, atom, atom.target.text, None)
        return
    earlier = [start for start in local.binders if start < atom.target.start]
    if local.given or earlier:
        _report_bound(cx, atom, local.name, _first_span(local, earlier))


def _first_span(local: Local, binders: list[int]) -> tuple[int, int]:
    first = min(binders, default=local.start)
    return next(((start, end) for start, end in local.occurrences if start == first), (local.start, local.end))


def _report_bound(cx: Context, atom: nodes.BindAtom, name: str, first: tuple[int, int] | None) -> None:
    """OE1306, with `==` as the fix."""
    related = (Related("first", *first, args=args(variable=name)),) if first is not None else ()
    equals = next((token for token in atom.own_tokens if token.kind == K.EQ), None)
    fixes = (Fix("compare", (Edit(equals.start, equals.end, "=="),)),) if equals is not None else ()
    at = atom.target or atom
    cx.report("OE1306", at, args(variable=name), related=related, notes=(Note("compare"),), fixes=fixes)
