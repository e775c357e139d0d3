"""`x.f`: stored fields, struct members, tuple ends, properties; and `x.m(…)`: methods."""

from __future__ import annotations

from typing import Literal as OneOf

from argon_lang.problems import Edit, Fix, Note, args
from argon_lang.program.infer.compat import bare, fits, is_entity, join
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import handles, infer_expr
from argon_lang.program.infer.mismatch import report_mismatch
from argon_lang.program.infer.numbers import is_number
from argon_lang.program.infer.words import any_of, quoted, short
from argon_lang.program.intrinsics import INTRINSICS, ON_ABSENT, Intrinsic, Signature, intrinsic_result, solved
from argon_lang.program.model import FieldSig, ToBinding, ToEnd, ToField, ToIntrinsic, ToSymbol
from argon_lang.program.paths import normal
from argon_lang.program.spelling import near
from argon_lang.program.types import (
    NAT,
    UNKNOWN,
    FnOf,
    ListOf,
    Named,
    OptionOf,
    RecordOf,
    SetOf,
    Type,
    TypeVar,
    Unknown,
    show,
    substituted,
)
from argon_lang.program.unify import unify, variables
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Token, View

_TRIED = 1
"""Folds in folds of which each is tried before it is checked."""
_MEMBERS = {name: entry for name, entry in INTRINSICS.items() if entry.form in ("member", "both")}


@handles(nodes.FieldExpr)
def _field(cx: Context, node: nodes.FieldExpr, hint: Type | None) -> Type:
    base, token = infer_expr(cx, node.base), node.name
    if token is None or node.base is None:
        return UNKNOWN
    name = normal(token.text)
    for ty in _known_types(cx, node.base, base):
        found = _stored(cx, node, token, ty, name)
        if found is not None:
            return found
    if isinstance(base, OptionOf) and _has_member(cx, base.inner, name):
        through = _stored(cx, node, token, base.inner, name) if cx.through else None
        if through is not None:
            return through if isinstance(through, OptionOf | ListOf) else OptionOf(through)
        report_mismatch(cx, node.base, base, base.inner)
        return UNKNOWN
    if name in _MEMBERS:
        return _property(cx, node, token, _maybe_absent(cx, node.base, base, name), name)
    if isinstance(base, RecordOf):
        column = dict(base.fields).get(name)
        if column is not None:
            return column
    report_unknown_field(cx, node.base, (token.start, token.end), base, name)
    return UNKNOWN


def _known_types(cx: Context, node: View, base: Type) -> list[Type]:
    """All that is known of an expression's value: a variable is what each of its positions says, an individual what
    each fact says."""
    match cx.names.get(node.index):
        case ToBinding(number) if isinstance(node, nodes.Path) and number < len(cx.locals):
            local = cx.locals[number]
            return [base, *local.narrowed, *(position.type for position in local.positions)]
        case ToSymbol("individual", path):
            sig = cx.declarations.individual(path)
            return [base, *(Named("concept", concept) for concept in (sig.concepts if sig else ()))]
    return [base]


def _stored(cx: Context, node: nodes.FieldExpr, token: Token, ty: Type, name: str) -> Type | None:
    """The type of a field or end of `ty`, recorded; None when it has none of this name."""
    if not isinstance(ty, Named):
        return None
    span = (token.start, token.end)
    sig = cx.declarations.field(ty, name)
    if sig is not None:
        cx.mean(node, to_field(ty, sig), span)
        return bare(sig.type) if cx.in_rule else sig.type
    relation = cx.declarations.relation(ty.path) if ty.kind == "relation" else None
    for index, end in enumerate(relation.ends if relation else ()):
        if end.name == name:
            cx.mean(node, ToEnd(ty.path, index), span)
            return end.type
    return None


def to_field(owner: Named, sig: FieldSig) -> ToField:
    """The meaning of a field of a type."""
    kinds: dict[str, OneOf["concept", "relation", "struct"]] = {"concept": "concept", "relation": "relation"}
    return ToField(kinds.get(owner.kind, "struct"), sig.owner, sig.name)


def _has_member(cx: Context, ty: Type, name: str) -> bool:
    if not isinstance(ty, Named):
        return False
    relation = cx.declarations.relation(ty.path) if ty.kind == "relation" else None
    ends = relation.ends if relation is not None else ()
    return cx.declarations.field(ty, name) is not None or any(end.name == name for end in ends)


