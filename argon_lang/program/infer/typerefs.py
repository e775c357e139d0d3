"""Types written in bodies: read by `program.types_of`, recorded on every type node."""

from __future__ import annotations

from argon_lang.program.findings import Findings
from argon_lang.program.infer.context import Context
from argon_lang.program.model import ToType
from argon_lang.program.types import UNKNOWN, ListOf, OptionOf, SetOf, Type
from argon_lang.program.types_of import type_of
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def written_type(cx: Context, node: nodes.Type | None) -> Type:
    """The type of a `let`, an atom or an `update`; what is wrong with it is reported here."""
    if node is None:
        return UNKNOWN
    before = len(cx.problems)
    found = type_of(node, cx.scope, cx.findings, cx.declarations)
    if any(problem.code == "OE0703" for problem in cx.problems[before:]):
        cx.unsupported = True
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
    while node is not None:
        cx.types[node.index] = ty
        cx.mean(node, ToType(ty))
        match node, ty:
            case nodes.OptionalType(), OptionOf(inner):
                node, ty = node.inner, inner
            case nodes.ListType(), ListOf(element):
                node, ty = node.element, element
            case nodes.NamedType(), OptionOf(inner) | SetOf(inner) if node.args is not None:
                node, ty = next(iter(node.args.types), None), inner
            case nodes.NamedType(), _:
                if node.path is not None:
                    cx.mean(node.path, ToType(ty))
                return
            case _:
                return
