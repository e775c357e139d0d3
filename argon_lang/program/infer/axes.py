"""Expressions of the meta-calculus: the condition of a typed axis, and literals as values on one (language.md §3.1)."""

from __future__ import annotations

from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import check_expr
from argon_lang.program.infer.typerefs import signature_type
from argon_lang.program.paths import names
from argon_lang.program.types import BOOL
from argon_lang.syntax import nodes


def infer_metaxis(cx: Context, root: nodes.MetaxisDecl) -> None:
    """`= T where p`: in p, `_` is the value."""
    if root.type is None or root.type.where is None:
        return
    local = cx.declare("_", "param", (root.type.start, root.type.start), signature_type(cx, root.type.type))
    local.given = True
    check_expr(cx, root.type.where.condition, BOOL)


def infer_settings(cx: Context, root: nodes.MetatypeDecl | nodes.MetarelDecl) -> None:
    """The values of a metatype or metarel."""
    for each in root.settings.settings if root.settings else ():
        infer_setting(cx, each)


def infer_setting(cx: Context, node: nodes.AxisSetting) -> None:
    """A literal must be a value of the axis's type."""
    literal = node.value.literal if node.value is not None else None
    if literal is None or node.axis is None:
        return
    found = cx.scope.lookup(names(node.axis)).symbols
    axis = next((cx.declarations.metaxis(each.path) for each in found if each.kind == "metaxis"), None)
    if axis is not None and axis.type is not None:
        check_expr(cx, literal, axis.type)
