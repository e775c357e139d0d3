"""The one planner of rule bodies: in which order literals are evaluated, or why they cannot be.

The gate asks it whether a rule can run, the runtime how (architecture, invariant 3). An order is a permutation of a
conjunction in which every literal finds what it needs:

- a `Match` can always run; among several the one with the fewest expected rows goes next (bound columns and live
  counts), ties by source order, so the choice depends on nothing else;
- `Test`, `Bind`, `Each`, `Not` and `Aggregate` run as soon as the variables that they read are bound: they only narrow;
- an expression that may fail (a division, say) runs only after every `Match` and test written before it, so that an
  author guards it by writing the guard first.

A `Not` or `Aggregate` is planned inside, given the variables bound where it stands; those that occur nowhere else are
local to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from argon_lang.engine.exprs import Functions
from argon_lang.engine.refusal import HEAD, Refusal, Refused
from argon_lang.engine.walk import binders, free_locals, inner_variables, literal_variables, may_fail
from argon_lang.ir.expr import Builtin, CallFn, Expr, Local
from argon_lang.ir.rules import Aggregate, Bind, Const, Each, Literal, Match, Not, Predicate, Rule, Test, Var
from argon_lang.problems import args
from argon_lang.quick import quick

Counts = Callable[[str], int]
"""Live number of rows of a predicate key."""
Distinct = Callable[[str, int], int]
"""How many values a column of a key has; 0 where nobody has counted."""


@quick
@dataclass(frozen=True, slots=True)
class Step:
    """One literal in its place; `inner` plans the body of a `Not` or `Aggregate`, which takes `shared` from outside."""

    literal: Literal
    index: int
    inner: tuple[Step, ...] = ()
    shared: tuple[str, ...] = ()


Plan = tuple[Step, ...]
_ASSUMED_ROWS = 1_000


def assumed(_: str) -> int:
    """The count of every key where none is known."""
    return _ASSUMED_ROWS


def uncounted(_: str, __: int) -> int:
    """No column's values are counted."""
    return 0


def alike(_: str) -> int:
    """Every relation counts one row, so that the author's order decides."""
    return 1


