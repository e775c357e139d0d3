"""`x.f.is_none`, `x.f.unwrap_or(e)` in a rule (language §3.9): an optional field, read whether or not it is there."""

from __future__ import annotations

from typing import Any, cast

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.expr import ABSENCE, lower_expr
from argon_lang.ir.lower.flatten import Conjunction
from argon_lang.ir.lower.keys import field_of
from argon_lang.ir.lower.reading import NotLowered, Reading
from argon_lang.ir.lower.walk import Held
from argon_lang.program.model import ToField
from argon_lang.program.types import Named, OptionOf
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import need


def _read(node: nodes.FieldExpr, reading: Reading) -> ir.Expr:
    return cast(ir.Expr, Held(node, _take, _fold))


def _key(node: nodes.FieldExpr, reading: Reading) -> str:
    match reading.meaning(node):
        case ToField(kind, owner, name) if kind != "struct":
            found = field_of(reading.declarations, Named(kind, owner), name)
            if found is not None:
                return found[1]
    raise NotLowered(node, node.text)


def _take(node: Any, body: Conjunction, name: str | None) -> ir.Expr:
    """The values of the field, gathered: there is one or none, and none fails nothing."""
    draft = body.draft
    key, type_ = _key(node, draft.reading), draft.reading.type_of(node)
    inner = type_.inner if isinstance(type_, OptionOf) else type_
    base = body.term(body.flat(lower_expr(node.base, draft.reading), node), need(node.base))
    return ir.Builtin("first", (body.gathered(base, key, node, inner, name),), type_)


def _fold(node: Any, reading: Reading) -> ir.Expr:
    return ir.GetField(lower_expr(node.base, reading), _key(node, reading), True, False)


ABSENCE[nodes.FieldExpr] = _read
