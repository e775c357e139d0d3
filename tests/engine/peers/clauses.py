"""Rules as plain clauses for other systems: negated bodies become predicates of their own, over what they share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from argon_lang.ir.expr import Expr, Lit, Local, MakeList
from argon_lang.ir.rules import Aggregate, Bind, Const, Each, Literal, Match, Not, Rule, Term, Test, Var
from tests.engine import naive

Atom = tuple[str, tuple[Term, ...]]


@dataclass(frozen=True)
class Clause:
    """`head :- body`, in an order in which each literal finds what it reads; `not` only before an atom."""

    head: Atom
    body: tuple[Literal, ...]


def clauses(rules: Iterable[Rule], around: bool) -> list[Clause]:
    """The rules, with a predicate for each negated body.

    `around`: its clauses repeat the atoms that stand before the negation, so that their variables are bound there.
    """
    return [each for number, rule in enumerate(rules) for each in _of_rule(f"x{number}", rule, around)]


def _of_rule(name: str, rule: Rule, around: bool) -> Iterator[Clause]:
    helpers: list[Clause] = []
    body = _plain(name, ordered(rule.body), (), around, helpers)
    yield Clause((rule.key, rule.terms), body)
    yield from helpers


def ordered(body: Iterable[Literal]) -> list[Literal]:
    """Atoms, then what computes from them, then what only tests."""
    ranks = {Match: 0, Bind: 1, Each: 2, Aggregate: 3, Test: 4, Not: 5}
    return sorted(body, key=lambda literal: ranks[type(literal)])


def _plain(
    name: str, body: list[Literal], outer: tuple[Literal, ...], around: bool, helpers: list[Clause]
) -> tuple[Literal, ...]:
    found: list[Literal] = []
    for number, literal in enumerate(body):
        context = (*outer, *found)
        if isinstance(literal, Not):
            found.append(_denied(f"{name}_{number}", literal, context, around, helpers))
        elif isinstance(literal, Aggregate):
            inner = _plain(f"{name}_{number}", ordered(literal.body), context, around, helpers)
            found.append(Aggregate(literal.var, literal.op, literal.own, literal.value, inner, literal.type))
        else:
            found.append(literal)
    return tuple(found)


def _denied(name: str, literal: Not, context: tuple[Literal, ...], around: bool, helpers: list[Clause]) -> Not:
    bound = {each for outer in context if not isinstance(outer, Not) for each in naive.binds(outer)}
    shared = tuple(Var(each) for each in sorted(naive.variables(literal) & bound))
    binding = tuple(each for each in context if not isinstance(each, Not | Test)) if around else ()
    inner = _plain(name, ordered(literal.body), (*context,), around, helpers)
    helpers.append(Clause((name, shared), (*binding, *inner)))
    return Not((Match(name, shared),))


def names(expr: Expr) -> list[str | int]:
    """What a literal, a variable or a list of them stands for: numbers, and names of variables."""
    match expr:
        case Lit(tuple()):
            return []
        case Lit(value):
            return [value]
        case Local(name):
            return [name]
        case MakeList(items):
            return [each for item in items for each in names(item)]
    raise AssertionError(expr)


def terms(given: Iterable[Term]) -> list[str | int]:
    return [term.value if isinstance(term, Const) else term.name for term in given]
