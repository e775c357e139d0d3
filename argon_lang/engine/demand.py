"""Which rows a goal can rest on: rules that spread demand from its known columns (magic sets).

A goal asks for the rows of a key in which some columns are known, or for the solutions of a query's rule. From each
clause that could conclude such a row, in the order in which why-not looks at its body, every read of a derived key is
wanted with the columns that are known by then. Two programs come of it:

- the *search* finds what is wanted. It may be generous: a negation, an aggregate or an expression that it cannot decide
  over the rows at hand is left out, and so are reads of what only those could tell; it finds at least every row that
  the goal rests on;
- the *guarded* clauses are the program's own, each with one read more: that its head is wanted. What is wanted is known
  by then, so they derive their rows in the rounds, and by the clauses, of a full evaluation: premises of a row that is
  wanted are wanted.

A component is evaluated *whole* where demand says nothing of it (no column is known) or has no exact meaning:
recursion through negation, open concepts, and what those rest on.

Magic sets: Bancilhon, Maier, Sagiv, Ullman 1986; Beeri and Ramakrishnan 1991.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from argon_lang.engine.compiled import CompiledRule
from argon_lang.engine.linear import begun, passes_on, passing, through_key
from argon_lang.engine.plan import Plan, Step, alike
from argon_lang.engine.refusal import Refused
from argon_lang.engine.walk import expressions, free_locals, matches, may_fail
from argon_lang.ir.expr import Local
from argon_lang.ir.rules import Aggregate, Bind, Const, Each, Literal, Match, Not, Rule, Term, Test, Var

if TYPE_CHECKING:
    from argon_lang.engine.program import CompiledProgram, Unit

Columns = tuple[int, ...]
Wanted = tuple[str, Columns]
"""A key and the columns of it that are known."""
Numbered = tuple[tuple[int, CompiledRule], ...]
SEED = "wanted:"
"""The key under which a query's inputs are handed in, with one column more."""
_MOST_PATTERNS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Demand:
    """How to find the rows that goals of one shape rest on.

    `search` are the rules that find what is wanted, over the keys `arities`. `guarded` are the components by their
    place, with such clauses, `whole` the places of those that are evaluated whole. `patterns` are the columns by which
    rows of a key are wanted; those of a key in `through` are found by other clauses than its own (`linear`). `exact`:
    the search left out nothing that gives a variable its value, so that it wants all that why-not looks at.
    """

    search: Numbered
    arities: Mapping[str, int]
    guarded: Mapping[int, Unit]
    whole: frozenset[int]
    patterns: Mapping[str, tuple[Columns, ...]]
    through: frozenset[str]
    exact: bool


def wanted_key(key: str, columns: Columns) -> str:
    """The key of the rows that say which rows of `key` are wanted, by these columns."""
    return f"{SEED}{','.join(map(str, columns))}:{key}"


def demand_of(program: CompiledProgram, goal: Wanted | Rule) -> Demand | None:
    """The demand of goals of one shape, made once; None where they rest on whole components only."""
    name: object = goal.id if isinstance(goal, Rule) else goal
    if name not in program.demands:
        program.demands[name] = _demand(program, goal)
    return program.demands[name]


def _demand(program: CompiledProgram, goal: Wanted | Rule) -> Demand | None:
    inexact = [unit.keys for unit in program.units if unit.clauses or unit.open]
    whole = {place for keys in inexact for place in program.cone(keys)}
    silent: set[str] = set()
    while True:
        spread = _Spread(program, frozenset(whole), frozenset(silent), passing=isinstance(goal, Rule))
        try:
            spread.of_goal(goal)
        except _Whole as found:
            whole.update(program.cone((found.key,)))
        except _Silent as found:
            silent.add(found.key)
        else:
            return spread.demand() if spread.patterns else None


class _Other(Exception):
    """Demand must be spread otherwise, because of a key. Never leaves this file."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class _Whole(_Other):
    """Rows of the key are wanted of which nothing is known."""


class _Silent(_Other):
    """The search cannot tell rows of the key: a column of its head comes from what is left out."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A clause for rows that are wanted in one way: what says that they are, and what is run behind that."""

    number: int
    guard: Match
    compiled: CompiledRule


