"""A reference evaluator, written to be read: enumerate substitutions, iterate to the fixpoint, stratum by stratum.

It shares no code with the engine: its own notion of equal values, its own strata, its own expressions. Recursion
through negation gets the well-founded model by its definition, the alternating fixpoint (Van Gelder 1989).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

from argon_lang.ir.expr import Apply, Binary, Builtin, Closure, Expr, Lit, Local, MakeList
from argon_lang.ir.rules import Aggregate, Bind, Const, Each, Literal, Match, Not, Rule, Term, Test, Var

Facts = dict[str, set[tuple[Any, ...]]]
Substitution = dict[str, Any]


def plain(value: Any) -> Any:
    """Numbers as fractions, Booleans as words, so that Python's `==` is the language's."""
    if isinstance(value, bool):
        return ("Bool", value)
    if isinstance(value, frozenset):
        return frozenset(map(plain, value))
    return Fraction(value) if isinstance(value, int | Decimal | Fraction) else value


def plain_or_any(value: Any) -> Any:
    """`plain`, with None (any value) left alone."""
    return None if value is None else plain(value)


def strata(rules: Iterable[Rule]) -> dict[str, int]:
    """Numbers such that a rule reads no higher stratum, and under a negation or in an aggregate only lower ones."""
    level = {rule.key: 0 for rule in rules}
    changed = True
    while changed:
        changed = False
        for rule in rules:
            for literal in rule.body:
                for key, negated in reads(literal):
                    least = level.get(key, 0) + negated
                    if level[rule.key] < least:
                        level[rule.key], changed = least, True
        assert max(level.values(), default=0) <= len(level), "recursion through negation"
    return level


def reads(literal: Literal, negated: bool = False) -> Iterator[tuple[str, bool]]:
    if isinstance(literal, Match):
        yield literal.key, negated
    elif isinstance(literal, Not | Aggregate):
        for inner in literal.body:
            yield from reads(inner, True)


def evaluate(rules: Iterable[Rule], facts: dict[str, Iterable[tuple[Any, ...]]]) -> Facts:
    """All rows by key, with `plain` values."""
    rules = list(rules)
    rows: Facts = {key: {tuple(map(plain, row)) for row in given} for key, given in facts.items()}
    level = strata(rules)
    for number in sorted(set(level.values())):
        current = [rule for rule in rules if level[rule.key] == number]
        before = -1
        while before != sum(map(len, rows.values())):
            before = sum(map(len, rows.values()))
            for rule in current:
                found = {head(rule, s) for s in solutions(list(rule.body), {}, settled(rows))}
                rows.setdefault(rule.key, set()).update(found)
    return rows


def layers(rules: list[Rule]) -> dict[str, int]:
    """The same where only aggregates want their reads complete, so that negation may recurse."""
    level = {rule.key: 0 for rule in rules}
    changed = True
    while changed:
        changed = False
        for rule in rules:
            for literal in rule.body:
                for key, _ in reads(literal):
                    least = level.get(key, 0) + isinstance(literal, Aggregate)
                    if level[rule.key] < least:
                        level[rule.key], changed = least, True
    return level


def well_founded(
    rules: Iterable[Rule],
    facts: Mapping[str, Iterable[tuple[Any, ...]]],
    assumed: Iterable[Rule] = (),
    refuted: dict[str, set[tuple[Any, ...]]] | None = None,
) -> tuple[Facts, Facts]:
    """The definite and the possible rows. `assumed` are rules of the possible estimate alone; what is `refuted` and not
    definite is not possible."""
    definite: Facts = {key: {tuple(map(plain, row)) for row in given} for key, given in facts.items()}
    possible = {key: set(rows) for key, rows in definite.items()}
    listed, open_rules = list(rules), list(assumed)
    level = layers([*listed, *open_rules])
    for number in sorted(set(level.values())):
        own = [rule for rule in listed if level[rule.key] == number]
        also = [*own, *(rule for rule in open_rules if level[rule.key] == number)]
        denied = {rule.key: (refuted or {}).get(rule.key, set()) for rule in also}
        definite, possible = unbarred(own, also, definite, possible, denied)
    return definite, possible


def unbarred(own: list[Rule], also: list[Rule], definite: Facts, possible: Facts, denied: Facts) -> tuple[Facts, Facts]:
    """One layer: what is denied is barred from the possible rows; the bar falls on what is derived all the same."""
    barred = denied
    while True:
        low, before = definite, None
        while before != low:
            before = low
            high = fixpoint(also, possible, low, False, barred)
            low = fixpoint(own, definite, high, True, {})
        derived = {key: rows & low.get(key, set()) for key, rows in barred.items()}
        if not any(derived.values()):
            break
        barred = {key: rows - derived[key] for key, rows in barred.items()}
    for key, rows in denied.items():
        high[key] = high.get(key, set()) - (rows - low.get(key, set()))
    return low, high


def fixpoint(rules: list[Rule], start: Facts, other: Facts, definite: bool, barred: Facts) -> Facts:
    """The least rows above `start` that the rules derive, negations asking `other`, without those barred."""
    rows = {key: set(found) for key, found in start.items()}
    before = -1
    while before != sum(map(len, rows.values())):
        before = sum(map(len, rows.values()))
        for rule in rules:
            found = {head(rule, s) for s in solutions(list(rule.body), {}, Estimate(rows, other, definite))}
            rows.setdefault(rule.key, set()).update(found - barred.get(rule.key, set()))
    return rows


@dataclass(frozen=True)
class Estimate:
    """Rows, those that negations ask, and which of the two estimates `rows` is."""

    rows: Facts
    other: Facts
    definite: bool

    def swapped(self) -> Estimate:
        return Estimate(self.other, self.rows, not self.definite)


def settled(rows: Facts) -> Estimate:
    """Rows of which none is in doubt."""
    return Estimate(rows, rows, True)


def head(rule: Rule, substitution: Substitution) -> tuple[Any, ...]:
    return tuple(term_value(term, substitution) for term in rule.terms)


def term_value(term: Term, substitution: Substitution) -> Any:
    return plain(term.value) if isinstance(term, Const) else substitution[term.name]


def solutions(body: list[Literal], given: Substitution, rows: Estimate) -> Iterator[Substitution]:
    """Every extension of `given` that makes `body` true; local variables of negations and aggregates stay out."""
    if not body:
        yield given
        return
    literal = next(candidate for candidate in body if ready(candidate, given, body))
    rest = [other for other in body if other is not literal]
    for extended in one(literal, given, rows):
        yield from solutions(rest, extended, rows)


def ready(literal: Literal, given: Substitution, body: list[Literal]) -> bool:
    """Positive reads always; the rest once no other literal can still bind what they read."""
    if isinstance(literal, Match):
        return True
    bindable = {name for other in body if other is not literal for name in binds(other)}
    if isinstance(literal, Not | Aggregate):
        own = {literal.var} if isinstance(literal, Aggregate) else set()
        return not ((variables(literal) - own) & bindable - set(given))
    if isinstance(literal, Bind) and isinstance(literal.expr, Local) and literal.var in given:
        return True
    return locals_of(literal.expr) <= set(given)


def binds(literal: Literal) -> set[str]:
    if isinstance(literal, Match):
        return {term.name for term in literal.terms if isinstance(term, Var)}
    return {literal.var} if isinstance(literal, Bind | Each | Aggregate) else set()


def variables(literal: Literal) -> set[str]:
    if isinstance(literal, Not):
        return {name for inner in literal.body for name in variables(inner)}
    if isinstance(literal, Aggregate):
        ranged = {term.name for term in (*literal.own, literal.value) if isinstance(term, Var)}
        return {literal.var} | ranged | {name for inner in literal.body for name in variables(inner)}
    own = set() if isinstance(literal, Match) else locals_of(literal.expr)
    return own | binds(literal)


def one(literal: Literal, given: Substitution, rows: Estimate) -> Iterator[Substitution]:
    match literal:
        case Match(key, terms, _):
            for row in rows.rows.get(key, ()):
                extended = unify(terms, row, given)
                if extended is not None:
                    yield extended
        case Not(body, _):
            if next(solutions(list(body), given, rows.swapped()), None) is None:
                yield given
        case Aggregate(var, op, own, value, body):
            definite, possible = (
                {tuple(term_value(term, each) for term in (*own, value)) for each in solutions(list(body), given, rows)}
                for rows in ((rows, rows.swapped()) if rows.definite else (rows.swapped(), rows))
            )
            if var.startswith("compared"):
                values = outcomes(op, definite, possible)
                if values and (None not in values or not rows.definite):
                    yield {**given, var: Outcomes(frozenset(values - {None}))}
            elif definite == possible or not rows.definite:
                results = list(fold(op, [row[-1] for row in definite]))
                for result in results or fold(op, [row[-1] for row in possible]):
                    yield from assign(var, result, given)
        case Test(Binary(op, Local(name), Lit(value)), _) if isinstance(given[name], Outcomes):
            answers = [_OPERATORS[op](each, plain(value)) for each in given[name].values]
            if all(answers) if rows.definite else any(answers):
                yield given
        case Test(expr, _):
            if value_of(expr, given) == plain(True):
                yield given
        case Bind(var, Local(name), _) if name not in given:
            yield {**given, name: given[var]}
        case Bind(var, expr, _):
            yield from assign(var, value_of(expr, given), given)
        case Each(var, expr, _):
            for element in set(value_of(expr, given)):
                yield from assign(var, element, given)


@dataclass(frozen=True)
class Outcomes:
    """What an aggregate might come to, by which of the rows in doubt are there."""

    values: frozenset[Any]


def outcomes(op: str, definite: set[tuple[Any, ...]], possible: set[tuple[Any, ...]]) -> set[Any]:
    """The value of every set of rows between the two; None for one that has none."""
    doubted = sorted(possible - definite)
    chosen = (rows for size in range(len(doubted) + 1) for rows in combinations(doubted, size))
    return {next(fold(op, [row[-1] for row in (*definite, *rows)]), None) for rows in chosen}


def fold(op: str, values: list[Any]) -> Iterator[Any]:
    """The value of an aggregate, or nothing."""
    if op in ("sum", "count"):
        yield sum(values, start=Fraction(0)) if op == "sum" else Fraction(len(values))
    elif op == "one":
        yield from set(values) if len(set(values)) == 1 else ()
    elif values:
        yield _FOLDS[op](values)


def average(values: list[Any]) -> Any:
    return sum(values) / len(values)


_FOLDS: dict[str, Callable[[list[Any]], Any]] = {"min": min, "max": max, "set": frozenset, "avg": average}


def unify(terms: tuple[Term, ...], row: tuple[Any, ...], given: Substitution) -> Substitution | None:
    extended = dict(given)
    for term, value in zip(terms, row, strict=True):
        if isinstance(term, Var):
            if extended.setdefault(term.name, value) != value:
                return None
        elif plain(term.value) != value:
            return None
    return extended


def assign(var: str, value: Any, given: Substitution) -> Iterator[Substitution]:
    if given.get(var, value) == value:
        yield {**given, var: value}


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def value_of(expr: Expr, given: Substitution) -> Any:
    match expr:
        case Lit(value):
            return plain(value)
        case Local(name):
            return given[name]
        case MakeList(items):
            return tuple(value_of(item, given) for item in items)
        case Binary(op, left, right, _):
            return plain_result(_OPERATORS[op](value_of(left, given), value_of(right, given)))
        case Closure(params, body):
            return lambda *values: value_of(body, {**given, **dict(zip(params, values, strict=True))})
        case Apply(callee, args):
            return value_of(callee, given)(*(value_of(arg, given) for arg in args))
        case Builtin(name, args):
            return plain_result(_over(name, *(value_of(arg, given) for arg in args)))
    raise AssertionError(expr)


def _over(name: str, xs: tuple[Any, ...], *rest: Any) -> Any:
    """What a member of lists gives, by its meaning: element by element."""
    truth = plain(True)
    match name, rest:
        case "length", ():
            return Fraction(sum(1 for _ in xs))
        case "map", (made,):
            return tuple(made(x) for x in xs)
        case "filter", (holds,):
            return tuple(x for x in xs if holds(x) == truth)
        case "any", (holds,):
            return not all(holds(x) != truth for x in xs)
        case "all", (holds,):
            return not any(holds(x) != truth for x in xs)
        case "slice", (low, high):
            return tuple(x for at, x in enumerate(xs) if low <= at < high)
        case "fold", (so_far, step):
            for x in xs:
                so_far = step(so_far, x)
            return so_far
    raise AssertionError(name)


def plain_result(value: Any) -> Any:
    return ("Bool", value) if isinstance(value, bool) else value


def locals_of(expr: Expr) -> set[str]:
    match expr:
        case Local(name):
            return {name}
        case MakeList(items):
            return {name for item in items for name in locals_of(item)}
        case Binary(_, left, right, _):
            return locals_of(left) | locals_of(right)
        case Closure(params, body):
            return locals_of(body) - set(params)
        case Apply(callee, args):
            return {name for part in (callee, *args) for name in locals_of(part)}
        case Builtin(_, args):
            return {name for part in args for name in locals_of(part)}
        case _:
            return set()


def head_of(literal: Match, substitution: Substitution) -> tuple[Any, ...]:
    """The literal's columns under a substitution of all its variables."""
    return tuple(term_value(term, substitution) for term in literal.terms)
