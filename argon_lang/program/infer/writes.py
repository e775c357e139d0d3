"""`insert`, `update` and `delete` (language.md §3.11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from argon_lang.problems import Edit, Fix, Note, Related, args
from argon_lang.program.infer.abstract import check_asserted, check_instantiable
from argon_lang.program.infer.calls import candidates, choose, wildcard
from argon_lang.program.infer.compat import bare, fits, overlaps, related
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.data import (
    added_fields,
    check_inits,
    must_be_given,
    report_field,
    report_missing,
    report_view,
)
from argon_lang.program.infer.dispatch import check_expr, infer_expr
from argon_lang.program.infer.members import to_field
from argon_lang.program.infer.names import lone_name, lookup, name_value, resolve_kind
from argon_lang.program.infer.typerefs import written_type
from argon_lang.program.infer.words import any_of, counted, short
from argon_lang.program.intrinsics import arithmetic_result
from argon_lang.program.model import FieldSig, ParamSig, Symbol, ToBinding, ToField, ToIntrinsic
from argon_lang.program.paths import Segment, name_of, name_token, segments
from argon_lang.program.types import (
    BOOL,
    DATE,
    DATETIME,
    ENTITY,
    UNKNOWN,
    ListOf,
    Named,
    SetOf,
    Type,
    Unknown,
    show,
)
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def infer_insert(cx: Context, node: nodes.Insert | None) -> Type:
    """Check an insert; the type of what it yields."""
    match node:
        case nodes.InsertEntity():
            found = _entity(cx, node)
        case nodes.InsertTuple():
            found = _tuple(cx, node)
        case nodes.InsertInto():
            _into(cx, node)
            found = UNKNOWN
        case _:
            return UNKNOWN
    cx.types[node.index] = found
    return found


# -- insert -----------------------------------------------------------------------------------------------------------


def _entity(cx: Context, node: nodes.InsertEntity) -> Type:
    if _derived(cx, node.path, "inserted", None):
        return UNKNOWN
    symbol = resolve_kind(cx, node.path, ("concept",), "a concept")
    if symbol is None or node.path is None:
        return UNKNOWN
    ty = Named("concept", symbol.path)
    check_instantiable(cx, node.path, symbol)
    check_asserted(cx, node, node, symbol)
    _construct(cx, node.path, symbol, node.fields)
    return ty


def _construct(
    cx: Context, path: View, symbol: Symbol, inits: nodes.FieldInits | None, held: tuple[Type, ...] = ()
) -> None:
    """The fields of a new membership; those of concepts that the individual has already are not asked again."""
    ty = Named("concept", symbol.path)
    given = check_inits(cx, inits, ty, related)
    had = {sig.owner for other in held for sig in cx.declarations.fields(other)}
    missing = [
        sig
        for sig in cx.declarations.fields(ty)
        if must_be_given(sig) and sig.name not in given and sig.owner not in had
    ]
    if missing and not cx.in_rejects:
        report_missing(cx, "OE0669", (path.start, path.end), inits, symbol.name, missing)


def _tuple(cx: Context, node: nodes.InsertTuple) -> Type:
    given = list(node.args.args) if node.args else []
    for clause in (node.at, node.until):
        if clause is not None:
            check_instant(cx, clause.value)
    if lone_name(node.path) == "iof":
        return _membership(cx, node, given)
    if _derived(cx, node.path, "inserted", len(given)):
        return UNKNOWN
    symbol = resolve_kind(cx, node.path, ("relation", "concept"), "a relation")
    if symbol is None:
        for each in given:
            infer_expr(cx, each)
        return UNKNOWN
    if symbol.kind == "concept":
        _report_mint(cx, node, symbol, given)
        return UNKNOWN
    check_instantiable(cx, node.path, symbol)
    check_ends(cx, node.path or node, symbol, given, writing=True)
    check_inits(cx, node.fields, Named("relation", symbol.path), related)
    return Named("relation", symbol.path)


def check_ends(cx: Context, at: View, symbol: Symbol, given: Sequence[View], *, writing: bool) -> None:
    """The arguments of a relation tuple. `writing`: no `_`, and the values are stored."""
    sig = cx.declarations.relation(symbol.path)
    ends = sig.ends if sig is not None else ()
    if sig is not None and len(ends) != len(given):
        report_count(cx, at, symbol, ends, len(given))
    for place, each in enumerate(given):
        ty = ends[place].type if place < len(ends) else UNKNOWN
        if isinstance(each, nodes.Wildcard) and not writing:
            wildcard(cx, each, ty)
        elif isinstance(each, nodes.Wildcard):
            cx.report("OE0007", each, args(construct="`insert`", found="`_`"))
        else:
            check_expr(cx, each, ty, related if writing else overlaps, symbol.path)


def report_count(cx: Context, at: View, symbol: Symbol, ends: tuple[ParamSig, ...], given: int) -> None:
    """OE0209 for a tuple with the wrong number of ends."""
    signature = f"{symbol.name}({', '.join(f'{end.name}: {show(end.type)}' for end in ends)})"
    values = args(name=symbol.name, expected=counted(len(ends)), found=given or "none")
    declared = cx.declared_at("declared", symbol.path, signature=signature)
    cx.report("OE0209", at, values, related=declared, notes=(Note("signature", args(signature=signature)),))


def _membership(cx: Context, node: nodes.InsertTuple, given: Sequence[View]) -> Type:
    """`insert iof(x, T) { … }`; from here on x is known to be a T."""
    symbol = iof_concept(cx, node, node.path, given, writing=True)
    if symbol is None:
        return UNKNOWN
    ty = Named("concept", symbol.path)
    check_instantiable(cx, given[1] if isinstance(given[1], nodes.Path) else None, symbol)
    check_asserted(cx, node, node, symbol)
    meaning = cx.names.get(given[0].index)
    local = cx.locals[meaning.id] if isinstance(meaning, ToBinding) else None
    held = (cx.types.get(given[0].index, UNKNOWN), *(local.narrowed if local else ()))
    _construct(cx, given[1], symbol, node.fields, tuple(each for each in held if isinstance(each, Named)))
    if local is not None:
        local.narrowed = (*local.narrowed, ty)
    return ty


def iof_concept(
    cx: Context, node: View, path: nodes.Path | None, given: Sequence[View], *, writing: bool
) -> Symbol | None:
    """The concept of `iof(x, T)`; the individual is checked to be one."""
    if path is not None:
        cx.mean(path, ToIntrinsic("iof"))
        cx.mean(node, ToIntrinsic("iof"))
    if len(given) != 2 or path is None:
        cx.report("OE0209", path or node, args(name="iof", expected=counted(2), found=len(given) or "none"))
        return None
    if isinstance(given[0], nodes.Wildcard) and not writing:
        wildcard(cx, given[0], UNKNOWN)
    else:
        check_expr(cx, given[0], ENTITY, related)
    if not isinstance(given[1], nodes.Path):
        cx.report("OE0201", given[1], args(name=given[1].text, found="a value", expected="a concept"))
        return None
    return resolve_kind(cx, given[1], ("concept",), "a concept")


def _report_mint(cx: Context, node: nodes.InsertTuple, symbol: Symbol, given: Sequence[View]) -> None:
    """OE0007: `insert T(x)` could mean two things; `iof` classifies, braces mint."""
    for each in given:
        infer_expr(cx, each)
    path = node.path or node
    fixes: tuple[Fix, ...] = ()
    missing = [sig for sig in cx.declarations.fields(Named("concept", symbol.path)) if must_be_given(sig)]
    fields = added_fields(cx, missing) if node.fields is None else ""
    if len(given) == 1 and node.args is not None and fields is not None:
        suggestion = f"iof({given[0].text}, {path.text}){f' {{ {fields} }}' if fields else ''}"
        edit = Edit(path.start, node.args.end, suggestion)
        fixes = (Fix("iof", (edit,), args(suggestion=f"insert {suggestion}"), safe=not fields),)
    values = args(construct=f"`insert` of the concept `{symbol.name}`", found="`(…)`")
    cx.report("OE0007", path, values, notes=(Note("mint", args(name=symbol.name)),), fixes=fixes)


def _into(cx: Context, node: nodes.InsertInto) -> None:
    """`insert e into x.f` adds to a many field that may change."""
    target = node.target.field if node.target else None
    found = infer_expr(cx, target)
    element: Type = UNKNOWN
    if isinstance(found, ListOf | SetOf):
        element = found.element
    elif target is not None and not isinstance(found, Unknown):
        cx.report("OE0202", target, args(expected=f"[{show(bare(found))}]", found=show(found)))
    check_expr(cx, node.value, element, related)
    meaning = cx.names.get(target.index) if target is not None and isinstance(found, ListOf | SetOf) else None
    if isinstance(target, nodes.FieldExpr) and isinstance(meaning, ToField) and target.name is not None:
        sig = cx.declarations.field(Named(meaning.kind, meaning.owner), meaning.name)
        _must_be_mutable(cx, (target.name.start, target.name.end), sig)


def check_instant(cx: Context, node: nodes.Expr | None) -> None:
    """`at` and `until` take a Date or a DateTime."""
    found = infer_expr(cx, node)
    if node is not None and found not in (DATE, DATETIME) and not isinstance(found, Unknown):
        cx.report("OE0202", node, args(expected="Date", found=show(found)))


def _derived(cx: Context, path: nodes.Path | None, action: str, arity: int | None) -> bool:
    """OE0213 when the path names a derived predicate and nothing else that could be written."""
    written = segments(path) if path is not None else ()
    found = lookup(cx, written) if written else None
    symbols = found.symbols if found is not None and found.variant is None else ()
    predicates = [symbol for symbol in symbols if symbol.kind == "predicate"]
    stored = [symbol for symbol in symbols if symbol.kind in ("concept", "relation")]
    if not predicates or found is None:
        return False
    chosen = choose(candidates(cx, found), arity) if arity is not None else None
    if stored and (chosen is None or chosen.symbol.kind != "predicate"):
        return False
    report_derived(cx, (written[-1].start, written[-1].end), predicates[0], action)
    return True


def report_derived(cx: Context, span: tuple[int, int], symbol: Symbol, action: str) -> None:
    """OE0213: what rules derive is not written."""
    clause = cx.declared_at("clause", symbol.path)
    cx.report("OE0213", span, args(name=symbol.name, found=action), related=clause)


# -- update -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Target:
    """What an update touches: the types that may declare its fields."""

    types: tuple[Type, ...]


def infer_update(cx: Context, node: nodes.UpdateStmt) -> None:
    """`update b set { f = e } where p`: the one that b is, or every T when b is new."""
    token, name = name_token(node.name), name_of(node.name)
    if token is None or name is None or node.name is None:
        return
    segment = Segment(name, token.start, token.end)
    known = cx.local(name) is not None or not cx.scope.lookup((name,)).code
    wanted = written_type(cx, node.type) if node.type is not None else UNKNOWN
    if known or node.type is None:
        found = name_value(cx, node.name, segment)
        cx.types[node.name.index] = found
        _check_annotation(cx, node, found, wanted)
        _update_body(cx, node, _target(cx, node.name, found, wanted))
        return
    with cx.frame():
        local = cx.declare(name, "variable", (token.start, token.end), wanted, node.index)
        cx.mean(node.name, ToBinding(local.number), (token.start, token.end))
        cx.types[node.name.index] = wanted
        _update_body(cx, node, _Target((wanted,)))


def _check_annotation(cx: Context, node: nodes.UpdateStmt, found: Type, wanted: Type) -> None:
    if node.type is not None and not related(cx.declarations, found, wanted):
        cx.report("OE0202", node.type, args(expected=show(found), found=show(wanted)))


def _target(cx: Context, name: View, found: Type, wanted: Type) -> _Target:
    meaning = cx.names.get(name.index)
    local = cx.locals[meaning.id] if isinstance(meaning, ToBinding) else None
    extra = local.narrowed if local is not None else ()
    return _Target(tuple(ty for ty in (wanted, found, *extra) if not isinstance(ty, Unknown)))


def _update_body(cx: Context, node: nodes.UpdateStmt, target: _Target) -> None:
    for each in node.assignments.assignments if node.assignments else ():
        _assignment(cx, each, target)
    if node.where is not None:
        check_expr(cx, node.where.condition, BOOL)
    if node.at is not None:
        check_instant(cx, node.at.value)


def _assignment(cx: Context, node: nodes.Assignment, target: _Target) -> None:
    name, token = name_of(node.name), name_token(node.name)
    if name is None or token is None or node.name is None:
        return
    owned = [(ty, sig) for ty in target.types if isinstance(ty, Named) and (sig := cx.declarations.field(ty, name))]
    if not owned:
        infer_expr(cx, node.value)
        _report_no_field(cx, node.name, name, target)
        return
    owner, sig = owned[0]
    cx.mean(node.name, to_field(owner, sig), (token.start, token.end))
    _must_be_mutable(cx, (token.start, token.end), sig)
    if node.op is not None and node.op.kind != K.EQ:
        _compound(cx, node, sig)
    else:
        check_expr(cx, node.value, sig.type, related, sig.owner)


def _report_no_field(cx: Context, at: View, name: str, target: _Target) -> None:
    ty = next((each for each in target.types if isinstance(each, Named)), None)
    if ty is not None:
        names = [sig.name for sig in cx.declarations.fields(ty)]
        report_field(cx, at, name, show(ty), names, cx.declared_at("declared", ty.path, of=show(ty)))
    elif target.types:
        report_field(cx, at, name, show(target.types[0]), ())


def _compound(cx: Context, node: nodes.Assignment, sig: FieldSig) -> None:
    """`f += e`: what `f = f + e` would be; a many field gains or loses one element or several."""
    op = (node.op.text if node.op else "+=")[0]
    stored = bare(sig.type)
    found = infer_expr(cx, node.value, stored)
    if isinstance(found, Unknown) or isinstance(stored, Unknown) or node.value is None:
        return
    if isinstance(stored, ListOf):
        some = (ListOf(stored.element), stored.element)
        if any(fits(cx.declarations, found, ty) for ty in some):
            return
    result = arithmetic_result(op, stored, found)
    if result is None or not fits(cx.declarations, result, stored):
        note = Note("operator", args(construct=f"{op}=", found=f"{show(stored)} {op} {show(found)}"))
        cx.report("OE0202", node.value, args(expected=show(stored), found=show(found)), notes=(note,))


def _must_be_mutable(cx: Context, span: tuple[int, int], sig: FieldSig | None) -> None:
    if sig is None or report_view(cx, span, sig) or sig.mutable or cx.in_rejects:
        return
    note = Note("make_mut", args(name=sig.name))
    declared: tuple[Related, ...] = cx.declared_at("declared", sig.owner)
    cx.report("OE0231", span, args(of=short(sig.owner), name=sig.name), related=declared, notes=(note,))


# -- delete -----------------------------------------------------------------------------------------------------------


def infer_delete(cx: Context, node: nodes.DeleteStmt) -> None:
    """`delete iof(x, T)`, `delete T(x)`, `delete R(a, _)`."""
    if node.at is not None:
        check_instant(cx, node.at.value)
    if lone_name(node.path) == "iof":
        given = list(node.args.args) if node.args else []
        concept = iof_concept(cx, node, node.path, given, writing=False)
        if concept is not None:
            _check_deletable(cx, given[1], concept)
        return
    _closed(cx, node, "deleted")


def _closed(cx: Context, node: nodes.DeleteStmt | nodes.ForgetStmt, done: str) -> Symbol | None:
    """The relation or concept whose tuple or membership is `done` away with; None for one that was refused."""
    given = list(node.args.args) if node.args else []
    if _derived(cx, node.path, done, len(given)):
        return None
    symbol = resolve_kind(cx, node.path, ("relation", "concept"), "a relation")
    if symbol is None or node.path is None:
        for each in given:
            if not isinstance(each, nodes.Wildcard):
                infer_expr(cx, each)
        return None
    cx.mean(node, cx.names[node.path.index])
    if symbol.kind == "relation":
        check_ends(cx, node.path, symbol, given, writing=False)
    else:
        _delete_membership(cx, node, symbol, given)
    return symbol


def infer_forget(cx: Context, node: nodes.ForgetStmt) -> None:
    """`forget T(x)`, `forget R(a, _)`, of what allows it (OE0730)."""
    symbol = _closed(cx, node, "forgotten")
    if symbol is not None and node.path is not None and not _forgettable(cx, symbol):
        cx.report("OE0730", node.path, args(name=symbol.name), notes=(Note("grant"),))


def _forgettable(cx: Context, symbol: Symbol) -> bool:
    """Does it allow erasure itself, or something above it?"""
    owners = (symbol.path, *cx.declarations.supers(symbol.path))
    known = (cx.declarations.concept(path) or cx.declarations.relation(path) for path in owners)
    return any(each is not None and each.forgettable for each in known)


def _check_deletable(cx: Context, at: View, symbol: Symbol) -> None:
    """OE0213 for a concept whose membership is derived."""
    sig = cx.declarations.concept(symbol.path)
    if sig is not None and sig.derived:
        report_derived(cx, (at.start, at.end), symbol, "deleted")


def _delete_membership(
    cx: Context, node: nodes.DeleteStmt | nodes.ForgetStmt, symbol: Symbol, given: Sequence[View]
) -> None:
    _check_deletable(cx, node.path or node, symbol)
    if len(given) != 1:
        values = args(name=symbol.name, expected=any_of((1,)), found=len(given) or "none")
        cx.report("OE0209", node.path or node, values)
    for each in given:
        if isinstance(each, nodes.Wildcard):
            wildcard(cx, each, Named("concept", symbol.path))
        else:
            check_expr(cx, each, Named("concept", symbol.path), overlaps)