def _property(cx: Context, node: nodes.FieldExpr, token: Token, base: Type, name: str) -> Type:
    cx.mean(node, ToIntrinsic(name), (token.start, token.end))
    found = intrinsic_result(name, (base,), lambda a, b: fits(cx.declarations, a, b))
    if found is not None or node.base is None:
        return found if found is not None else UNKNOWN
    if is_entity(base) or isinstance(base, Named | RecordOf):
        report_unknown_field(cx, node.base, (token.start, token.end), base, name)
    else:
        _report_receiver(cx, node.base, (token.start, token.end), _MEMBERS[name], base, 1)
    return UNKNOWN


# -- methods ----------------------------------------------------------------------------------------------------------


@handles(nodes.MethodCall)
def _method(cx: Context, node: nodes.MethodCall, hint: Type | None) -> Type:
    receiver, token = infer_expr(cx, node.receiver), node.name
    given = node.args.args if node.args else []
    if token is None or node.receiver is None:
        return UNKNOWN
    name, span = normal(token.text), (token.start, token.end)
    if name not in _MEMBERS:
        for each in given:
            infer_expr(cx, each)
        _report_no_method(cx, node, span, receiver, name)
        return UNKNOWN
    cx.mean(node, ToIntrinsic(name), span)
    receiver = _maybe_absent(cx, node.receiver, receiver, name)
    return _apply(cx, node, span, _MEMBERS[name], receiver, list(given), hint)


def _maybe_absent(cx: Context, receiver: View, found: Type, name: str) -> Type:
    """A field of a rule whose absence is asked for does not fail its atom: it is read as the optional value it is."""
    if name in ON_ABSENT and cx.in_rule and reads_optional(cx, receiver) and not isinstance(found, OptionOf):
        cx.types[receiver.index] = OptionOf(found)
        return OptionOf(found)
    return found


def reads_optional(cx: Context, node: View) -> bool:
    """Is it a read of an optional field?"""
    match cx.names.get(node.index):
        case ToField(kind, owner, name):
            sig = cx.declarations.field(Named(kind, owner), name)
            return sig is not None and isinstance(sig.type, OptionOf)
    return False


def _apply(
    cx: Context,
    node: nodes.MethodCall,
    span: tuple[int, int],
    entry: Intrinsic,
    receiver: Type,
    given: list[View],
    expected: Type | None,
) -> Type:
    """The result of a member; literals among the arguments are read as what the receiver is, else as plain numbers."""
    arities = [len(signature.params) - 1 for signature in entry.signatures]
    if len(given) not in arities:
        for each in given:
            infer_expr(cx, each)
        cx.report("OE0209", span, args(name=entry.name, expected=any_of(arities), found=len(given) or "none"))
        return UNKNOWN
    if any(isinstance(param, FnOf) for signature in entry.signatures for param in signature.params):
        return call_with_functions(cx, node, entry, receiver, given, expected)
    for hint in (_part(receiver), NAT):
        types = (receiver, *(infer_expr(cx, each, hint) for each in given))
        found = intrinsic_result(entry.name, types, lambda a, b: fits(cx.declarations, a, b))
        if found is not None:
            return found
        if not any(is_number(each) for each in given):
            break
    types = (receiver, *(infer_expr(cx, each) for each in given))
    _report_arguments(cx, node, span, entry, types, given)
    return UNKNOWN


def call_with_functions(
    cx: Context, node: nodes.MethodCall, entry: Intrinsic, receiver: Type, given: list[View], expected: Type | None
) -> Type:
    """The result of a member that takes functions: what is known by then says what their parameters are."""
    forms = (each for each in entry.signatures if len(each.params) == len(given) + 1)
    signature = next((each for each in forms if _takes(cx, each.params[0], receiver)), None)
    token = node.name
    if signature is None or token is None:
        types = (receiver, *(infer_expr(cx, each, UNKNOWN) for each in given))
        if not isinstance(receiver, Unknown) and node.receiver is not None and token is not None:
            _report_receiver(cx, node.receiver, (token.start, token.end), entry, receiver, len(types))
        return UNKNOWN
    bound: dict[TypeVar, Type] = {}
    unify(signature.params[0], receiver, bound, lambda a, b: fits(cx.declarations, a, b))
    if entry.name == "fold":
        _widest(cx, signature, given, expected, bound)
    for param, each in zip(signature.params[1:], given, strict=True):
        _argument(cx, each, param, bound)
    return solved(signature.result, bound)