@dataclass(frozen=True, slots=True)
class _Sizes:
    """What is known of the relations."""

    count: Counts
    distinct: Distinct

    def expected(self, literal: Match, bound: set[str]) -> float:
        """Rows for one binding of what is bound, each value of a column being as frequent as any other."""
        rows = float(max(self.count(literal.key), 1))
        usual = math.pow(rows, 1 / len(literal.terms)) if literal.terms else 1.0
        for at, term in enumerate(literal.terms):
            if isinstance(term, Const) or term.name in bound:
                rows /= self.distinct(literal.key, at) or usual
        return rows


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans the bodies of one rule. `shapes` tell fields (at most one row per individual, as a rule) from the rest."""

    rule: Rule
    shapes: Mapping[str, Predicate]
    functions: Functions
    _read: dict[int, tuple[str, ...]] = field(default_factory=dict, init=False, compare=False, repr=False)

    def _reads(self, expr: Expr) -> tuple[str, ...]:
        """The variables of an expression of the rule, which is asked for them again and again."""
        known = self._read.get(id(expr))
        if known is None:
            known = self._read[id(expr)] = free_locals(expr)
        return known

    def plan(
        self,
        bound: Iterable[str] = (),
        counts: Counts = assumed,
        first: int | None = None,
        drop: int | None = None,
        distinct: Distinct = uncounted,
    ) -> Plan:
        """Order the rule's body with `bound` variables known.

        `first`: index of the literal to start with (the delta). `drop`: index of one to leave out. Raises `Refused`.
        """
        items = tuple((i, literal) for i, literal in enumerate(self.rule.body) if i != drop)
        outside = {term.name for term in self.rule.terms if isinstance(term, Var)} | set(self.rule.inputs) | set(bound)
        return self._order(items, set(bound), frozenset(outside), _Sizes(counts, distinct), first)

    def _order(
        self,
        items: tuple[tuple[int, Literal], ...],
        bound: set[str],
        outside: frozenset[str],
        sizes: _Sizes,
        first: int | None = None,
    ) -> Plan:
        waiting = list(items)
        steps: list[Step] = []
        while waiting:
            at = self._next(waiting, items, bound, outside, sizes, first if not steps else None)
            index, literal = waiting.pop(at)
            steps.append(self._step(index, literal, items, bound, outside, sizes))
            bound.update(binders(literal))
            if isinstance(literal, Bind):
                bound.update(self._reads(literal.expr))
        return tuple(steps)

    def _step(
        self,
        index: int,
        literal: Literal,
        items: tuple[tuple[int, Literal], ...],
        bound: set[str],
        outside: frozenset[str],
        sizes: _Sizes,
    ) -> Step:
        if not isinstance(literal, Not | Aggregate):
            return Step(literal, index)
        around = _around(index, items, outside)
        read = literal_variables(literal) if isinstance(literal, Not) else inner_variables(literal)
        shared = tuple(name for name in read if name in around)
        known = set(shared) & bound
        inner = self._order(tuple(enumerate(literal.body)), known, around, sizes)
        if isinstance(literal, Aggregate):
            self._check_ranges(literal, known)
        return Step(literal, index, inner, shared)

    def _check_ranges(self, literal: Aggregate, known: set[str]) -> None:
        """The body binds what the aggregate ranges over; `known` has the variables that are bound once it has run."""
        for term in (literal.value, *literal.own):
            if isinstance(term, Var) and term.name not in known:
                raise Refused(Refusal("OE1303", self.rule.id, literal.site, args(variable=term.name)))

    def _next(
        self,
        waiting: list[tuple[int, Literal]],
        items: tuple[tuple[int, Literal], ...],
        bound: set[str],
        outside: frozenset[str],
        sizes: _Sizes,
        first: int | None,
    ) -> int:
        if first is not None:
            return next(at for at, (index, _) in enumerate(waiting) if index == first)
        guarded = False
        for at, (index, literal) in enumerate(waiting):
            if isinstance(literal, Match):
                if self._free(literal, bound) == 0:
                    return at
                guarded = True
            elif not self._missing(index, literal, items, bound, outside) and not (guarded and _fallible(literal)):
                return at
        reads = [(self._cost(m, bound, sizes), i, at) for at, (i, m) in enumerate(waiting) if isinstance(m, Match)]
        if not reads:
            self._refuse(waiting, items, bound, outside)
        return min(reads)[2]

    def _free(self, literal: Match, bound: set[str]) -> int:
        return len([None for term in literal.terms if isinstance(term, Var) and term.name not in bound])

    def _cost(self, literal: Match, bound: set[str], sizes: _Sizes) -> float:
        """Expected rows for one binding of what is bound."""
        shape, subject = self.shapes.get(literal.key), literal.terms[0]
        if shape is not None and shape.kind == "field" and (isinstance(subject, Const) or subject.name in bound):
            return 1.0
        return sizes.expected(literal, bound)

    def _missing(
        self,
        index: int,
        literal: Literal,
        items: tuple[tuple[int, Literal], ...],
        bound: set[str],
        outside: frozenset[str],
    ) -> list[str]:
        """The variables that must be bound before the literal can run, and are not."""
        match literal:
            case Test(expr, _) | Each(_, expr, _):
                return [name for name in self._reads(expr) if name not in bound]
            case Bind(var, expr, _):
                if var in bound and isinstance(expr, Local):
                    return []
                return [name for name in self._reads(expr) if name not in bound]
            case Not():
                around = _around(index, items, outside)
                return [name for name in literal_variables(literal) if name in around and name not in bound]
            case Aggregate():
                around = _around(index, items, outside)
                return [name for name in inner_variables(literal) if name in around and name not in bound]
            case Match():
                return []

    def _refuse(
        self,
        waiting: list[tuple[int, Literal]],
        items: tuple[tuple[int, Literal], ...],
        bound: set[str],
        outside: frozenset[str],
    ) -> None:
        """Nothing can go on: say which variable the first waiting literal lacks."""
        index, literal = waiting[0]
        missing = self._missing(index, literal, items, bound, outside)
        raise Refused(_unbound(self.rule, literal, missing[0], items))


def _around(index: int, items: tuple[tuple[int, Literal], ...], outside: frozenset[str]) -> frozenset[str]:
    """The variables that occur outside one literal of a conjunction."""
    return outside | {name for i, other in items if i != index for name in literal_variables(other)}


def _fallible(literal: Literal) -> bool:
    match literal:
        case Test(expr, _) | Bind(_, expr, _) | Each(_, expr, _):
            return may_fail(expr)
        case Not(body, _) | Aggregate(_, _, _, _, body):
            return any(map(_fallible, body))
        case Match():
            return False


def _unbound(rule: Rule, literal: Literal, variable: str, items: tuple[tuple[int, Literal], ...]) -> Refusal:
    """OE1304 where an operation lacks its input, OE1303 where nothing at all binds the variable."""
    needing = _operation(literal, variable)
    computed = any(variable in binders(other) for _, other in items)
    if needing is None and not computed:
        notes = ("negation",) if isinstance(literal, Not) else ()
        return Refusal("OE1303", rule.id, literal.site, args(variable=variable), notes)
    construct = needing or ("`in`" if isinstance(literal, Each) else "`=`")
    return Refusal("OE1304", rule.id, literal.site, args(variable=variable, construct=construct))


def _operation(literal: Literal, variable: str) -> str | None:
    """The intrinsic or function that wants `variable` in this literal."""
    match literal:
        case Each(_, Local(name), _) if name == variable:
            return "`in`"
        case Test(expr, _) | Bind(_, expr, _) | Each(_, expr, _):
            return _calling(expr, variable)
        case _:
            return None


def _calling(expr: Expr, variable: str) -> str | None:
    match expr:
        case Builtin(name, arguments, _) | CallFn(name, arguments):
            if any(isinstance(a, Local) and a.name == variable for a in arguments):
                return f"`{name.rsplit('::', 1)[-1]}`"
    return None


def check_heads(rule: Rule, bound: frozenset[str]) -> Refusal | None:
    """Range restriction: every head variable is bound by the body (or from outside)."""
    for term in rule.terms:
        if isinstance(term, Var) and term.name not in bound:
            return Refusal("OE1303", rule.id, HEAD, args(variable=term.name), ("head",))
    return None


def check_rebinding(rule: Rule) -> Refusal | None:
    """`=` and `in` bind fresh variables: one that an earlier literal binds is refused (OE1306)."""
    return _rebinding(rule, rule.body, dict.fromkeys(rule.inputs, HEAD))


def _rebinding(rule: Rule, body: tuple[Literal, ...], seen: dict[str, int]) -> Refusal | None:
    for literal in body:
        if isinstance(literal, Not | Aggregate):
            found = _rebinding(rule, literal.body, dict(seen))
            if found is not None:
                return found
        if isinstance(literal, Bind | Each | Aggregate) and literal.var in seen:
            return Refusal("OE1306", rule.id, literal.site, args(variable=literal.var), (), seen[literal.var])
        for name in binders(literal):
            seen.setdefault(name, literal.site)
    return None


def check_expressions(rule: Rule, functions: Functions) -> Refusal | None:
    """Every expression of the body is one that a rule can evaluate (OE1317 otherwise)."""
    return _expressions(rule, rule.body, functions)


def _expressions(rule: Rule, body: tuple[Literal, ...], functions: Functions) -> Refusal | None:
    for literal in body:
        found: Refusal | None = None
        match literal:
            case Not(inner, _) | Aggregate(_, _, _, _, inner):
                found = _expressions(rule, inner, functions)
            case Test(expr, site) | Bind(_, expr, site) | Each(_, expr, site):
                construct = functions.refused(expr)
                if construct is not None:
                    name = rule.key.rsplit("::", 1)[-1]
                    found = Refusal("OE1317", rule.id, site, args(construct=construct, rule=name))
            case Match():
                pass
        if found is not None:
            return found
    return None