@dataclass
class _Spread:
    """One attempt, with the components `whole` evaluated beforehand, and the rows of the keys `silent` not searched.

    `passing`: rows alone are asked for, and not how they came to hold.
    """

    program: CompiledProgram
    whole: frozenset[int]
    silent: frozenset[str]
    passing: bool
    exact: bool = True
    patterns: dict[str, list[Columns]] = field(default_factory=dict)
    through: set[str] = field(default_factory=set)
    cases: dict[int, list[_Case]] = field(default_factory=dict)
    waiting: list[Wanted] = field(default_factory=list)
    rules: list[CompiledRule] = field(default_factory=list)
    read: set[int] = field(default_factory=set)
    arities: dict[str, int] = field(default_factory=dict)

    def of_goal(self, goal: Wanted | Rule) -> None:
        """Spread demand from the goal until nothing new is wanted."""
        if isinstance(goal, Rule):
            self._of_query(self.program.query(goal))
        elif not self._settled(goal[0]):
            self._want(*goal)
        while self.waiting:
            key, columns = self.waiting.pop()
            for case in self._cases(key, columns):
                self.cases.setdefault(self.program.home[key], []).append(case)
                self._of_clause(case, key)

    def demand(self) -> Demand:
        """What came of it."""
        return Demand(
            tuple(enumerate(self.rules, 1)),
            self.arities,
            {place: self._guarded(place, self.cases[place]) for place in sorted(self.cases)},
            frozenset(self.read),
            {key: tuple(columns) for key, columns in self.patterns.items()},
            frozenset(self.through),
            self.exact,
        )

    def _guarded(self, place: int, cases: list[_Case]) -> Unit:
        """A component with the clauses for the rows of it that are wanted."""
        unit, ordered = self.program.units[place], sorted(cases, key=lambda case: case.number)
        rules = tuple((case.number, _behind(case.compiled, (case.guard,), case.compiled.rule)) for case in ordered)
        arities = {**unit.arities, **{c.rule.key: len(c.rule.terms) for _, c in rules}}
        return replace(unit, keys=frozenset(arities), rules=rules, arities=arities)

    def _cases(self, key: str, columns: Columns) -> Iterator[_Case]:
        """The clauses for rows of a key that are wanted by these columns."""
        unit = self.program.units[self.program.home[key]]
        clauses = [pair for pair in unit.rules if pair[1].rule.key == key]
        through = list(_passing(unit, clauses, key, columns)) if self.passing else []
        if not through:
            yield from (_Case(number, _guard(compiled.rule, columns), compiled) for number, compiled in clauses)
            return
        self.through.add(key)
        self.arities[through_key(key, columns)] = 2 * len(columns)
        yield from through

    def _of_query(self, compiled: CompiledRule) -> None:
        rule = compiled.rule
        seed = Match(SEED, (*map(Var, rule.inputs), Const(True)))
        self.arities[SEED] = len(seed.terms)
        self._body(compiled, compiled.plan(alike), [seed], set(rule.inputs))

    def _of_clause(self, case: _Case, key: str) -> None:
        compiled, rule = case.compiled, case.compiled.rule
        bound = _variables(case.guard.terms)
        prefix = self._body(compiled, compiled.plan(alike, None, tuple(sorted(bound))), [case.guard], bound)
        if rule.key in self.silent:
            return
        if not _variables(rule.terms) <= bound:
            raise _Silent(rule.key) if rule.key == key else _Whole(key)
        self._add(compiled, rule.key, rule.terms, prefix)

    def _body(self, compiled: CompiledRule, plan: Plan, prefix: list[Literal], bound: set[str]) -> list[Literal]:
        """Want what the steps of a plan read; what of it can be decided, behind `prefix`. `bound` grows with it."""
        for step in plan:
            literal = step.literal
            if isinstance(literal, Match):
                self._read(compiled, literal, prefix, bound)
            if self._decided(step, bound):
                prefix = [*prefix, literal]
                bound.update(_bound_by(literal))
            else:
                self.exact = self.exact and bound.issuperset(_bound_by(literal))
                if isinstance(literal, Not | Aggregate):
                    self._body(compiled, step.inner, prefix, set(bound))
        return prefix

    def _read(self, compiled: CompiledRule, literal: Match, prefix: list[Literal], bound: set[str]) -> None:
        if self._settled(literal.key):
            return
        terms = enumerate(literal.terms)
        columns = tuple(at for at, term in terms if isinstance(term, Const) or term.name in bound)
        wanted = self._want(literal.key, columns)
        known = tuple(literal.terms[at] for at in columns)
        if Match(wanted, known) not in prefix:
            self._add(compiled, wanted, known, prefix)

    def _settled(self, key: str) -> bool:
        """Are the rows of a key all there before demand is spread?"""
        place = self.program.home.get(key)
        if place is None:
            return True
        if place in self.whole:
            self.read.add(place)
            return True
        return False

    def _want(self, key: str, columns: Columns) -> str:
        """Want rows of a key by these columns; the key of what is wanted."""
        known = self.patterns.setdefault(key, [])
        if not columns or (columns not in known and len(known) == _MOST_PATTERNS):
            raise _Whole(key)
        wanted = wanted_key(key, columns)
        if columns not in known:
            known.append(columns)
            self.waiting.append((key, columns))
            self.arities[wanted] = len(columns)
            self.arities[key] = self.program.units[self.program.home[key]].arities[key]
        return wanted

    def _decided(self, step: Step, bound: set[str]) -> bool:
        """Can this literal be evaluated over the rows at hand, without an error that it would not end in elsewhere?"""
        match step.literal:
            case Match(key, _, _):
                return key not in self.silent or self._settled(key)
            case Not(inside, _) | Aggregate(_, _, _, _, inside):
                settled = all(self._settled(match.key) for match, _ in matches(inside))
                return settled and bound.issuperset(step.shared) and not any(map(may_fail, expressions(inside)))
            case Test(expr, _) | Bind(_, expr, _) | Each(_, expr, _):
                ready = bound.issuperset(free_locals(expr)) or _inverts(step.literal, bound)
                return ready and not may_fail(expr)

    def _add(self, of: CompiledRule, key: str, terms: tuple[Term, ...], prefix: Iterable[Literal]) -> None:
        rule = of.rule
        self.rules.append(_behind(of, tuple(prefix), Rule(rule.id, key, terms, (), rule.origin)))