def _argument(cx: Context, node: View, param: Type, bound: dict[TypeVar, Type]) -> None:
    """Check an argument, and learn from it what the variables of its parameter are."""
    wanted = substituted(param, bound)
    before = len(cx.problems)
    found = infer_expr(cx, node, wanted if isinstance(wanted, FnOf) or not variables(wanted) else None)
    if not unify(param, found, bound, lambda a, b: fits(cx.declarations, a, b)) and len(cx.problems) == before:
        report_mismatch(cx, node, found, solved(wanted, {}))


def _widest(
    cx: Context, signature: Signature, given: list[View], expected: Type | None, bound: dict[TypeVar, Type]
) -> None:
    """What a fold gives: the type of its first value, widened to what its function makes of it.

    Within so many folds in folds that is not tried again, or the time would double with each.
    """
    result, function = signature.result, signature.params[2]
    if not isinstance(result, TypeVar) or not isinstance(function, FnOf) or cx.trials > _TRIED:
        return
    with cx.trial():
        start = infer_expr(cx, given[0], expected)
        params = (substituted(param, {**bound, result: start}) for param in function.params)
        step = infer_expr(cx, given[1], FnOf(tuple(params), TypeVar("", "result")))
    made = step.result if isinstance(step, FnOf) else start
    wider = join(cx.declarations, start, made)
    bound[result] = start if wider is None else wider


def _part(ty: Type) -> Type:
    """What an argument beside a value of `ty` most likely is: an element, the optional value, or the same."""
    match ty:
        case ListOf(element) | SetOf(element):
            return element
        case OptionOf(inner):
            return inner
    return ty


def _report_arguments(
    cx: Context,
    node: nodes.MethodCall,
    span: tuple[int, int],
    entry: Intrinsic,
    types: tuple[Type, ...],
    given: list[View],
) -> None:
    """Blame the receiver when no form takes it, else the first argument that the receiver's form does not take."""
    for signature in entry.signatures:
        if len(signature.params) == len(types) and _takes(cx, signature.params[0], types[0]):
            for param, ty, at in zip(signature.params[1:], types[1:], given, strict=True):
                if not variables(param) and not fits(cx.declarations, ty, param):
                    report_mismatch(cx, at, ty, param)
                    return
            if given:
                report_mismatch(cx, given[0], types[1], _part(types[0]))
                return
    if node.receiver is not None:
        _report_receiver(cx, node.receiver, span, entry, types[0], len(types))


def _takes(cx: Context, wanted: Type, ty: Type) -> bool:
    return unify(wanted, ty, {}, lambda a, b: fits(cx.declarations, a, b))


def _report_receiver(cx: Context, at: View, span: tuple[int, int], entry: Intrinsic, found: Type, arity: int) -> None:
    """OE0202 when the member is for other types; for an optional value the note says so."""
    wanted = [signature.params[0] for signature in entry.signatures if len(signature.params) == arity]
    if isinstance(found, OptionOf) and any(_takes(cx, shape, found.inner) for shape in wanted):
        report_mismatch(cx, at, found, found.inner)
        return
    shown = " or ".join(dict.fromkeys(show(solved(shape, {})) for shape in wanted))
    note = Note("operator", args(construct=entry.name, found=show(found)))
    cx.report("OE0202", at, args(expected=shown, found=show(found)), notes=(note,))


