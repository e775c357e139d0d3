"""Values of literals as written: numbers take the type that inference expects of them (language §3.10)."""

from __future__ import annotations

import re
from datetime import UTC, date
from decimal import Decimal
from fractions import Fraction

from argon_lang.ir.values import Money, Value
from argon_lang.program.types import DECIMAL, FLOAT, INT, MONEY, NAT, REAL, OptionOf, Type
from argon_lang.syntax import kinds as K
from argon_lang.syntax.literals import date_value, datetime_value, number_value, string_value
from argon_lang.syntax.tree import Token

_PIECE = re.compile(r"\\u\{[0-9A-Fa-f]+\}|\\.|\{\{|\}\}|\{\}|.", re.DOTALL)


def literal_value(token: Token, expected: Type) -> Value:
    """The value of a literal token; a number as a value of the numeric type `expected`."""
    text = token.text
    match token.kind:
        case K.INT:
            return as_number(int(number_value(text)), expected)
        case K.DECIMAL:
            return as_number(Decimal(number_value(text)), expected)
        case K.STRING:
            return string_value(text)
        case K.DATE:
            return date.fromisoformat(date_value(text))
        case K.DATETIME:
            return datetime_value(text).astimezone(UTC)
        case _:
            return token.kind == K.KW_TRUE


def as_number(value: int | Decimal | Fraction, expected: Type) -> Value:
    """A plain number as a value of `expected`; unchanged where `expected` is no numeric type or cannot hold it."""
    target = expected.inner if isinstance(expected, OptionOf) else expected
    if target == REAL:
        return Fraction(value)
    if isinstance(value, Fraction) or target in (INT, NAT):
        return value
    if target == DECIMAL:
        return Decimal(value)
    if target == MONEY:
        return Money(Decimal(value))
    return float(value) if target == FLOAT else value


def format_pieces(text: str) -> tuple[str, ...]:
    """The inside of a `format!` template, split at `{}`; `{{` and `}}` are braces."""
    pieces = [""]
    for part in _PIECE.findall(text):
        if part == "{}":
            pieces.append("")
        else:
            pieces[-1] += part[0] if part in ("{{", "}}") else part
    return tuple(string_value(f'"{piece}"') for piece in pieces)
