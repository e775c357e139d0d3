"""`match`, `is` and their patterns (language §3.10): what each name means, and that no value is left over."""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.problems import Note, args
from argon_lang.program.infer.arms import missing_arms
from argon_lang.program.infer.compat import bare, element_of, join, overlaps
from argon_lang.program.infer.context import Context, Local
from argon_lang.program.infer.data import report_field
from argon_lang.program.infer.dispatch import check_expr, handles, infer_expr
from argon_lang.program.infer.exprs import warn_hidden
from argon_lang.program.infer.names import individual_type, lookup, report_kind, report_miss, use_variant, variant_of
from argon_lang.program.infer.words import counted, quoted
from argon_lang.program.model import FieldSig, ParamSig, Symbol, ToBinding, ToField, ToSymbol
from argon_lang.program.paths import Segment, name_of, name_token, normal, segments
from argon_lang.program.patterns import ANYTHING, Case, Constant, Either, Pattern, uncovered
from argon_lang.program.types import BOOL, UNKNOWN, ListOf, Named, SetOf, Type, Unknown, show
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

Arm = nodes.MatchArm | nodes.MatchStmtArm


@handles(nodes.MatchExpr)
def _match(cx: Context, node: nodes.MatchExpr, hint: Type | None) -> Type:
    subject = infer_expr(cx, node.scrutinee)
    wanted = hint if hint is not None and not isinstance(hint, Unknown) else None
    found: Type = UNKNOWN
    patterns: list[Pattern] = []
    for arm in node.arms:
        with cx.frame():
            patterns += check_arm(cx, arm, subject)
            ty = infer_expr(cx, arm.value, wanted if wanted is not None or isinstance(found, Unknown) else found)
        common = join(cx.declarations, found, ty)
        if common is None and wanted is None and arm.value is not None:
            cx.report("OE0202", arm.value, args(expected=show(found), found=show(ty)))
        found = common if common is not None else found
    check_covered(cx, node, subject, patterns, wanted or found)
    return found


def check_arm(cx: Context, arm: Arm, subject: Type) -> Iterable[Pattern]:
    """Check an arm's pattern and guard in the current frame; the pattern, when it has no guard."""
    pattern = check_pattern(cx, arm.pattern, subject, arm.index)
    if arm.guard is not None:
        check_expr(cx, arm.guard.condition, BOOL)
        return ()
    return (pattern,)


def check_covered(
    cx: Context,
    node: nodes.MatchExpr | nodes.MatchStmt,
    subject: Type,
    patterns: list[Pattern],
    result: Type | None = None,
) -> None:
    """OE0203 at the word `match` when some value has no arm; silent where the type or a pattern is in error.

    `result` is the type of its arms' values; None for a statement.
    """
    if isinstance(subject, Unknown) or any(each.code.startswith("OE") for each in cx.problems):
        return
    left = uncovered(patterns, subject, cx.declarations)
    if not left:
        return
    ty = bare(subject)
    related = cx.declared_at("declared", ty.path, type=show(ty)) if isinstance(ty, Named) else ()
    span = (node.start, node.start + len("match"))
    fixes = missing_arms(cx, node, left, subject, result)
    cx.report("OE0203", span, args(candidates=quoted(left)), related=related, notes=(Note("wildcard"),), fixes=fixes)


# -- patterns ---------------------------------------------------------------------------------------------------------


def check_pattern(cx: Context, node: nodes.Pattern | None, ty: Type, scope: int) -> Pattern:
    """Check a pattern against the type of what it is matched with, and introduce its names as locals of `scope`."""
    if node is None:
        return ANYTHING
    cx.types[node.index] = ty
    match node:
        case nodes.BindingPattern():
            return _binding(cx, node, node.name, ty, scope)
        case nodes.LiteralPattern():
            return _literal(cx, node, ty)
        case nodes.PathPattern():
            return _path(cx, node, ty)
        case nodes.TuplePattern():
            return _tuple(cx, node, ty, scope)
        case nodes.RecordPattern():
            return _record(cx, node, ty, scope)
        case nodes.OrPattern():
            return _either(cx, node, ty, scope)
        case _:
            return ANYTHING


