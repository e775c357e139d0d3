"""Which expressions are plain numbers, and which are constants: questions of form, answered without types."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

UNITS = ("weeks", "days", "hours", "minutes", "seconds")
"""Members that make a Duration of a number."""


def is_number(node: View | None) -> bool:
    """Is the expression made of numeric literals alone, so that it takes the type that is expected?"""
    stack = [node]
    while stack:
        part = stack.pop()
        match part:
            case nodes.Literal():
                if part.token is None or part.token.kind not in (K.INT, K.DECIMAL):
                    return False
            case nodes.ParenExpr():
                stack.append(part.inner)
            case nodes.Unary() if part.op is not None and part.op.kind == K.MINUS:
                stack.append(part.operand)
            case nodes.Binary() if part.op is not None and part.op.kind in ARITHMETIC:
                stack += (part.lhs, part.rhs)
            case _:
                return False
    return True


ARITHMETIC = frozenset((K.PLUS, K.MINUS, K.STAR, K.SLASH, K.PERCENT))


def is_constant(node: View | None) -> bool:
    """May the expression stand in a fact: literals, `-1`, names, enum and struct values, lists, `30.days` of those.

    Whether a name means an individual or an enum case, and a call an enum case, is the resolver's question.
    """
    stack = [node]
    while stack:
        part = stack.pop()
        match part:
            case nodes.Literal() | nodes.Path() | None:
                continue
            case nodes.ParenExpr():
                stack.append(part.inner)
            case nodes.Unary() if part.op is not None and part.op.kind == K.MINUS and is_number(part.operand):
                continue
            case nodes.ListExpr():
                stack += part.elements
            case nodes.Call():
                stack += part.args.args if part.args else []
            case nodes.StructExpr() if part.fields is None or part.fields.base is None:
                stack += [init.value for init in part.fields.inits] if part.fields else []
            case nodes.FieldExpr() if part.name is not None and part.name.text in UNITS and is_number(part.base):
                continue
            case _:
                return False
    return True
