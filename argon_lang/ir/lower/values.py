"""Closures, their calls, and postfix forms (language.md §3.10)."""

from __future__ import annotations

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.expr import HANDLERS, lower_expr
from argon_lang.ir.lower.reading import NotLowered, Reading
from argon_lang.program.infer.compat import COUNTED
from argon_lang.program.model import ToBinding
from argon_lang.program.types import Applied, ListOf, OptionOf
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View, need


def elements(node: View | None, reading: Reading) -> ir.Expr:
    """What is gone through, as a list or set; a range is written out."""
    found = need(node)
    return listed(found, lower_expr(found, reading), reading)


def listed(node: View, value: ir.Expr, reading: Reading) -> ir.Expr:
    """As `elements`, of a value that is lowered already. Raises NotLowered where it cannot be gone through."""
    match reading.type_of(node):
        case Applied("Range", (bound,)) if bound in COUNTED:
            return ir.Builtin("to_list", (value,), ListOf(bound))
        case Applied("Range"):
            raise NotLowered(node, node.text, "a comparison with both ends")
        case Applied("Map"):
            raise NotLowered(node, node.text, replacement=f"{node.text}.keys")
        case _:
            return value


def _closure(node: nodes.Lambda, reading: Reading) -> ir.Expr:
    names = []
    for each in node.params.params if node.params is not None else ():
        meaning = reading.meaning(each.name) if isinstance(each, nodes.Param) else None
        if not isinstance(meaning, ToBinding):
            raise NotLowered(node, node.text)
        names.append(reading.local(meaning.id))
    return ir.Closure(tuple(names), lower_expr(node.body, reading))


def _index(node: nodes.IndexExpr, reading: Reading) -> ir.Expr:
    args = (lower_expr(node.base, reading), lower_expr(node.subscript, reading))
    return ir.Builtin("index", args, reading.type_of(node))


def _slice(node: nodes.SliceExpr, reading: Reading) -> ir.Expr:
    args = (lower_expr(node.base, reading), lower_expr(node.low, reading), lower_expr(node.high, reading))
    return ir.Builtin("slice", args, reading.type_of(node))


def _try(node: nodes.TryExpr, reading: Reading) -> ir.Expr:
    operand = need(node.operand)
    value, found = lower_expr(operand, reading), reading.type_of(operand)
    if isinstance(found, OptionOf):
        return ir.Try(value, "option")
    return value if reading.type_of(node) == found else ir.Try(value, "result")


HANDLERS.update({
    nodes.Lambda: _closure,
    nodes.IndexExpr: _index,
    nodes.SliceExpr: _slice,
    nodes.TryExpr: _try,
})  # fmt: skip