def _binding(cx: Context, node: View, name: nodes.Name | None, ty: Type, scope: int) -> Pattern:
    token = name_token(name)
    if token is None:
        return ANYTHING
    text, span = normal(token.text), (token.start, token.end)
    if _is_variant(cx, text, ty):
        report_miss(cx, (Segment(text, *span),), cx.scope.lookup((text,)), "pattern")
        return ANYTHING
    known = cx.local(text) if scope < 0 else cx.frames[-1].get(text)
    if known is None:
        warn_hidden(cx, text, span)
        known = cx.declare(text, "pattern", span, ty, scope)
        known.given = True
    elif scope >= 0:
        cx.report("OE0007", span, args(construct="a pattern", found=f"second `{text}`"))
    cx.mean(node, ToBinding(known.number), span)
    return ANYTHING


def _is_variant(cx: Context, name: str, ty: Type) -> bool:
    """Is it a variant's name, written without its enum?"""
    plain = bare(ty)
    return isinstance(plain, Named) and plain.kind == "enum" and variant_of(cx, plain.path, name) is not None


def _literal(cx: Context, node: nodes.LiteralPattern, ty: Type) -> Pattern:
    found = infer_expr(cx, node.literal, bare(ty))
    if node.literal is not None and not overlaps(cx.declarations, found, bare(ty)):
        cx.report("OE0202", node, args(expected=show(ty), found=show(found)))
    return Case(node.text, ()) if ty == BOOL else Constant(node.text)


def _path(cx: Context, node: nodes.PathPattern, ty: Type) -> Pattern:
    path = segments(node.path) if node.path is not None else ()
    if not path or node.path is None:
        return ANYTHING
    found = lookup(cx, path)
    if found.variant is not None:
        params = _variant(cx, node, path, found.symbols[0], found.variant, ty)
        if params:
            _report_count(cx, path, found.symbols[0], found.variant, params, "none")
        return Case(found.variant, tuple(ANYTHING for _ in params))
    individual = next((symbol for symbol in found.symbols if symbol.kind == "individual"), None)
    if individual is not None:
        cx.mean(node, ToSymbol("individual", individual.path), (path[-1].start, path[-1].end))
        _fits(cx, node, individual_type(cx, individual.path), ty)
        return Constant(individual.path)
    _report_other(cx, path, "a pattern")
    return ANYTHING


def _report_other(cx: Context, path: tuple[Segment, ...], expected: str) -> None:
    found = lookup(cx, path)
    if found.code is not None:
        report_miss(cx, path, found, expected.split(" ", 1)[-1])
    elif found.symbols and found.symbols[0].kind != "unsupported":
        report_kind(cx, (path[-1].start, path[-1].end), found.symbols[0], expected)


def _variant(
    cx: Context, node: View, path: tuple[Segment, ...], enum: Symbol, variant: str, ty: Type
) -> tuple[ParamSig, ...]:
    """Record `Enum::Variant` on a pattern and compare its type; the parts of the variant's payload."""
    use_variant(cx, node, path, enum, variant)
    named = _as_matched("enum", enum, ty)
    _fits(cx, node, named, ty)
    sig = variant_of(cx, named, variant)
    return sig.payload if sig is not None else ()


def _as_matched(kind: str, symbol: Symbol, ty: Type) -> Named:
    """The enum or struct that a pattern names, with the type arguments of what is matched."""
    plain = bare(ty)
    same = isinstance(plain, Named) and plain.path == symbol.path
    given = plain.args if isinstance(plain, Named) and same else (UNKNOWN,) * len(symbol.parameters)
    return Named(kind, symbol.path, given)


def _fits(cx: Context, node: View, found: Type, ty: Type) -> None:
    if not overlaps(cx.declarations, found, ty):
        cx.report("OE0202", node, args(expected=show(ty), found=show(found)))


def _report_count(
    cx: Context, path: tuple[Segment, ...], enum: Symbol, variant: str, params: tuple[ParamSig, ...], found: object
) -> None:
    values = args(name=f"{enum.name}::{variant}", expected=counted(len(params), "part"), found=found)
    cx.report("OE0209", (path[-1].start, path[-1].end), values)


def _tuple(cx: Context, node: nodes.TuplePattern, ty: Type, scope: int) -> Pattern:
    path = segments(node.path) if node.path is not None else ()
    found = lookup(cx, path) if path else None
    if found is None or found.variant is None:
        if path:
            _report_other(cx, path, "an enum's variant")
        for each in node.elements:
            check_pattern(cx, each, UNKNOWN, scope)
        return ANYTHING
    params = _variant(cx, node, path, found.symbols[0], found.variant, ty)
    if len(params) != len(node.elements):
        _report_count(cx, path, found.symbols[0], found.variant, params, len(node.elements))
    types = [*(param.type for param in params), *[UNKNOWN] * len(node.elements)]
    parts = [check_pattern(cx, each, types[place], scope) for place, each in enumerate(node.elements)]
    return Case(found.variant, tuple([*parts, *[ANYTHING] * len(params)][: len(params)]))


