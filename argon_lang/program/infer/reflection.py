"""Reflection that is evaluated (language §3.10): `iof(x, T)` of a concept that is written out, and `extent(T)`."""

from __future__ import annotations

from argon_lang.problems import args
from argon_lang.program.infer.compat import overlaps
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import check_expr
from argon_lang.program.infer.names import lookup, resolve_kind
from argon_lang.program.infer.words import any_of
from argon_lang.program.model import ToIntrinsic
from argon_lang.program.paths import segments
from argon_lang.program.types import BOOL, ENTITY, UNKNOWN, ListOf, Named, Type
from argon_lang.syntax import nodes

_PLACES = {"iof": 2, "extent": 1}
"""The names, each with how many arguments it takes; the last one is the type."""


def reflected(cx: Context, node: nodes.Call) -> str | None:
    """The name of a reflective call that is evaluated; None for any other call."""
    path = segments(node.path) if node.path is not None else ()
    name = path[0].name if len(path) == 1 else ""
    return name if name in _PLACES and cx.local(name) is None and lookup(cx, path).code == "OE0101" else None


def reflected_type(cx: Context, node: nodes.Call) -> Type:
    """The concept that the last argument names, without a word about it where it is none."""
    given = node.args.args if node.args else []
    path = given[-1] if given else None
    symbols = lookup(cx, segments(path)).symbols if isinstance(path, nodes.Path) and segments(path) else ()
    return next((Named("concept", each.path) for each in symbols if each.kind == "concept"), UNKNOWN)


def check_reflection(cx: Context, node: nodes.Call, name: str) -> Type:
    """`iof(x, T)` is a Bool, `extent(T)` the individuals of T."""
    path, given = node.path, node.args.args if node.args else []
    if path is not None:
        cx.mean(node, ToIntrinsic(name))
        cx.mean(path, ToIntrinsic(name), (path.start, path.end))
    if len(given) != _PLACES[name]:
        values = args(name=name, expected=any_of((_PLACES[name],)), found=len(given) or "none")
        cx.report("OE0209", path or node, values)
        return UNKNOWN
    written = given[-1]
    if isinstance(written, nodes.Path):
        resolve_kind(cx, written, ("concept",), "a concept")
    else:
        cx.refuse(written, f"`{name}` of a type that is computed", f"`{name}` of a concept's name")
    found = reflected_type(cx, node)
    if name == "iof":
        check_expr(cx, given[0], ENTITY, overlaps)
        return BOOL
    return ListOf(found)
