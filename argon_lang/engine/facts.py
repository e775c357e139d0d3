"""Facts by name: stable ids for nodes of proofs, and ground literals."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from argon_lang.engine.order import sort_key
from argon_lang.ir.rules import Const, Match, Var
from argon_lang.ir.values import Value

Substitution = tuple[tuple[str, Value], ...]
"""Variables (canonical names) and their values, in the rule's order."""
Columns = tuple[tuple[int, ...], ...]
"""Groups of column numbers."""


def equal_columns(literal: Match, known: Mapping[str, Value]) -> Columns:
    """The columns that one variable without a value fills together: `((0, 1),)` for `p(y, y)` when y is not known."""
    places: dict[str, list[int]] = {}
    for column, term in enumerate(literal.terms):
        if isinstance(term, Var) and term.name not in known:
            places.setdefault(term.name, []).append(column)
    return tuple(tuple(columns) for columns in places.values() if len(columns) > 1)


def node_id(context: str, *parts: object) -> str:
    """A stable id: 24 hex characters of SHA-256 over the caller's context and the parts (text or keys of values)."""
    return hashlib.sha256(_encoded((context, *parts)).encode()).hexdigest()[:24]


def fact_id(context: str, key: str, row: Iterable[Value]) -> str:
    """The id of a fact (or of its absence, with None for any value)."""
    return node_id(context, key, tuple(map(sort_key, row)))


def _encoded(part: object) -> str:
    """Injective text of nested tuples of scalars; whole numbers in hexadecimal, which has no length limit."""
    if isinstance(part, tuple):
        return "(" + ",".join(map(_encoded, part)) + ")"
    if isinstance(part, bool):
        return repr(part)
    if isinstance(part, int):
        return hex(part)
    text = str(part)
    return f"{type(part).__name__}{len(text)}:{text}"


def ground(literal: Match, known: Mapping[str, Value]) -> tuple[Value, ...]:
    """The literal's columns under a substitution; None for a variable without a value."""
    return tuple(term.value if isinstance(term, Const) else known.get(term.name) for term in literal.terms)
