"""Why a fact does not hold (semantics S6.4, first form).

For every clause whose head fits, the body is evaluated in a documented order: checks that are already decided come
first, everything else as written (the planner's order when all relations count alike). The longest prefix that some
substitution satisfies *holds*; the literal after it is the one that fails, for every one of the prefix's substitutions.
The first few of these are shown with their true number, and the atom that each lacks is asked about in turn.

Everything said was evaluated: a failing read has no row, a failing negation names rows that block it, a failing test
shows the two sides.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from argon_lang.engine.aggregates import folding
from argon_lang.engine.compiled import CompiledRule, Environment
from argon_lang.engine.facts import Columns, Substitution, equal_columns, fact_id, ground, node_id
from argon_lang.engine.governor import Governor
from argon_lang.engine.model import Model
from argon_lang.engine.order import row_key
from argon_lang.engine.plan import Plan, Step, alike
from argon_lang.engine.relations import Ids
from argon_lang.engine.walk import binders, free_locals
from argon_lang.ir.expr import Binary, Expr
from argon_lang.ir.rules import Aggregate, Bind, Each, Literal, Match, Not, Test
from argon_lang.ir.values import Value

ROOT = -1
_PACE = 4_096


@dataclass(frozen=True, slots=True)
class Blocking:
    """A row that is there, or might be, although a negation needs it not to be, or an aggregate to know."""

    key: str
    row: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One substitution that satisfies the prefix, and how the next literal fails under it.

    `missing` indexes the node of the absent atom (a failing read). `sides` are the two sides of a failing comparison,
    equality, `in` or aggregate (None for one of nothing). `blocking` are the rows that a failing negation runs into.
    """

    substitution: Substitution
    missing: int | None = None
    sides: tuple[Value, Value] | None = None
    blocking: tuple[Blocking, ...] = ()


@dataclass(frozen=True, slots=True)
class ClauseFailure:
    """Why one clause does not derive the fact.

    `order` are the indices of the body's literals as evaluated, of which the first `satisfied` hold together; `failing`
    is the index of the next one and `site` its place. `attempts` shows the first of `tried` substitutions.
    """

    rule: str
    order: tuple[int, ...]
    satisfied: int
    failing: int
    site: int
    kind: str
    tried: int
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True)
class WhyNotNode:
    """An absent atom (None in `row`: any value). `other_clauses` are those whose head is another row's.

    `equal` are groups of columns of any value that must be the same one: `p(y, y)` with y unknown is `(None, None)`
    with `((0, 1),)`. Such an atom is not looked into: there may be rows, but none with equal columns.
    `kind`: `base` (no rule concludes it; nothing states it) or `derived`. `folded`: not looked into, for depth, for
    `equal`, or because it is asked about further up.
    """

    id: str
    parent: int
    kind: str
    key: str
    row: tuple[Value, ...]
    clauses: tuple[ClauseFailure, ...] = ()
    other_clauses: int = 0
    folded: bool = False
    equal: Columns = ()


@dataclass(frozen=True, slots=True)
class WhyNot:
    """`nodes[0]` is the atom asked about; the atoms that it lacks come after it."""

    nodes: tuple[WhyNotNode, ...]

    @property
    def root(self) -> WhyNotNode:
        """The atom asked about."""
        return self.nodes[0]


def why_not(
    model: Model,
    key: str,
    row: tuple[Value, ...],
    max_depth: int = 3,
    max_bindings: int = 3,
    context: str = "",
    governor: Governor | None = None,
) -> WhyNot | None:
    """Why no row of `key` matches `row` (None: any value); None when one does.

    Raises `ARGON_RUNTIME_BUDGET_EXCEEDED` over `maxProofNodes` nodes, besides the governor's refusals.
    """
    if not model.lacks(key, row):
        return None
    search = _Search(model, governor or Governor(), max_depth, max_bindings, context)
    search.add(key, row, ROOT, 0, frozenset())
    search.expand()
    return WhyNot(tuple(search.nodes))


