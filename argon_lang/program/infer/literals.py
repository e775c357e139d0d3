"""Literals take the numeric type that is expected of them (language.md §3.10)."""

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

_PLAIN: dict[int, Type] = {
    K.STRING: STRING,
    K.DATE: DATE,
    K.DATETIME: DATETIME,
    K.KW_TRUE: BOOL,
    K.KW_FALSE: BOOL,
}
_INTEGER_AS = (NAT, INT, REAL, DECIMAL, MONEY, FLOAT)
_DECIMAL_AS = (REAL, DECIMAL, MONEY, FLOAT)


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
