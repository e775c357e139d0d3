"""Conditions (language §3.10): the names of `e is P` are known where what follows is reached only if it matches.

That is to the right of `&&`, in the first part of an `if`, and after a `require`. An `is` elsewhere is a test alone.
"""

from __future__ import annotations

from argon_lang.problems import args
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import check_expr, handles, infer_expr
from argon_lang.program.infer.mentions import pattern_names
from argon_lang.program.infer.patterns import check_pattern
from argon_lang.program.types import BOOL, Type
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def check_condition(cx: Context, node: View | None) -> None:
    """Check a Bool; the names of its patterns become locals of the current frame."""
    match node:
        case nodes.ParenExpr():
            check_condition(cx, node.inner)
        case nodes.Binary(op=op) if op is not None and op.kind == K.AND_AND:
            check_condition(cx, node.lhs)
            check_condition(cx, node.rhs)
        case nodes.IsExpr() if not cx.in_rule:
            subject = infer_expr(cx, node.value)
            with cx.frame():
                check_pattern(cx, node.pattern, subject, node.index)
                made = dict(cx.frames[-1])
            cx.frames[-1].update(made)
        case _:
            check_expr(cx, node, BOOL)
            return
    cx.types[node.index] = BOOL


@handles(nodes.IsExpr)
def _is(cx: Context, node: nodes.IsExpr, hint: Type | None) -> Type:
    """A test alone, for there is nowhere that a name of the pattern could be read."""
    subject = infer_expr(cx, node.value)
    named = list(pattern_names(node.pattern))
    for at, name in named:
        values = args(construct="an `is` that nothing here follows", found=f"name (`{name}`); write `_`")
        cx.report("OE0007", at, values)
    if not named:
        check_pattern(cx, node.pattern, subject, node.index)
    return BOOL
