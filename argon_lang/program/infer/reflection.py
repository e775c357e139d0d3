"""Reflection (language §3.10): `iof`, `specializes`, `rel`, `arm`, and the values of `meta(x)` and `extent(T)`;
`implements(t, Tr)` of an individual's type, `meta(x)`, or of a concept that is written out.

A type is a value here: the name of a concept or relation where a `TypeRef` is expected, of a metatype or metarel where
a `Metatype` is.
"""

from __future__ import annotations

from argon_lang.problems import Note, args
from argon_lang.program.findings import a_kind
from argon_lang.program.infer.compat import bare, is_entity, is_reflective, is_type_ref, overlaps
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import check_expr, infer_expr
from argon_lang.program.infer.mismatch import report_mismatch
from argon_lang.program.infer.names import lookup, resolve_kind, type_name
from argon_lang.program.infer.words import any_of
from argon_lang.program.model import Symbol, ToBinding, ToIntrinsic
from argon_lang.program.paths import names, segments
from argon_lang.program.reflection import CALLED, COLUMNS
from argon_lang.program.types import (
    BOOL,
    ENTITY,
    METATYPE,
    TOP,
    TRAIT_REF,
    TYPE_REF,
    UNKNOWN,
    ListOf,
    Named,
    OptionOf,
    Primitive,
    Type,
    Unknown,
    show,
)
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

_TYPES, _METATYPES, _TRAITS = ("concept", "relation"), ("metatype", "metarel"), ("trait",)


def reflected(cx: Context, node: nodes.Call) -> str | None:
    """The name of a reflective call; None for any other call. A metatype or metarel of that name is not called."""
    path = segments(node.path) if node.path is not None else ()
    name = path[0].name if len(path) == 1 else ""
    if name not in CALLED or cx.local(name) is not None:
        return None
    found = lookup(cx, path)
    free = found.code == "OE0101" or (found.symbols and all(each.kind in _METATYPES for each in found.symbols))
    return name if free else None


def reflected_type(cx: Context, node: nodes.Call) -> Type:
    """The concept that the last argument names, without a word about it where it is none."""
    given = node.args.args if node.args else []
    symbol = _named(cx, given[-1]) if given else None
    return Named("concept", symbol.path) if symbol is not None and symbol.kind == "concept" else UNKNOWN


def _named(cx: Context, node: View | None) -> Symbol | None:
    """The type, metatype or metarel that a node names, if it is such a name."""
    path = segments(node) if isinstance(node, nodes.Path) else ()
    if not path or (len(path) == 1 and cx.local(path[0].name) is not None):
        return None
    return next((each for each in lookup(cx, path).symbols if each.kind in (*_TYPES, *_METATYPES, *_TRAITS)), None)


def column_types(cx: Context, node: nodes.Call, name: str) -> tuple[Type, ...]:
    """What the arguments of a reflective atom are: individuals of the type that `iof` names, where it names one."""
    if name == "iof" and not isinstance(reflected_type(cx, node), Unknown):
        return (reflected_type(cx, node), TYPE_REF)
    given = node.args.args if node.args else []
    if name == "specializes" and any(_is_metatype(cx, each) for each in given):
        return (METATYPE, METATYPE)
    return COLUMNS.get(name, ())


def _is_metatype(cx: Context, node: View) -> bool:
    """Is it a metatype's name, or a variable that is said to be one?"""
    symbol = _named(cx, node)
    if symbol is not None:
        return symbol.kind in _METATYPES
    path = segments(node) if isinstance(node, nodes.Path) else ()
    local = cx.local(path[0].name) if len(path) == 1 else None
    return local is not None and any(each.type == METATYPE for each in local.positions)


def check_reflection(cx: Context, node: nodes.Call, name: str) -> Type:
    """A reflective atom is a Bool, `meta(x)` a metatype, `extent(T)` the individuals of T."""
    path, given = node.path, node.args.args if node.args else []
    if path is not None:
        cx.mean(node, ToIntrinsic(name))
        cx.mean(path, ToIntrinsic(name), (path.start, path.end))
    count = len(COLUMNS[name]) if name in COLUMNS else 2 if name == "implements" else 1
    if len(given) != count:
        cx.report("OE0209", path or node, args(name=name, expected=any_of((count,)), found=len(given) or "none"))
        return UNKNOWN
    if name == "implements":
        _implements(cx, given[0], given[1])
        return BOOL
    if name == "extent":
        return _extent(cx, node, given[0])
    if name == "meta":
        return _meta(cx, node, given[0])
    for each, wanted in zip(given, COLUMNS[name], strict=True):
        if name == "iof" and wanted == TYPE_REF and isinstance(each, nodes.Path) and _named(cx, each) is not None:
            resolve_kind(cx, each, ("concept",), "a concept")
        else:
            _argument(cx, each, wanted)
    if name == "specializes":
        _one_level(cx, given[0], given[1])
    return BOOL


