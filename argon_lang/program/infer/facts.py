"""Declared facts and ground `derive`s: constants only (language.md §3.7)."""

from __future__ import annotations

from collections.abc import Sequence

from argon_lang.problems import Edit, Fix, Note, args
from argon_lang.program.infer.abstract import check_asserted, check_instantiable
from argon_lang.program.infer.compat import overlaps, related
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.data import check_inits
from argon_lang.program.infer.dispatch import Fit, check_expr, infer_expr
from argon_lang.program.infer.names import individual_type, lookup, resolve_kind
from argon_lang.program.infer.numbers import is_constant
from argon_lang.program.infer.writes import check_instant, report_count, report_derived
from argon_lang.program.model import ParamSig, Symbol, ToSymbol
from argon_lang.program.paths import Segment, name_of, name_token, normal, segments
from argon_lang.program.spelling import near
from argon_lang.program.types import UNKNOWN, Named, Type
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def infer_fact(cx: Context, node: nodes.FactDecl) -> None:
    """Check a fact, or a strong negative, which may be about what rules derive and about what has no instances."""
    if node.predicate is None:
        return
    given = list(node.args.args) if node.args else []
    for clause in (node.at, node.until):
        if clause is not None:
            _constant(cx, clause.value)
            check_instant(cx, clause.value)
    path = segments(node.predicate)
    found = lookup(cx, path) if path else None
    kinds = {symbol.kind for symbol in found.symbols} if found is not None else set()
    if node.negative and "predicate" in kinds and found is not None:
        _denied(cx, node, path[-1], found.symbols, given)
        return
    if "predicate" in kinds and not kinds & {"concept", "relation"} and found is not None:
        report_derived(cx, (path[-1].start, path[-1].end), found.symbols[0], "asserted by a fact")
        return
    symbol = resolve_kind(cx, node.predicate, ("concept", "relation"), "a concept or relation")
    if symbol is not None and not node.negative:
        check_instantiable(cx, node.predicate, symbol)
        check_asserted(cx, node, node, symbol)
    if symbol is not None:
        _arguments(cx, node, symbol, given)


def _denied(
    cx: Context, node: nodes.FactDecl, segment: Segment, symbols: Sequence[Symbol], given: Sequence[View]
) -> None:
    """`not_fact p(…)`: of several things of one name the one of as many arguments."""
    known = [(each, fact_params(cx, each)) for each in symbols if each.kind in ("predicate", "concept", "relation")]
    symbol, params = next((pair for pair in known if len(pair[1]) == len(given)), known[0])
    if node.predicate is not None:
        arity = symbol.arity if symbol.kind == "predicate" else None
        cx.mean(node.predicate, ToSymbol(symbol.kind, symbol.path, arity), (segment.start, segment.end))
    if symbol.kind != "predicate":
        _arguments(cx, node, symbol, given)
        return
    if len(params) != len(given):
        report_count(cx, node.predicate or node, symbol, params, len(given))
    for place, each in enumerate(given):
        _argument(cx, node, each, params[place].type if place < len(params) else UNKNOWN, overlaps, symbol.path)
    if node.fields is not None:
        cx.report("OE0007", node.fields, args(construct="a derived predicate", found="field"))


def _arguments(cx: Context, node: nodes.FactDecl, symbol: Symbol, given: Sequence[View]) -> None:
    params = fact_params(cx, symbol)
    if len(params) != len(given):
        report_count(cx, node.predicate or node, symbol, params, len(given))
    for place, each in enumerate(given):
        _argument(cx, node, each, params[place].type if place < len(params) else UNKNOWN, related, symbol.path)
    check_inits(cx, node.fields, Named(symbol.kind, symbol.path), related, lambda value: _constant(cx, value))


def _argument(cx: Context, node: nodes.FactDecl, each: View, ty: Type, fit: Fit, of: str) -> None:
    _constant(cx, each)
    if isinstance(each, nodes.Wildcard):
        cx.report("OE0007", each, args(construct="`not_fact`" if node.negative else "a fact", found="`_`"))
    else:
        check_expr(cx, each, ty, fit, of)


def fact_params(cx: Context, symbol: Symbol) -> tuple[ParamSig, ...]:
    """What the arguments of a fact of this concept or relation must be."""
    if symbol.kind == "concept":
        return (ParamSig("x", Named("concept", symbol.path)),)
    if symbol.kind == "predicate":
        clauses = cx.declarations.callable("predicate", symbol.path, symbol.arity)
        return clauses.params if clauses is not None else ()
    sig = cx.declarations.relation(symbol.path)
    return sig.ends if sig is not None else ()


def _constant(cx: Context, node: View | None) -> None:
    if node is not None and not isinstance(node, nodes.Wildcard) and not is_constant(node):
        cx.report("OE0007", node, args(construct="a fact", found="computed value"))


# -- ground clauses ---------------------------------------------------------------------------------------------------


def infer_ground(cx: Context, node: nodes.DeriveDecl, params: tuple[ParamSig, ...]) -> None:
    """`derive P(a, 3);`: literals, enum values and known individuals; anything else is OE1342."""
    for place, each in enumerate(node.head.params if node.head else ()):
        ty = params[place].type if place < len(params) else UNKNOWN
        if isinstance(each, nodes.HeadVar):
            _ground_name(cx, node, each)
        elif is_constant(each):
            check_expr(cx, each, ty, overlaps)
        else:
            infer_in_trial(cx, each)
            _report_not_ground(cx, node, each, each.text)


def infer_in_trial(cx: Context, node: View) -> None:
    """Give types to what is refused anyway, without a second report."""
    with cx.trial():
        infer_expr(cx, node)


def _ground_name(cx: Context, node: nodes.DeriveDecl, head: nodes.HeadVar) -> None:
    token, name = name_token(head.name), name_of(head.name)
    if token is None or name is None or head.name is None:
        return
    symbols = cx.scope.lookup((name,)).symbols if head.type is None else ()
    individual = next((symbol for symbol in symbols if symbol.kind == "individual"), None)
    if individual is None:
        _report_not_ground(cx, node, head, name)
        return
    meaning = ToSymbol("individual", individual.path)
    cx.mean(head, meaning)
    cx.mean(head.name, meaning, (token.start, token.end))
    cx.types[head.index] = cx.types[head.name.index] = individual_type(cx, individual.path)


def _report_not_ground(cx: Context, node: nodes.DeriveDecl, at: View, text: str) -> None:
    name = normal(name_of(node.name) or "_")
    individuals = [
        shown for shown, symbols in cx.scope.names().items() if any(symbol.kind == "individual" for symbol in symbols)
    ]
    close = near(text, individuals, 1)
    fixes: tuple[Fix, ...] = ()
    if close:
        note = Note("suggest", args(suggestion=close[0]))
        fixes = (Fix("replace", (Edit(at.start, at.end, close[0]),), args(suggestion=close[0]), safe=False),)
    else:
        note = Note("body", args(name=name))
    cx.report("OE1342", at, args(name=name, variable=text), notes=(note,), fixes=fixes)


def head_literal(cx: Context, node: View, ty: ParamSig | None) -> None:
    """A literal, individual or enum value in the head of a rule with a body."""
    if not is_constant(node):
        infer_in_trial(cx, node)
        cx.report("OE0007", node, args(construct="the head of a rule", found="computed value"))
        return
    check_expr(cx, node, ty.type if ty is not None else UNKNOWN, overlaps)
