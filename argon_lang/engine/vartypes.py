"""Types of a rule's variables, as far as its body tells: for decoding answers and comparing by number."""

from __future__ import annotations

from collections.abc import Mapping

from argon_lang.engine.exprs import Functions
from argon_lang.ir.expr import Binary, Builtin, CallFn, Expr, If, LetIn, Lit, Local, Unary
from argon_lang.ir.rules import Aggregate, Bind, Literal, Match, Not, Predicate, Rule, Var
from argon_lang.program.types import BOOL, DECIMAL, DURATION, INT, MONEY, NAT, REAL, STRING, Named, Type

_BY_NUMBER = frozenset({BOOL, INT, NAT, REAL, DECIMAL, MONEY, STRING, DURATION})


def variable_types(rule: Rule, shapes: Mapping[str, Predicate], functions: Functions) -> dict[str, Type]:
    """Types of the rule's variables as far as the columns and computations that bind them tell."""
    types: dict[str, Type] = {}
    _body(rule.body, types, shapes, functions)
    return types


def _body(
    body: tuple[Literal, ...], types: dict[str, Type], shapes: Mapping[str, Predicate], functions: Functions
) -> None:
    """What binds directly in the body, then what it computes, then what its negations and aggregates bind."""
    for literal in body:
        if isinstance(literal, Match) and literal.key in shapes:
            for term, (_, ty) in zip(literal.terms, shapes[literal.key].columns, strict=False):
                if isinstance(term, Var):
                    types.setdefault(term.name, ty)
        elif isinstance(literal, Aggregate):
            types.setdefault(literal.var, literal.type)
    for literal in body:
        if isinstance(literal, Bind):
            computed = _computed_type(literal.expr, types, functions)
            if computed is not None:
                types.setdefault(literal.var, computed)
    for literal in body:
        if isinstance(literal, Not | Aggregate):
            _body(literal.body, types, shapes, functions)


def _computed_type(expr: Expr, types: Mapping[str, Type], functions: Functions) -> Type | None:
    match expr:
        case Local(name):
            return types.get(name)
        case Unary(_, _, ty) | Binary(_, _, _, ty) | Builtin(_, _, ty):
            return ty
        case CallFn(path, _):
            return functions.declared[path].result
        case If(_, then, otherwise):
            one, other = (_computed_type(arm, types, functions) for arm in (then, otherwise))
            return one if one == other else None
        case LetIn(name, value, inner):
            bound = {**types}
            bound.pop(name, None)
            made = _computed_type(value, types, functions)
            return _computed_type(inner, bound if made is None else {**bound, name: made}, functions)
        case _:
            return None


def by_number(expr: Expr, types: Mapping[str, Type]) -> Binary | None:
    """The expression if it is an `==` or `!=` of interned values that the types let compare by their numbers."""
    if not (isinstance(expr, Binary) and expr.op in ("==", "!=")):
        return None
    sides = (expr.left, expr.right)
    if not all(isinstance(side, Local | Lit) for side in sides):
        return None
    known = [types.get(side.name) for side in sides if isinstance(side, Local)]
    return expr if any(ty in _BY_NUMBER or isinstance(ty, Named) for ty in known) else None