def _one_level(cx: Context, below: View, above: View) -> None:
    """A type specializes a type, and a metatype a metatype."""
    left, right = (cx.types.get(each.index, UNKNOWN) for each in (below, above))
    if is_reflective(left) and is_reflective(right) and is_type_ref(left) != is_type_ref(right):
        report_mismatch(cx, above, right, left)


def _extent(cx: Context, node: nodes.Call, written: View) -> Type:
    symbol = _named(cx, written)
    if isinstance(written, nodes.Path) and symbol is not None:
        resolve_kind(cx, written, ("concept",), "a concept")
        return ListOf(reflected_type(cx, node))
    _argument(cx, written, TYPE_REF)
    return ListOf(Primitive("Entity"))


def _meta(cx: Context, node: nodes.Call, written: View) -> Type:
    """OE0212 where there is no metatype to ask for."""
    path = segments(written) if isinstance(written, nodes.Path) else ()
    data = next((each for each in lookup(cx, path).symbols if each.kind in ("struct", "enum")), None) if path else None
    if data is not None and (len(path) > 1 or cx.local(path[0].name) is None):
        _no_metatype(cx, node, data.name, a_kind(data))
        return METATYPE
    if _named(cx, written) is not None:
        _argument(cx, written, TYPE_REF)
        return METATYPE
    found = bare(infer_expr(cx, written))
    if not (is_entity(found) or is_type_ref(found) or isinstance(found, Unknown) or found == TOP):
        kinds = {"struct": "a struct", "enum": "an enum"}
        _no_metatype(cx, node, show(found), kinds.get(found.kind, "data") if isinstance(found, Named) else "data")
    return METATYPE


def _no_metatype(cx: Context, node: nodes.Call, ty: str, kind: str) -> None:
    cx.report("OE0212", node, args(construct=node.text, type=ty, kind=kind), notes=(Note("concepts_only"),))


def _argument(cx: Context, node: View, wanted: Type) -> None:
    """Check an argument; a name of a type stands for the type."""
    if isinstance(node, nodes.Wildcard):
        local = cx.names.get(node.index)
        if not isinstance(local, ToBinding):
            made = cx.declare("_", "wildcard", (node.start, node.end), wanted)
            cx.mean(node, ToBinding(made.number))
        cx.types[node.index] = wanted
        return
    if not is_reflective(wanted):
        check_expr(cx, node, wanted, overlaps)
        return
    symbol = _named(cx, node)
    if symbol is None:
        found = infer_expr(cx, node)
        if is_reflective(found):
            fitting = (found == TRAIT_REF) == (wanted == TRAIT_REF)
        else:
            fitting = isinstance(found, Unknown) or _is_higher(cx, found)
        if not fitting:
            report_mismatch(cx, node, found, wanted)
        return
    type_name(cx, node, segments(node) if isinstance(node, nodes.Path) else (), symbol, wanted)


def _is_higher(cx: Context, ty: Type) -> bool:
    """Is it the type of a concept that is an individual itself?"""
    return is_entity(ty) or isinstance(ty, OptionOf)


def _implements(cx: Context, subject: View, trait: View) -> None:
    """A type, or that of an individual in `meta(x)`, and a trait: each written out or computed."""
    if isinstance(trait, nodes.Path) and not _is_local(cx, trait):
        resolve_kind(cx, trait, ("trait",), "a trait")
    else:
        _argument(cx, trait, TRAIT_REF)
    about = meta_of(subject)
    if about is not None and isinstance(subject, nodes.Call) and subject.path is not None:
        cx.mean(subject, ToIntrinsic("meta"))
        cx.mean(subject.path, ToIntrinsic("meta"), (subject.path.start, subject.path.end))
        check_expr(cx, about, ENTITY, overlaps)
    elif isinstance(subject, nodes.Path) and not _is_local(cx, subject):
        resolve_kind(cx, subject, ("concept",), "a concept")
    else:
        _argument(cx, subject, TYPE_REF)


def _is_local(cx: Context, node: nodes.Path) -> bool:
    """Is it the name of a variable or parameter?"""
    written = names(node)
    return len(written) == 1 and cx.local(written[0]) is not None


def meta_of(node: View | None) -> View | None:
    """The x of `meta(x)`."""
    if not isinstance(node, nodes.Call) or node.path is None or names(node.path) != ("meta",):
        return None
    given = node.args.args if node.args else []
    return given[0] if len(given) == 1 else None
