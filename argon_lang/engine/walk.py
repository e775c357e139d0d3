"""Walks over expressions and literals: parts, free variables, what may fail. Iterative, so depth is no concern."""

from __future__ import annotations

from collections.abc import Iterator

from argon_lang.engine.builtins import BUILTINS
from argon_lang.ir.expr import (
    Apply,
    Binary,
    Builtin,
    CallFn,
    CallQuery,
    Closure,
    Comprehend,
    Expr,
    Fold,
    Format,
    GetEnd,
    GetField,
    GetMember,
    GetPayload,
    Holds,
    If,
    IsCase,
    LetIn,
    Lit,
    Local,
    MakeEnum,
    MakeList,
    MakeStruct,
    MakeTuple,
    Try,
    Unary,
)
from argon_lang.ir.rules import Aggregate, Bind, Each, Literal, Match, Not, Test, Var
from argon_lang.program.types import DATE, DATETIME, DURATION


def parts(expr: Expr) -> tuple[Expr, ...]:
    """The direct subexpressions, in order of evaluation."""
    match expr:
        case Lit() | Local():
            return ()
        case Unary(_, operand, _):
            return (operand,)
        case Binary(_, left, right, _):
            return (left, right)
        case If(condition, then, otherwise):
            return (condition, then, otherwise)
        case LetIn(_, value, body):
            return (value, body)
        case CallFn(_, args) | CallQuery(_, args) | Builtin(_, args, _):
            return args
        case GetMember(base) | GetEnd(base) | GetField(base) | IsCase(base) | GetPayload(base) | Try(base):
            return (base,)
        case Comprehend(_, source, condition, element):
            return (source, element) if condition is None else (source, condition, element)
        case Fold(_, _, args, _):
            return args
        case Closure(_, body):
            return (body,)
        case Apply(callee, args):
            return (callee, *args)
        case MakeTuple(_, items) | MakeEnum(_, _, items) | MakeList(items) | Format(_, items):
            return items
        case MakeStruct(_, fields):
            return tuple(value for _, value in fields)
        case Holds(_, args):
            return tuple(arg for arg in args if arg is not None)


def subexpressions(expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside it."""
    pending = [expr]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(parts(current)))


def nesting(expr: Expr) -> int:
    """How deep the expression's tree is, without the left spine of operator chains and the bodies of `let`s."""
    deepest = 0
    pending = [(expr, 1)]
    while pending:
        current, depth = pending.pop()
        deepest = max(deepest, depth)
        along = {Binary: 0, LetIn: 1}.get(type(current))
        pending.extend((part, depth + (at != along)) for at, part in enumerate(parts(current)))
    return deepest


def free_locals(expr: Expr) -> tuple[str, ...]:
    """The variables that the expression reads from outside, in order of first occurrence."""
    if isinstance(expr, Local):
        return (expr.name,)
    found: dict[str, None] = {}
    pending: list[tuple[Expr, frozenset[str]]] = [(expr, frozenset())]
    while pending:
        current, inner = pending.pop()
        if isinstance(current, Local):
            if current.name not in inner:
                found.setdefault(current.name)
        elif isinstance(current, LetIn):
            pending.append((current.body, inner | {current.name}))
            pending.append((current.value, inner))
        elif isinstance(current, Closure):
            pending.append((current.body, inner.union(current.params)))
        elif isinstance(current, Comprehend):
            within = inner | {current.name}
            pending.extend((part, within) for part in reversed(parts(current)[1:]))
            pending.append((current.source, inner))
        else:
            pending.extend((part, inner) for part in reversed(parts(current)))
    return tuple(found)


def ends_early(expr: Expr) -> bool:
    """Is there a `?` in it that ends the function around it?"""
    pending = [expr]
    while pending:
        current = pending.pop()
        if isinstance(current, Try):
            return True
        if not isinstance(current, Closure):
            pending.extend(parts(current))
    return False


def may_fail(expr: Expr) -> bool:
    """May its evaluation end in a domain error (division by zero, a date beyond the calendar, a function's own)?"""
    return any(_fails(part) for part in subexpressions(expr))


def _fails(expr: Expr) -> bool:
    match expr:
        case Binary(op, _, _, ty):
            return op in ("/", "%") or (op in ("+", "-", "*") and ty in (DATE, DATETIME, DURATION))
        case Builtin(name, _, _):
            return BUILTINS[name].fallible if name in BUILTINS else True
        case CallFn() | Fold() | Apply():
            return True
        case _:
            return False


def literal_variables(literal: Literal) -> tuple[str, ...]:
    """Every variable that occurs in the literal, nested ones included, in order of first occurrence."""
    match literal:
        case Match(_, terms, _):
            return tuple(dict.fromkeys([term.name for term in terms if isinstance(term, Var)]))
        case Not(body, _):
            return tuple(dict.fromkeys(name for inner in body for name in literal_variables(inner)))
        case Test(expr, _):
            return free_locals(expr)
        case Bind(var, expr, _) | Each(var, expr, _):
            return tuple(dict.fromkeys((var, *free_locals(expr))))
        case Aggregate(var):
            return tuple(dict.fromkeys((var, *inner_variables(literal))))


def inner_variables(literal: Aggregate) -> tuple[str, ...]:
    """The variables of an aggregate but the one that it binds: its groups and its own."""
    read = (term.name for term in (*literal.own, literal.value) if isinstance(term, Var))
    return tuple(dict.fromkeys((*(name for each in literal.body for name in literal_variables(each)), *read)))


def binders(literal: Literal) -> tuple[str, ...]:
    """The variables that the literal can give a value to."""
    match literal:
        case Match():
            return literal_variables(literal)
        case Bind(var) | Each(var) | Aggregate(var):
            return (var,)
        case _:
            return ()


def matches(body: tuple[Literal, ...], negated: bool = False) -> Iterator[tuple[Match, bool]]:
    """Every predicate read of a body, nested ones included, and whether a negation or aggregate stands over it."""
    for literal in body:
        if isinstance(literal, Match):
            yield literal, negated
        elif isinstance(literal, Not | Aggregate):
            yield from matches(literal.body, True)


def aggregates(body: tuple[Literal, ...]) -> Iterator[Aggregate]:
    """Every aggregate of a body, nested ones included."""
    for literal in body:
        if isinstance(literal, Aggregate):
            yield literal
        if isinstance(literal, Not | Aggregate):
            yield from aggregates(literal.body)


def expressions(body: tuple[Literal, ...]) -> Iterator[Expr]:
    """Every expression of a body, nested ones included."""
    for literal in body:
        if isinstance(literal, Not | Aggregate):
            yield from expressions(literal.body)
        elif not isinstance(literal, Match):
            yield literal.expr


def negations(body: tuple[Literal, ...]) -> int:
    """How deep negations and aggregates stand within each other."""
    deepest = 0
    pending = [(literal, 1) for literal in body if isinstance(literal, Not | Aggregate)]
    while pending:
        current, depth = pending.pop()
        deepest = max(deepest, depth)
        pending.extend((inner, depth + 1) for inner in current.body if isinstance(inner, Not | Aggregate))
    return deepest
