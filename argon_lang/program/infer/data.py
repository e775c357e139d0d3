"""Struct and enum values: `S { a: 1, ..base }`, `E::V(1)`, `E::V { a: 1 }`; and the `{ … }` of every construction."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from argon_lang.problems import Edit, Fix, Note, Related, args
from argon_lang.program.infer.compat import fits
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import Fit, check_expr, check_found, handles, infer_expr
from argon_lang.program.infer.generics import Solving, solving_of
from argon_lang.program.infer.members import to_field
from argon_lang.program.infer.mismatch import accepts, report_mismatch
from argon_lang.program.infer.names import lookup, name_value, report_kind, report_miss, use_variant, variant_of
from argon_lang.program.infer.placeholders import placeholder
from argon_lang.program.infer.words import counted, quoted, short
from argon_lang.program.model import FieldSig, Lookup, Symbol, ToSymbol
from argon_lang.program.paths import Segment, name_of, name_token, segments
from argon_lang.program.spelling import near
from argon_lang.program.types import UNKNOWN, ListOf, Named, OptionOf, Type, show
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


@handles(nodes.StructExpr)
def _struct(cx: Context, node: nodes.StructExpr, hint: Type | None) -> Type:
    path = segments(node.path) if node.path is not None else ()
    if node.path is None or not path:
        return UNKNOWN
    found = lookup(cx, path)
    if found.variant is not None:
        return _record_variant(cx, node, path, found, hint)
    struct = next((symbol for symbol in found.symbols if symbol.kind == "struct"), None)
    if struct is None:
        _report_no_struct(cx, node, path, found)
        return UNKNOWN
    span = (path[-1].start, path[-1].end)
    cx.mean(node, ToSymbol("struct", struct.path))
    cx.mean(node.path, ToSymbol("struct", struct.path), span)
    return _struct_value(cx, node, span, struct, hint)


def _struct_value(
    cx: Context, node: nodes.StructExpr, span: tuple[int, int], struct: Symbol, hint: Type | None
) -> Type:
    solving = solving_of(cx, "struct", struct.path, hint)
    whole = solving.whole if solving is not None else Named("struct", struct.path)
    ty: Type = whole
    base = node.fields.base if node.fields else None
    if base is not None and solving is not None:
        solving.learn(ty, infer_expr(cx, base.value, solving.known(ty)))
    given = check_inits(cx, node.fields, whole, solving=solving)
    if solving is not None:
        ty = solving.finish(span)
    if base is not None:
        check_expr(cx, base.value, ty) if solving is None else check_found(cx, base, ty)
        return ty
    declared = cx.declarations.fields(Named("struct", struct.path))
    missing = [sig for sig in declared if must_be_given(sig) and sig.name not in given]
    if missing:
        report_missing(cx, "OE0224", span, node.fields, struct.name, missing)
    return ty


def _report_no_struct(cx: Context, node: nodes.StructExpr, path: tuple[Segment, ...], found: Lookup) -> None:
    for init in node.fields.inits if node.fields else ():
        infer_init(cx, init)
    span = (path[-1].start, path[-1].end)
    if found.code is not None:
        report_miss(cx, path, found, "struct")
    elif found.symbols and found.symbols[0].kind != "unsupported":
        symbol = found.symbols[0]
        mint = (Note("mint", args(name=symbol.name)),) if symbol.kind == "concept" else ()
        report_kind(cx, span, symbol, "a struct", mint)
    elif found.primitive is not None:
        cx.report("OE0201", span, args(name=path[-1].name, found="a built-in type", expected="a struct"))


def must_be_given(sig: FieldSig) -> bool:
    """Is a field required at construction: neither optional nor many nor defaulted?"""
    return not (sig.has_default or sig.view is not None or isinstance(sig.type, OptionOf | ListOf))


def report_missing(
    cx: Context,
    code: str,
    span: tuple[int, int],
    inits: nodes.FieldInits | None,
    owner: str,
    missing: list[FieldSig],
) -> None:
    """OE0224 or OE0669, once for all fields that are not given; the fix adds each with a value to begin with."""
    names = quoted(sig.name for sig in missing)
    related: tuple[Related, ...] = cx.declared_at("declared", missing[0].owner)
    fix = _addition(cx, inits, names, missing)
    cx.report(code, span, args(of=owner, name=names), related=related, fixes=() if fix is None else (fix,))


def _addition(cx: Context, inits: nodes.FieldInits | None, names: str, missing: list[FieldSig]) -> Fix | None:
    """The fix that adds the missing fields; None where some value cannot be made up, or there are no braces."""
    text = added_fields(cx, missing)
    if inits is None or not inits.text.endswith("}") or text is None:
        return None
    last = inits.inits[-1].end if inits.inits else None
    edit = Edit(inits.end - 1, inits.end - 1, f" {text} ") if last is None else Edit(last, last, f", {text}")
    return Fix("insert", (edit,), args(name=names), safe=False)


def added_fields(cx: Context, missing: list[FieldSig]) -> str | None:
    """`name: value, …` for missing fields, with values to begin with; None where some cannot be made up."""
    values = [(sig.name, placeholder(cx, sig.name, sig.type)) for sig in missing]
    if any(value is None for _, value in values):
        return None
    return ", ".join(name if value == name else f"{name}: {value}" for name, value in values)


# -- field lists ------------------------------------------------------------------------------------------------------


def check_inits(
    cx: Context,
    inits: nodes.FieldInits | None,
    owner: Named,
    fit: Fit = fits,
    only: Callable[[View | None], None] | None = None,
    solving: Solving | None = None,
) -> set[str]:
    """Check `{ name: value, … }` against the fields of `owner`; the names that are given.

    `only` looks at each value first (facts take constants alone). `solving` learns what stands for type parameters.
    """
    given: dict[str, nodes.FieldInit] = {}
    for init in inits.inits if inits is not None else ():
        name = name_of(init.name)
        if name is None:
            continue
        if name in given:
            _report_twice(cx, init, given[name], name, owner)
        given.setdefault(name, init)
        if only is not None:
            only(init.value)
        _check_init(cx, init, name, owner, fit, solving)
    return set(given)


def _report_twice(cx: Context, init: nodes.FieldInit, first: nodes.FieldInit, name: str, owner: Named) -> None:
    values = args(kind="field", name=name, of=short(owner.path))
    related = (Related("first", first.start, first.end),)
    cx.report("OE0207", init.name or init, values, related=related)


def _check_init(cx: Context, init: nodes.FieldInit, name: str, owner: Named, fit: Fit, solving: Solving | None) -> None:
    sig = cx.declarations.field(owner, name)
    token = name_token(init.name)
    if sig is None or token is None or init.name is None:
        infer_init(cx, init)
        _report_no_field(cx, init, name, owner)
        return
    cx.mean(init.name, to_field(owner, sig), (token.start, token.end))
    report_view(cx, (token.start, token.end), sig)
    if solving is not None:
        _learn(cx, init, sig.type, solving)
    elif init.value is not None:
        check_expr(cx, init.value, sig.type, fit, sig.owner)
    elif not init.has_colon:
        found = infer_init(cx, init)
        if not accepts(cx, init, found, sig.type, fit):
            report_mismatch(cx, init, found, sig.type, sig.owner)


def _learn(cx: Context, init: nodes.FieldInit, ty: Type, solving: Solving) -> None:
    """The value of a part whose type has type parameters in it."""
    found = infer_init(cx, init, solving.known(ty))
    solving.see(init if init.value is None else init.value, ty, found)


def report_view(cx: Context, span: tuple[int, int], sig: FieldSig) -> bool:
    """OE0213 where something gives a value to a navigation view, which is not stored."""
    if sig.view is not None:
        notes = (Note("view", args(name=short(sig.view[0]))),)
        cx.report("OE0213", span, args(name=sig.name, found="set"), notes=notes)
    return sig.view is not None


def _report_no_field(cx: Context, init: nodes.FieldInit, name: str, owner: Named) -> None:
    names = [sig.name for sig in cx.declarations.fields(owner)]
    declared = cx.declared_at("declared", owner.path, of=show(owner))
    report_field(cx, init.name or init, name, short(owner.path), names, declared)


def report_field(
    cx: Context, at: View, name: str, owner: str, names: Iterable[str], related: tuple[Related, ...] = ()
) -> None:
    """OE0225 at a name in braces, with the nearest field or all of them."""
    known = list(names)
    close = near(name, known, 1)
    notes: tuple[Note, ...] = ()
    fixes: tuple[Fix, ...] = ()
    if close:
        notes = (Note("suggest", args(suggestion=close[0])),)
        fixes = (Fix("replace", (Edit(at.start, at.end, close[0]),), args(suggestion=close[0])),)
    elif known:
        notes = (Note("fields", args(candidates=quoted(known))),)
    cx.report("OE0225", at, args(of=owner, name=name), related=related, notes=notes, fixes=fixes)


def infer_init(cx: Context, init: nodes.FieldInit, hint: Type | None = None) -> Type:
    """The type of the value of `name: value`, or of `name` alone (recorded on the init node)."""
    if init.value is not None or init.has_colon:
        return infer_expr(cx, init.value, hint)
    token, name = name_token(init.name), name_of(init.name)
    if token is None or name is None:
        return UNKNOWN
    found = name_value(cx, init, Segment(name, token.start, token.end))
    cx.types[init.index] = found
    return found


# -- enum values ------------------------------------------------------------------------------------------------------


def call_variant(
    cx: Context, node: nodes.Call, path: tuple[Segment, ...], found: Lookup, hint: Type | None = None
) -> Type:
    """`Enum::Variant(a, b)`."""
    enum, variant = found.symbols[0], found.variant or ""
    given = node.args.args if node.args else []
    use_variant(cx, node, path, enum, variant)
    if node.path is not None:
        cx.mean(node.path, cx.names[node.index])
    sig = variant_of(cx, enum.path, variant)
    payload = sig.payload if sig is not None else ()
    if sig is not None and (not sig.positional or len(payload) != len(given)):
        expected = counted(len(payload), "argument" if sig.positional else "named field")
        values = args(name=f"{enum.name}::{variant}", expected=expected, found=len(given) or "none")
        cx.report("OE0209", (path[-1].start, path[-1].end), values)
    solving = solving_of(cx, "enum", enum.path, hint)
    for place, each in enumerate(given):
        ty = payload[place].type if place < len(payload) else UNKNOWN
        if solving is not None:
            solving.infer(each, ty)
        else:
            check_expr(cx, each, ty, why=enum.path)
    return Named("enum", enum.path) if solving is None else solving.finish((path[-1].start, path[-1].end))


def _record_variant(
    cx: Context, node: nodes.StructExpr, path: tuple[Segment, ...], found: Lookup, hint: Type | None
) -> Type:
    enum, variant = found.symbols[0], found.variant or ""
    use_variant(cx, node, path, enum, variant)
    if node.path is not None:
        cx.mean(node.path, cx.names[node.index])
    sig = variant_of(cx, enum.path, variant)
    payload = {} if sig is None or sig.positional else {each.name: each.type for each in sig.payload}
    given = set()
    solving = solving_of(cx, "enum", enum.path, hint)
    for init in node.fields.inits if node.fields else ():
        name = name_of(init.name) or ""
        given.add(name)
        if solving is not None and name in payload:
            _learn(cx, init, payload[name], solving)
        else:
            _check_payload(cx, init, name, payload, f"{enum.name}::{variant}")
    missing = [name for name in payload if name not in given]
    if missing:
        values = args(of=f"{enum.name}::{variant}", name=quoted(missing))
        cx.report("OE0224", (path[-1].start, path[-1].end), values)
    return Named("enum", enum.path) if solving is None else solving.finish((path[-1].start, path[-1].end))


def _check_payload(cx: Context, init: nodes.FieldInit, name: str, payload: dict[str, Type], owner: str) -> None:
    wanted = payload.get(name)
    if wanted is None:
        infer_init(cx, init)
        report_field(cx, init.name or init, name, owner, payload)
    elif init.value is not None:
        check_expr(cx, init.value, wanted)
    else:
        found = infer_init(cx, init)
        if not accepts(cx, init, found, wanted, fits):
            report_mismatch(cx, init, found, wanted)
