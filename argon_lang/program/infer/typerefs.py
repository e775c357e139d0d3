"""Types written in bodies: read by `program.types_of`, recorded on every type node."""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.program.findings import Findings
from argon_lang.program.infer.context import Context
from argon_lang.program.model import ToType
from argon_lang.program.types import UNKNOWN, FnOf, ListOf, OptionOf, Type, part_types
from argon_lang.program.types_of import type_of
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def written_type(cx: Context, node: nodes.Type | None) -> Type:
    """The type of a `let`, an atom or an `update`; what is wrong with it is reported here."""
    if node is None:
        return UNKNOWN
    found = type_of(node, cx.scope, cx.findings, cx.declarations)
    _record(cx, node, found)
    return found


def signature_type(cx: Context, node: nodes.Type | None) -> Type:
    """The type of a parameter or head variable; its uses and problems are the signature's, not the body's."""
    if node is None:
        return UNKNOWN
    found = type_of(node, cx.scope, Findings(), cx.declarations)
    _record(cx, node, found)
    return found


def _record(cx: Context, node: View | None, ty: Type) -> None:
    """The meaning of a type node and of those inside it."""
    if node is None:
        return
    cx.types[node.index] = ty
    cx.mean(node, ToType(ty))
    for part, inner in _parts(node, ty):
        _record(cx, part, inner)
    if isinstance(node, nodes.NamedType) and node.path is not None and not isinstance(ty, OptionOf):
        cx.mean(node.path, ToType(ty))


def _parts(node: View, ty: Type) -> Iterable[tuple[View | None, Type]]:
    """The type nodes inside a type node, with their types."""
    match node, ty:
        case nodes.OptionalType(), OptionOf(inner):
            return ((node.inner, inner),)
        case nodes.ListType(), ListOf(element):
            return ((node.element, element),)
        case nodes.FnType(), FnOf(params, result):
            written = node.params.types if node.params is not None else []
            return (*zip(written, params, strict=False), (node.result.type if node.result else None, result))
        case nodes.NamedType(), _ if node.args is not None:
            return tuple(zip(node.args.types, part_types(ty), strict=False))
        case _:
            return ()