def _record(cx: Context, node: nodes.RecordPattern, ty: Type, scope: int) -> Pattern:
    path = segments(node.path) if node.path is not None else ()
    found = lookup(cx, path) if path else None
    if found is not None and found.variant is not None:
        params = _variant(cx, node, path, found.symbols[0], found.variant, ty)
        owner = f"{found.symbols[0].name}::{found.variant}"
        return Case(found.variant, _fields(cx, node, {each.name: each for each in params}, owner, scope))
    struct = next((symbol for symbol in found.symbols if symbol.kind == "struct"), None) if found else None
    if struct is None:
        if path:
            _report_other(cx, path, "a struct")
        return Case("", _fields(cx, node, {}, "_", scope)) if not path else ANYTHING
    cx.mean(node, ToSymbol("struct", struct.path), (path[-1].start, path[-1].end))
    named = _as_matched("struct", struct, ty)
    _fits(cx, node, named, ty)
    fields = {sig.name: sig for sig in cx.declarations.fields(named)}
    return Case("", _fields(cx, node, fields, struct.name, scope))


def _fields(
    cx: Context, node: nodes.RecordPattern, known: dict[str, FieldSig] | dict[str, ParamSig], owner: str, scope: int
) -> tuple[Pattern, ...]:
    """The parts of a record in the order of its declaration; without `..` each is named."""
    given: dict[str, Pattern] = {}
    for each in node.fields:
        name = name_of(each.name) or ""
        sig = known.get(name)
        if sig is None:
            report_field(cx, each.name or each, name, owner, known)
        elif isinstance(sig, FieldSig) and each.name is not None:
            cx.mean(each.name, ToField("struct", sig.owner, name), (each.name.start, each.name.end))
        ty = sig.type if sig is not None else UNKNOWN
        cx.types[each.index] = ty
        if each.pattern is not None:
            given[name] = check_pattern(cx, each.pattern, ty, scope)
        else:
            given[name] = _binding(cx, each, each.name, ty, scope)
    missing = [name for name in known if name not in given]
    if missing and not node.open:
        cx.report("OE0224", node, args(of=owner, name=quoted(missing)), notes=(Note("open"),))
    return tuple(given.get(name, ANYTHING) for name in known)


def _either(cx: Context, node: nodes.OrPattern, ty: Type, scope: int) -> Pattern:
    """`a | b`: each alternative introduces the same names."""
    first: dict[str, Local] | None = None
    alternatives = []
    for each in node.alternatives:
        with cx.frame():
            alternatives.append(check_pattern(cx, each, ty, scope))
            made = dict(cx.frames[-1])
        if first is not None and set(made) != set(first):
            values = args(construct="an alternative of a pattern", found="other names than the first introduces")
            cx.report("OE0007", each, values)
        first = made if first is None else first
    cx.frames[-1].update(first or {})
    return Either(tuple(alternatives))


# -- comprehensions ---------------------------------------------------------------------------------------------


@handles(nodes.Comprehension)
def _comprehension(cx: Context, node: nodes.Comprehension, hint: Type | None) -> Type:
    source = node.source
    items = infer_expr(cx, source.source) if source is not None else UNKNOWN
    if source is not None and source.source is not None and element_of(items) is None and items != UNKNOWN:
        cx.report("OE0202", source.source, args(expected="[_]", found=show(items)))
    wanted = bare(hint) if hint is not None else UNKNOWN
    with cx.frame():
        token = name_token(source.name) if source is not None else None
        if source is not None and source.name is not None and token is not None:
            name, span = normal(token.text), (token.start, token.end)
            warn_hidden(cx, name, span)
            element = element_of(items) or UNKNOWN
            local = cx.declare(name, "pattern", span, element, node.index)
            local.given = True
            cx.mean(source.name, ToBinding(local.number), span)
        if node.where is not None:
            check_expr(cx, node.where.condition, BOOL)
        found = infer_expr(cx, node.element, wanted.element if isinstance(wanted, ListOf | SetOf) else None)
    return ListOf(wanted.element if isinstance(wanted, ListOf) and not isinstance(wanted.element, Unknown) else found)