def _report_no_method(cx: Context, node: nodes.MethodCall, span: tuple[int, int], receiver: Type, name: str) -> None:
    notes = [Note("not_in", args(of=show(receiver), name=name))]
    fixes: tuple[Fix, ...] = ()
    close = near(name, _MEMBERS, 1)
    if node.receiver is not None and any(each.kind in _CALLED for each in cx.scope.lookup((name,)).symbols):
        # The habit of languages in which a function belongs to its first argument.
        given = node.args.args if node.args is not None else []
        call = f"{name}({', '.join(each.text for each in (node.receiver, *given))})"
        notes = [Note("called", args(name=name, suggestion=call))]
        fixes = (Fix("replace", (Edit(node.start, node.end, call),), args(suggestion=call)),)
    elif close:
        notes = [Note("suggest", args(suggestion=close[0]))]
        fixes = (Fix("replace", (Edit(span[0], span[1], close[0]),), args(suggestion=close[0])),)
    cx.report("OE0101", span, args(kind="method", name=name), notes=tuple(notes), fixes=fixes)


_CALLED = frozenset(("fn", "query", "predicate"))

# -- misses -----------------------------------------------------------------------------------------------------------


def report_unknown_field(cx: Context, base: View | None, span: tuple[int, int], ty: Type, name: str) -> None:
    """OE0225 with the nearest field, the subtype that has it, or the list; a variable of no known type needs one."""
    if isinstance(ty, Unknown):
        _report_untyped(cx, base, span, name)
        return
    close = near(name, _field_names(cx, ty), 1)
    related = cx.declared_at("declared", ty.path, of=show(ty)) if isinstance(ty, Named) else ()
    fixes: tuple[Fix, ...] = ()
    if close:
        note: Note | None = Note("suggest", args(suggestion=close[0]))
        fixes = (Fix("replace", (Edit(span[0], span[1], close[0]),), args(suggestion=close[0])),)
    else:
        note = _subtype_note(cx, base, ty, name) or _fields_note(cx, ty)
    cx.report("OE0225", span, args(of=show(ty), name=name), related=related, notes=(note,) if note else (), fixes=fixes)


def _report_untyped(cx: Context, base: View | None, span: tuple[int, int], name: str) -> None:
    meaning = cx.names.get(base.index) if base is not None else None
    if base is None or not isinstance(meaning, ToBinding) or meaning.id >= len(cx.locals):
        return
    local = cx.locals[meaning.id]
    if local.poisoned or not (local.binders or local.given):
        return
    owner = _owner_of(cx, name) or "…"
    note = Note("untyped", args(variable=local.name, suggestion=f"{local.name}: {owner}"))
    cx.report("OE0225", span, args(of=local.name, name=name), notes=(note,))


def _owner_of(cx: Context, name: str) -> str | None:
    """The shortest visible name of a concept or relation that declares a field `name`."""
    owners = (
        shown
        for shown, symbols in cx.scope.names().items()
        for symbol in symbols
        if symbol.kind in ("concept", "relation")
        and (sig := cx.declarations.field(Named(symbol.kind, symbol.path), name)) is not None
        and sig.owner == symbol.path
    )
    return min(owners, default=None)


def _field_names(cx: Context, ty: Type) -> list[str]:
    if isinstance(ty, RecordOf):
        return [column for column, _ in ty.fields]
    if not isinstance(ty, Named):
        return [member for member, entry in _MEMBERS.items() if _is_member_of(cx, entry, ty)]
    relation = cx.declarations.relation(ty.path) if ty.kind == "relation" else None
    ends = [end.name for end in relation.ends] if relation else []
    return [*ends, *(field.name for field in cx.declarations.fields(ty))]


def _is_member_of(cx: Context, entry: Intrinsic, ty: Type) -> bool:
    return any(_takes(cx, signature.params[0], ty) for signature in entry.signatures)


def _fields_note(cx: Context, ty: Type) -> Note | None:
    names = _field_names(cx, ty)
    return Note("fields", args(candidates=quoted(names))) if names and isinstance(ty, Named | RecordOf) else None


def _subtype_note(cx: Context, base: View | None, ty: Type, name: str) -> Note | None:
    """The subtype that has the field, and the test that makes the value one."""
    if base is None or not isinstance(ty, Named) or ty.kind != "concept":
        return None
    for symbols in cx.scope.names().values():
        for symbol in symbols:
            if symbol.kind == "concept" and ty.path in cx.declarations.supers(symbol.path)[1:]:
                sig = cx.declarations.field(Named("concept", symbol.path), name)
                if sig is not None:
                    test = f"{symbol.name}({base.text})"
                    return Note("narrow", args(name=name, type=short(sig.owner), suggestion=test))
    return None