def _behind(of: CompiledRule, prefix: tuple[Literal, ...], rule: Rule) -> CompiledRule:
    """A rule over the same module with more to read first."""
    return of.variant(replace(rule, body=(*prefix, *rule.body)))


def _passing(unit: Unit, clauses: Sequence[tuple[int, CompiledRule]], key: str, columns: Columns) -> Iterator[_Case]:
    """The clauses on the way through a key; none where it is no key that only passes questions on."""
    made = [
        (number, compiled, *passing(compiled.rule, columns))
        for number, compiled in clauses
        if passes_on(unit, key, columns)
    ]
    cases = [_Case(number, guard, compiled.variant(rule)) for number, compiled, guard, rule in made]
    if cases and all(map(_runs, cases)):
        first, begin = begun(key, columns, wanted_key(key, columns))
        yield from (_Case(0, first, clauses[0][1].variant(begin)), *cases)


def _runs(case: _Case) -> bool:
    """Can the clause run behind its guard, and does it tell its head?"""
    rule, known = case.compiled.rule, _variables(case.guard.terms)
    try:
        plan = case.compiled.plan(alike, None, tuple(sorted(known)))
    except Refused:
        return False
    return _variables(rule.terms) <= known.union(*(_bound_by(step.literal) for step in plan))


def _variables(terms: Iterable[Term]) -> set[str]:
    return {term.name for term in terms if isinstance(term, Var)}


def _guard(rule: Rule, columns: Columns) -> Match:
    return Match(wanted_key(rule.key, columns), tuple(rule.terms[at] for at in columns))


def _inverts(literal: Literal, bound: set[str]) -> bool:
    """`y = x` gives x its value where y has one."""
    return isinstance(literal, Bind) and literal.var in bound and isinstance(literal.expr, Local)


def _bound_by(literal: Literal) -> Iterator[str]:
    match literal:
        case Bind(var, expr, _):
            yield var
            yield from free_locals(expr)
        case Each(var) | Aggregate(var):
            yield var
        case Match(_, terms, _):
            yield from (term.name for term in terms if isinstance(term, Var))
        case Test() | Not():
            return
