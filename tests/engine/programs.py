"""Random stratified programs for hypothesis: recursion, negation (nested too), aggregates, comparisons, `=`, `in`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from argon_lang.ir.expr import Binary, Expr, Lit, Local, MakeList
from argon_lang.ir.module import Module
from argon_lang.ir.rules import Aggregate, Bind, Const, Each, Literal, Match, Not, Predicate, Rule, Term, Test, Var
from argon_lang.program.types import BOOL, TOP, Type

BASE = {"a": 1, "e": 2, "f": 2, "t": 3}
LEVELS = ({"p": 2, "q": 1}, {"r": 2, "s": 2}, {"u": 1, "w": 2})
ARITY = {**BASE, **{key: arity for level in LEVELS for key, arity in level.items()}}
NUMBERS = st.integers(0, 4)
VALUES = st.one_of(NUMBERS, st.sampled_from([True, False, "x", Decimal("1.0"), Decimal("0.50")]))
NAMES = ("x", "y", "z", "k")
PATH = [(i, i + 1) for i in range(5)]
"""Facts whose closure takes several rounds."""
COMPARED = "compared"
"""The variable of an aggregate that is only compared."""


@dataclass(frozen=True)
class Program:
    """Rules with base facts."""

    rules: tuple[Rule, ...]
    facts: dict[str, list[tuple[Any, ...]]]

    def module(self, ty: Type = TOP) -> Module:
        """The module; every column has type `ty`."""
        return module_of(self.rules, ty)


def rule(key: str, terms: tuple[Term, ...], body: tuple[Literal, ...], **more: Any) -> Rule:
    """A rule with an id that depends on its content."""
    text = repr((key, terms, body))
    return Rule(hashlib.sha256(text.encode()).hexdigest()[:16], key, terms, body, **more)


def module_of(rules: tuple[Rule, ...], ty: Type = TOP, **more: Any) -> Module:
    """A module in which every column has type `ty` (by default one that says nothing)."""
    predicates = tuple(
        Predicate(key, "derived", tuple((f"c{i}", ty) for i in range(arity))) for key, arity in sorted(ARITY.items())
    )
    return Module("test", "0", predicates=predicates, rules=rules, **more)


_X, _Y, _Z = (Var(name) for name in "xyz")
CLOSURE = (
    rule("p", (_X, _Y), (Match("e", (_X, _Y)),)),
    rule("p", (_X, _Z), (Match("p", (_X, _Y)), Match("e", (_Y, _Z)))),
)
GAME = rule("q", (_X,), (Match("e", (_X, _Y)), Not((Match("q", (_Y,)),))))
"""A position wins that leads to one which does not."""
SIDES = (
    rule("q", (_X,), (Match("f", (_X, _Y)), Match("q", (_Y,)))),
    rule("q", (_X,), (Match("f", (_X, _Y)), Match("u", (_Y,)))),
    rule("u", (_X,), (Match("f", (_Y, _X)), Match("q", (_X,)), Not((Match("q", (_Y,)),)))),
    rule("u", (_X,), (Match("e", (_Y, _X)), Match("u", (_Y,)), Not((Match("a", (_X,)),)))),
    rule("p", (_X, _Y), (Match("f", (_X, _Y)), Not((Match("q", (_X,)),)), Not((Match("p", (_Y, _X)),)))),
    rule("q", (_X,), (Match("a", (_X,)), Not((Match("f", (_X, _Y)), Not((Match("q", (_Y,)),)))))),
)
"""Clauses that recurse beside the game: rows that found only each other, and negations of several atoms."""


@st.composite
def games(draw: st.DrawFn) -> Program:
    """A game over a dozen positions, long enough that what ends decides what leads there only step by step."""
    place = st.integers(0, 11)
    line = [(i, i + 1) for i in range(draw(st.integers(0, 11)))]
    edges = [*line, *draw(st.lists(st.tuples(place, place), max_size=6))]
    others = draw(st.lists(st.tuples(place, place), max_size=5))
    chosen = draw(st.lists(st.sampled_from(SIDES), max_size=3, unique=True))
    alone = draw(st.lists(st.tuples(place), max_size=3))
    return Program((GAME, *chosen), {"a": alone, "e": edges, "f": others})


def reads(keys: list[str]) -> st.SearchStrategy[Match]:
    """A read of one of `keys` with variables and, now and then, constants."""
    term = st.one_of(*[st.sampled_from(NAMES).map(Var)] * 4, NUMBERS.map(Const))
    return st.sampled_from(keys).flatmap(
        lambda key: st.tuples(*[term] * ARITY[key]).map(lambda terms: Match(key, terms))
    )


def bound_in(body: list[Match]) -> list[str]:
    return sorted({term.name for match in body for term in match.terms if isinstance(term, Var)})


def numeric(names: list[str]) -> st.SearchStrategy[Expr]:
    """A value that is never out of a small range; `==` alone is safe on mixed values, so it reads any variable."""
    return st.one_of(NUMBERS.map(Lit), st.sampled_from(names).map(Local)) if names else NUMBERS.map(Lit)


@st.composite
def negations(draw: st.DrawFn, keys: list[str], depth: int = 1) -> Not:
    """`not { … }` over lower strata; variables that nobody else binds become local by renaming in `rules`."""
    body: list[Literal] = list(draw(st.lists(reads(keys), min_size=1, max_size=2)))
    names = bound_in([literal for literal in body if isinstance(literal, Match)])
    if names and draw(st.booleans()):
        body.append(
            Test(Binary(draw(st.sampled_from(["==", "!="])), Local(draw(st.sampled_from(names))), Lit(1), BOOL))
        )
    if depth and draw(st.booleans()):
        body.append(draw(negations(keys, depth - 1)))
    return Not(tuple(body))


def localised(literal: Literal, bound: frozenset[str], prefix: str) -> Literal:
    """Rename the variables of a negation that nothing outside it binds, so that they are its own."""
    match literal:
        case Match(key, terms, _):
            return Match(key, tuple(_renamed(term, bound, prefix) for term in terms))
        case Not(body, _):
            inner = bound | {name for part in body if isinstance(part, Match) for name in bound_in([part])}
            mine = {name: f"{prefix}{name}" for name in inner - bound}
            renamed = tuple(_substituted(part, mine) for part in body)
            seen = bound | frozenset(mine.values())
            return Not(tuple(localised(p, seen, prefix + "n") if isinstance(p, Not) else p for p in renamed))
        case _:
            return literal


def _renamed(term: Term, bound: frozenset[str], prefix: str) -> Term:
    return Var(prefix + term.name) if isinstance(term, Var) and term.name not in bound else term


def _substituted(literal: Literal, names: dict[str, str]) -> Literal:
    match literal:
        case Match(key, terms, _):
            return Match(key, tuple(Var(names.get(t.name, t.name)) if isinstance(t, Var) else t for t in terms))
        case Test(Binary(op, Local(name), right, ty), _):
            return Test(Binary(op, Local(names.get(name, name)), right, ty))
        case Not(body, _):
            return Not(tuple(_substituted(part, names) for part in body))
        case _:
            return literal


@st.composite
def aggregates(draw: st.DrawFn, keys: list[str], ops: tuple[str, ...], bound: list[str], name: str) -> Aggregate:
    """An aggregate over lower strata; `bound` variables group it, the others become its own by renaming."""
    body: list[Literal] = list(draw(st.lists(reads(keys), min_size=1, max_size=2)))
    if draw(st.booleans()):
        body.append(Not((draw(reads(keys)),)))
    body = list(localised(Not(tuple(body)), frozenset(bound), name).body)  # type: ignore[union-attr]
    own = [Var(each) for each in bound_in([part for part in body if isinstance(part, Match)]) if each not in bound]
    value = draw(st.sampled_from(own)) if own else Const(draw(NUMBERS))
    ranged = tuple(own) if draw(st.booleans()) else ()
    return Aggregate(name, draw(st.sampled_from(ops)), ranged, value, tuple(body), TOP)


@st.composite
def rules(
    draw: st.DrawFn, key: str, same: list[str], lower: list[str], ops: tuple[str, ...], denied: list[str] | None = None
) -> Rule:
    """A clause of `key` that reads its own level and lower ones, negated only lower ones (or those `denied`)."""
    positive = draw(st.lists(reads(same + lower), min_size=1, max_size=3))
    names = bound_in(positive)
    body: list[Literal] = list(positive)
    heads = list(names)
    if names and draw(st.booleans()):
        operands = st.sampled_from(names)
        body.append(
            Test(Binary(draw(st.sampled_from(["==", "!="])), Local(draw(operands)), draw(numeric(names)), BOOL))
        )
    if draw(st.booleans()):
        chosen = Lit(draw(NUMBERS)) if not names else draw(numeric(names))
        body.append(Bind("b", chosen))
        heads.append("b")
    if draw(st.booleans()):
        items = draw(st.lists(numeric(names), min_size=0, max_size=3))
        body.append(Each("i", MakeList(tuple(items))) if items else Each("i", Lit(())))
        heads.append("i")
    if draw(st.booleans()):
        body.append(draw(aggregates(lower, ops, names, "g")))
        heads.append("g")
    for number, negation in enumerate(draw(st.lists(negations(denied or lower), max_size=2))):
        body.append(localised(negation, frozenset(heads), f"l{number}"))
    term = st.one_of(st.sampled_from(heads).map(Var), NUMBERS.map(Const)) if heads else NUMBERS.map(Const)
    return rule(key, draw(st.tuples(*[term] * ARITY[key])), tuple(draw(st.permutations(body))))


def programs(values: st.SearchStrategy[Any] = VALUES) -> st.SearchStrategy[Program]:
    """A program of three strata with small random facts."""
    ops = ("sum", "count", "min", "max", "one", "set") if values is NUMBERS else ("count", "one")
    return stratified_programs(values, ops)


@st.composite
def stratified_programs(draw: st.DrawFn, values: st.SearchStrategy[Any], ops: tuple[str, ...]) -> Program:
    """The same with these aggregates."""
    made: list[Rule] = []
    lower = sorted(BASE)
    for level in LEVELS:
        for key in level:
            made.extend(draw(st.lists(rules(key, sorted(level), lower, ops), min_size=1, max_size=2)))
        lower = [*lower, *sorted(level)]
    row = {key: st.tuples(*[values] * arity) for key, arity in ARITY.items()}
    facts = {key: draw(st.lists(row[key], max_size=6)) for key in sorted(BASE)}
    if draw(st.booleans()):
        made.extend(CLOSURE)
        facts["e"] = [*facts["e"], *PATH]
    if draw(st.booleans()):
        facts["p"] = draw(st.lists(row["p"], max_size=2))
    return Program(tuple(made), facts)


@st.composite
def circular(draw: st.DrawFn, key: str, same: list[str], lower: list[str], aggregating: bool) -> Rule:
    """A clause that reads one or two lower keys and denies keys of its own level, so that circles are common."""
    positive = draw(st.lists(reads(lower), min_size=1, max_size=2))
    if draw(st.integers(0, 2)) == 0:
        positive.append(draw(reads(same)))
    names = bound_in(positive)
    body: list[Literal] = list(positive)
    denials = [draw(negations(same)) for _ in range(draw(st.integers(0, 2)))]
    body += [localised(denial, frozenset(names), f"l{number}") for number, denial in enumerate(denials)]
    if aggregating and draw(st.integers(0, 3)) == 0:
        if draw(st.booleans()):
            body.append(draw(aggregates(lower, ("count", "sum", "min", "max", "avg"), names, COMPARED)))
            operator = draw(st.sampled_from(["<", "<=", "==", "!=", ">", ">="]))
            body.append(Test(Binary(operator, Local(COMPARED), Lit(draw(st.integers(0, 2))), BOOL)))
        else:
            body.append(draw(aggregates(lower, ("count", "set", "one"), names, "g")))
            names = [*names, "g"]
    term = st.sampled_from(names).map(Var) if names else NUMBERS.map(Const)
    return rule(key, draw(st.tuples(*[term] * ARITY[key])), tuple(draw(st.permutations(body))))


def rivals(one: tuple[str, int], other: tuple[str, int]) -> list[Rule]:
    """Two clauses each of which holds unless the other does: a choice, which nothing decides by itself."""
    read = Match("e", (Var("x"), Var("y"))) if one[1] == other[1] == 2 else Match("a", (Var("x"),))
    first, second = ((key, (*read.terms, *read.terms)[:arity]) for key, arity in (one, other))
    pairs = ((first, second), (second, first))
    return [rule(head, terms, (read, Not((Match(*denied),)))) for (head, terms), denied in pairs]


def cyclic_programs() -> st.SearchStrategy[Program]:
    """A program of two levels that recurse through negation, with small random facts; aggregates read what is below."""
    return circular_programs(aggregating=True)


@st.composite
def circular_programs(draw: st.DrawFn, aggregating: bool) -> Program:
    """The same with or without aggregates."""
    made: list[Rule] = []
    lower = ["a", "e"]
    for level in LEVELS[:2]:
        for key in level:
            made.extend(draw(st.lists(circular(key, sorted(level), lower, aggregating), min_size=1, max_size=3)))
        if draw(st.booleans()):
            made.extend(rivals(*level.items()))
        lower = [*lower, *sorted(level)]
    row = {key: st.tuples(*[st.integers(0, 2)] * ARITY[key]) for key in ("a", "e")}
    facts = {key: draw(st.lists(row[key], min_size=2, max_size=6)) for key in row}
    return Program(tuple(made), facts)
