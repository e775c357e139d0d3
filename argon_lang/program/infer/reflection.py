"""Reflection that is evaluated (language §3.10): `iof(x, T)` of a concept that is written out, `extent(T)`, and
`implements(t, Tr)` of an individual's type, `meta(x)`, or of a concept that is written out.
"""

from __future__ import annotations

from argon_lang.problems import args
from argon_lang.program.infer.compat import overlaps
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import check_expr
from argon_lang.program.infer.names import lookup, resolve_kind
from argon_lang.program.infer.words import any_of
from argon_lang.program.model import ToIntrinsic
from argon_lang.program.paths import names, segments
from argon_lang.program.types import BOOL, ENTITY, UNKNOWN, ListOf, Named, Type
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

_PLACES = {"iof": 2, "extent": 1, "implements": 2}
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
    """`iof(x, T)` and `implements(meta(x), Tr)` are Bools, `extent(T)` the individuals of T."""
    path, given = node.path, node.args.args if node.args else []
    if path is not None:
        cx.mean(node, ToIntrinsic(name))
        cx.mean(path, ToIntrinsic(name), (path.start, path.end))
    if len(given) != _PLACES[name]:
        values = args(name=name, expected=any_of((_PLACES[name],)), found=len(given) or "none")
        cx.report("OE0209", path or node, values)
        return UNKNOWN
    written = given[-1]
    if name == "implements":
        _implements(cx, given[0], written)
        return BOOL
    if isinstance(written, nodes.Path):
        resolve_kind(cx, written, ("concept",), "a concept")
    else:
        cx.refuse(written, f"`{name}` of a type that is computed", f"`{name}` of a concept's name")
    found = reflected_type(cx, node)
    if name == "iof":
        check_expr(cx, given[0], ENTITY, overlaps)
        return BOOL
    return ListOf(found)


def _implements(cx: Context, subject: View, trait: View) -> None:
    if isinstance(trait, nodes.Path):
        resolve_kind(cx, trait, ("trait",), "a trait")
    else:
        cx.refuse(trait, "`implements` of a trait that is computed", "`implements` of a trait's name")
    about = meta_of(subject)
    if about is not None and isinstance(subject, nodes.Call) and subject.path is not None:
        cx.mean(subject, ToIntrinsic("meta"))
        cx.mean(subject.path, ToIntrinsic("meta"), (subject.path.start, subject.path.end))
        check_expr(cx, about, ENTITY, overlaps)
    elif isinstance(subject, nodes.Path) and len(names(subject)) == 1 and cx.local(names(subject)[0]) is not None:
        values = args(name=subject.text, found="a variable", expected="a concept")
        cx.report("OE0201", subject, values)
    elif isinstance(subject, nodes.Path):
        resolve_kind(cx, subject, ("concept",), "a concept")
    else:
        cx.refuse(subject, "`implements` of a type that is computed", "`implements(meta(x), T)`")


def meta_of(node: View | None) -> View | None:
    """The x of `meta(x)`."""
    if not isinstance(node, nodes.Call) or node.path is None or names(node.path) != ("meta",):
        return None
    given = node.args.args if node.args else []
    return given[0] if len(given) == 1 else None