Chain = frozenset[str]
Ranged = list[tuple[dict[str, int], Value]]
"""Solutions of an aggregate's body, with the values that it ranges over."""


class _Search:
    def __init__(self, model: Model, governor: Governor, depth: int, bindings: int, context: str) -> None:
        self.model = model
        self.governor = governor
        self.environment: Environment = model.with_governor(governor)
        self.depth = depth
        self.bindings = bindings
        self.context = context
        self.nodes: list[WhyNotNode] = []
        self.waiting: deque[tuple[int, int, Chain]] = deque()

    def add(self, key: str, row: tuple[Value, ...], parent: int, depth: int, above: Chain, equal: Columns = ()) -> int:
        name = fact_id(self.context, key, row) if not equal else node_id(self.context, key, row_key(row), equal)
        kind = "derived" if key in self.model.program.derived else "base"
        folded = kind == "derived" and (depth >= self.depth or name in above or bool(equal))
        self.nodes.append(WhyNotNode(name, parent, kind, key, row, folded=folded, equal=equal))
        limit = self.governor.limits.max_proof_nodes
        self.governor.over("maxProofNodes", "proof nodes", len(self.nodes), limit)
        if kind == "derived" and not folded:
            self.waiting.append((len(self.nodes) - 1, depth, above | {name}))
        return len(self.nodes) - 1

    def expand(self) -> None:
        while self.waiting:
            index, depth, above = self.waiting.popleft()
            self.governor.check()
            node = self.nodes[index]
            clauses: list[ClauseFailure] = []
            others = 0
            for _, compiled in self.model.clauses(node.key):
                bound = self._unify(compiled, node.row)
                if bound is None:
                    others += 1
                else:
                    clauses.append(self._failure(compiled, bound, index, depth, above))
            self.nodes[index] = replace(node, clauses=tuple(clauses), other_clauses=others)

    def _unify(self, compiled: CompiledRule, row: tuple[Value, ...]) -> dict[str, int] | None:
        intern = self.environment.interner.intern
        return compiled.unify(self.environment, tuple(None if value is None else intern(value) for value in row))

    def _failure(
        self, compiled: CompiledRule, bound: dict[str, int], index: int, depth: int, above: Chain
    ) -> ClauseFailure:
        plan = compiled.plan(alike, None, tuple(bound))
        satisfied = self._satisfied(compiled, plan, bound)
        step = plan[satisfied]
        wanted = _bound_by(plan[:satisfied], bound)
        tried, shown = self._first(compiled, compiled.run(self.environment, plan[:satisfied], bound, wanted), wanted)
        attempts = tuple(self._attempt(compiled, step, numbers, index, depth, above) for numbers in shown)
        order = tuple(step.index for step in plan)
        literal = step.literal
        return ClauseFailure(
            compiled.rule.id, order, satisfied, step.index, literal.site, _kind(literal), tried, attempts
        )

    def _satisfied(self, compiled: CompiledRule, plan: Plan, bound: dict[str, int]) -> int:
        """The length of the longest prefix that has a solution; shorter than the plan, since the fact does not hold."""
        for length in range(1, len(plan)):
            prefix = compiled.run(self.environment, plan[:length], bound, ())
            if next(prefix, None) is None:
                return length - 1
        return len(plan) - 1

    def _first(
        self, compiled: CompiledRule, found: Iterator[Ids], wanted: tuple[str, ...]
    ) -> tuple[int, list[dict[str, int]]]:
        """The number of distinct substitutions and the first few in canonical order."""
        values = self.environment.interner.values
        distinct: set[Ids] = set()
        for row in found:
            distinct.add(row)
            if len(distinct) % _PACE == 0:
                self.governor.tick(len(distinct))
        shown = heapq.nsmallest(self.bindings, distinct, key=lambda row: row_key(values[n] for n in row))
        return len(distinct), [dict(zip(wanted, row, strict=True)) for row in shown]

    def _attempt(
        self, compiled: CompiledRule, step: Step, numbers: dict[str, int], index: int, depth: int, above: Chain
    ) -> Attempt:
        substitution = self.model.substitution(compiled, numbers)
        known = dict(substitution)
        match step.literal:
            case Match() as literal:
                row = self.model.retyped(literal.key, ground(literal, known))
                equal = equal_columns(literal, known)
                return Attempt(substitution, missing=self.add(literal.key, row, index, depth + 1, above, equal))
            case Not() as literal:
                return Attempt(substitution, blocking=self._blocking(compiled, step, literal, numbers))
            case Test(expr, _):
                return Attempt(substitution, sides=self._compared(expr, known))
            case Bind(var, expr, _) | Each(var, expr, _):
                return Attempt(substitution, sides=(known.get(var), self._value(expr, known)))
            case Aggregate(var, op, _, _, _, ty):
                found = compiled.ranged(self.environment, step, numbers)
                doubted = self._doubted(compiled, step, numbers, found)
                if doubted:
                    return Attempt(substitution, blocking=doubted)
                return Attempt(substitution, sides=(known.get(var), folding(op, ty)([value for _, value in found])))

    def _doubted(
        self, compiled: CompiledRule, step: Step, numbers: dict[str, int], found: Ranged
    ) -> tuple[Blocking, ...]:
        """The first rows in doubt that an aggregate might range over, for which it has no value that is definite."""
        if not self.model.doubtful:
            return ()
        definite = [solution for solution, _ in found]
        possible = compiled.ranged(self.environment.swapped(), step, numbers)
        reads = [each for each in getattr(step.literal, "body", ()) if isinstance(each, Match)]
        rows: dict[Blocking, None] = {}
        for solution, _ in possible:
            if solution not in definite:
                known = dict(self.model.substitution(compiled, solution))
                atoms = (Blocking(m.key, self.model.retyped(m.key, ground(m, known))) for m in reads)
                rows.update(dict.fromkeys(atom for atom in atoms if not self.model.holds(atom.key, atom.row)))
        return tuple(rows)[: self.bindings]

    def _blocking(
        self, compiled: CompiledRule, step: Step, literal: Not, numbers: dict[str, int]
    ) -> tuple[Blocking, ...]:
        """The rows that the negated body reads in its first solution."""
        bound = {name: numbers[name] for name in step.shared}
        wanted = _bound_by(step.inner, bound)
        found = compiled.run(self.environment.swapped(), step.inner, bound, wanted, step.index)
        _, shown = self._first(compiled, found, wanted)
        known = dict(self.model.substitution(compiled, shown[0])) if shown else {}
        reads = [inner for inner in literal.body if isinstance(inner, Match)]
        return tuple(Blocking(m.key, self.model.retyped(m.key, ground(m, known))) for m in reads)

    def _compared(self, expr: Expr, known: Mapping[str, Value]) -> tuple[Value, Value] | None:
        if not isinstance(expr, Binary):
            return None
        return self._value(expr.left, known), self._value(expr.right, known)

    def _value(self, expr: Expr, known: Mapping[str, Value]) -> Value:
        names = free_locals(expr)
        run = self.model.program.functions.compile(expr, names)
        return run(self.environment.context, 0, *(known[name] for name in names))


def _bound_by(plan: Plan, bound: Mapping[str, int]) -> tuple[str, ...]:
    """The variables that have a value once `plan` holds."""
    names = dict.fromkeys(bound)
    for step in plan:
        names.update(dict.fromkeys(binders(step.literal)))
        if isinstance(step.literal, Bind):
            names.update(dict.fromkeys(free_locals(step.literal.expr)))
    return tuple(names)


def _kind(literal: Literal) -> str:
    match literal:
        case Match():
            return "atom"
        case Not():
            return "negation"
        case Test():
            return "test"
        case Bind():
            return "equality"
        case Each():
            return "element"
        case Aggregate():
            return "aggregate"
