"""Literals take the numeric type that is expected of them (language.md §3.10); what counts as a constant."""

from __future__ import annotations

from argon_lang.program.infer.compat import bare
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.dispatch import handles
from argon_lang.program.types import (
    BOOL,
    DATE,
    DATETIME,
    DECIMAL,
    FLOAT,
    INT,
    MONEY,
    NAT,
    REAL,
    STRING,
    UNKNOWN,
    Type,
)
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

_PLAIN: dict[int, Type] = {
    K.STRING: STRING,
    K.DATE: DATE,
    K.DATETIME: DATETIME,
    K.KW_TRUE: BOOL,
    K.KW_FALSE: BOOL,
}
_INTEGER_AS = (NAT, INT, REAL, DECIMAL, MONEY, FLOAT)
_DECIMAL_AS = (REAL, DECIMAL, MONEY, FLOAT)
UNITS = ("weeks", "days", "hours", "minutes", "seconds")


@handles(nodes.Literal)
def _literal(cx: Context, node: nodes.Literal, hint: Type | None) -> Type:
    token = node.token
    if token is None:
        return UNKNOWN
    wanted = bare(hint) if hint is not None else None
    if token.kind == K.INT:
        return wanted if wanted in _INTEGER_AS else INT
    if token.kind == K.DECIMAL:
        return wanted if wanted in _DECIMAL_AS else DECIMAL
    return _PLAIN.get(token.kind, UNKNOWN)


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
