"""`iof(x, T)` and `x in extent(T)` (language §3.10): membership, said of a concept's name."""

from __future__ import annotations

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.dispatch import implementors_key
from argon_lang.ir.lower.expr import HANDLERS, lower_expr, predicate_key
from argon_lang.ir.lower.reading import NotLowered, Reading, subject_of
from argon_lang.program.infer.reflection import meta_of
from argon_lang.program.model import ToIntrinsic, ToSymbol
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View, need

_plain_call = HANDLERS[nodes.Call]


def reflects(node: View | None, name: str, reading: Reading) -> bool:
    """Is it a call of this reflective name?"""
    return isinstance(node, nodes.Call) and reading.meaning(node) == ToIntrinsic(name)


def member_key(node: nodes.Call, reading: Reading) -> str:
    """The key of the concept that the call's last argument names. Raises NotLowered."""
    args = need(node.args).args
    key = predicate_key(reading.meaning(args[-1]), 1) if args else None
    if key is None:
        raise NotLowered(node, node.text)
    return key


def implementing(node: nodes.Call, reading: Reading) -> tuple[View | None, str]:
    """The x of `implements(meta(x), T)`, None where the first argument is a concept; and the path of the trait."""
    subject, trait = need(node.args).args
    match reading.meaning(trait):
        case ToSymbol("trait", path):
            return meta_of(subject), path
        case _:
            raise NotLowered(node, node.text)


def _call(node: nodes.Call, reading: Reading) -> ir.Expr:
    if reflects(node, "iof", reading):
        return ir.Holds(member_key(node, reading), (lower_expr(need(node.args).args[0], reading),))
    if reflects(node, "implements", reading):
        subject, trait = implementing(node, reading)
        if subject is None:
            target = subject_of(need(node.args).args[0], reading)
            return ir.Lit(reading.declarations.implements(target, trait))
        return ir.Holds(implementors_key(trait), (lower_expr(subject, reading),))
    if reflects(node, "extent", reading):
        raise NotLowered(node, node.text, "`x in extent(T)` in a rule, or a `query` without a body")
    return _plain_call(node, reading)


HANDLERS[nodes.Call] = _call
