"""What a `#[defeats(p.label(args))]` attacks, checked where it is written (language.md §3.8, semantics S5)."""

from __future__ import annotations

from collections.abc import Sequence

from argon_lang.problems import Edit, Fix, Note, Related, args
from argon_lang.program.defeat import Target, targets
from argon_lang.program.findings import a_kind, declared_at, prefix_uses
from argon_lang.program.infer.compat import overlaps
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import check_expr
from argon_lang.program.infer.names import lone_name, lookup, report_miss
from argon_lang.program.infer.numbers import is_constant
from argon_lang.program.infer.words import quoted
from argon_lang.program.infer.writes import report_count
from argon_lang.program.model import CallableSig, Lookup, ParamSig, Symbol, ToSymbol
from argon_lang.program.paths import Segment, segments
from argon_lang.program.spelling import near
from argon_lang.program.types import ENTITY, UNKNOWN, TypeVar
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def target_arguments(root: nodes.DeriveDecl) -> list[View]:
    """The arguments of all that a clause attacks: they read its variables and introduce none."""
    return [each for target in targets(root) for each in target.args if not isinstance(each, nodes.Wildcard)]


def check_targets(cx: Context, root: nodes.DeriveDecl) -> None:
    """OE0520 and OE0521 of what a clause attacks, and the types of the arguments."""
    for target in targets(root):
        path = segments(target.path)
        symbol = _predicate(cx, target, path, lookup(cx, path)) if path else None
        params: Sequence[ParamSig] = ()
        if symbol is not None:
            params = _params(cx, target, path, symbol)
        for place, each in enumerate(target.args):
            _argument(cx, each, params[place] if place < len(params) else ParamSig("_", UNKNOWN))


def _predicate(cx: Context, target: Target, path: tuple[Segment, ...], found: Lookup) -> Symbol | None:
    """The derived predicate of as many arguments; one of another number where none has as many."""
    last = path[-1]
    if found.code == "OE0101":
        _unknown(cx, last, _predicates(cx))
    elif found.code is not None:
        report_miss(cx, path, found, "predicate")
    symbols = [each for each in found.symbols if each.kind == "predicate" and found.variant is None]
    if not symbols and found.code is None and not any(each.kind == "unsupported" for each in found.symbols):
        shown = a_kind(found.symbols[0]) if found.symbols else "a built-in type"
        values = args(name=last.name, found=shown, expected="a derived predicate")
        cx.report("OE0201", (last.start, last.end), values)
    fitting = (each for each in symbols if each.arity == len(target.args))
    return next(fitting, symbols[0] if symbols else None)


def _params(cx: Context, target: Target, path: tuple[Segment, ...], symbol: Symbol) -> tuple[ParamSig, ...]:
    """What the arguments must be, once the target is known to admit an attack."""
    cx.uses.extend(prefix_uses(path, symbol))
    cx.mean(target.path, ToSymbol("predicate", symbol.path, symbol.arity), (path[-1].start, path[-1].end))
    sig = cx.declarations.callable("predicate", symbol.path, symbol.arity)
    params = sig.params if sig is not None else ()
    if symbol.arity != len(target.args):
        report_count(cx, target.path, symbol, params, len(target.args))
        return ()
    clauses = cx.declarations.clauses(symbol.path, symbol.arity)
    labels = sorted({each.label for each in clauses} - {""})
    if target.label is not None and target.label_name not in labels:
        span = (target.label.start, target.label.end)
        _unknown(cx, Segment(target.label_name, *span), labels, of=symbol.name)
    else:
        _admits(cx, target, path[-1], symbol, clauses)
    return params


def _admits(cx: Context, target: Target, last: Segment, symbol: Symbol, clauses: Sequence[CallableSig]) -> None:
    """OE0521 where no clause that is meant holds by default only."""
    label = target.label
    if any(each.default for each in clauses if label is None or each.label == target.label_name):
        return
    name = symbol.name if label is None else f"{symbol.name}.{target.label_name}"
    at = (last.start, last.end) if label is None else (label.start, label.end)
    related = (Related("strict", place=declared_at(symbol.items[0])),) if symbol.items else ()
    cx.report("OE0521", at, args(name=name), related=related, notes=(Note("default"),))


def _predicates(cx: Context) -> list[str]:
    return [name for name, symbols in cx.scope.names().items() if any(each.kind == "predicate" for each in symbols)]


def _unknown(cx: Context, at: Segment, known: Sequence[str], of: str = "") -> None:
    close = near(at.name, known, 1)
    notes, fixes = [], tuple[Fix, ...]()
    if close:
        suggestion = args(suggestion=close[0])
        notes.append(Note("suggest", suggestion))
        fixes = (Fix("replace", (Edit(at.start, at.end, close[0]),), suggestion),)
    elif of:
        notes.append(Note("labels", args(of=of, candidates=quoted(known))) if known else Note("none", args(of=of)))
    cx.report("OE0520", (at.start, at.end), args(name=at.name), notes=tuple(notes), fixes=fixes)


def _argument(cx: Context, node: View, param: ParamSig) -> None:
    """A variable of the clause, a constant, or `_` for any value."""
    if isinstance(node, nodes.Wildcard):
        return
    name = lone_name(node)
    if name is not None and cx.local(name) is None and lookup(cx, segments(_path(node))).code == "OE0101":
        close = near(name, [each for each in cx.visible() if each != "_"], 1)
        note = Note("suggest", args(suggestion=close[0])) if close else Note("target")
        cx.report("OE1303", node, args(variable=name), notes=(note,))
    elif name is None and not is_constant(node):
        expected = "a variable of the clause, a constant, or `_`"
        values = args(name="defeats", found="attacks a computed value")
        cx.report("OE0702", node, values, notes=(Note("expected", args(expected=expected)),))
    else:
        of_trait = isinstance(param.type, TypeVar)
        check_expr(cx, node, ENTITY if of_trait else param.type, overlaps)


def _path(node: View) -> nodes.Path:
    return nodes.Path(node.item, node.index)
