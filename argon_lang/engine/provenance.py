"""Proofs (semantics S6.1–6.3): why a fact holds, rebuilt top-down from the clause and round that each row keeps.

A proof is an AND/OR tree, stored flat so that no long chain meets a recursion limit. A derived fact has *alternatives*:
clause instances whose positive premises all have a strictly smaller rank, lowest first. So every branch ends in base
facts and none comes back to itself. Instances that only later facts support say nothing about why the fact came to
hold; they are counted (`later`) and not shown. The step from a concept or relation to its supertypes is a derivation
like any other, but costs no depth.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

from argon_lang.engine.compiled import CompiledRule, Environment
from argon_lang.engine.facts import Columns, Substitution, equal_columns, fact_id, ground, node_id
from argon_lang.engine.governor import Governor
from argon_lang.engine.model import Model
from argon_lang.engine.order import row_key
from argon_lang.engine.relations import CLAUSES, Ids
from argon_lang.engine.walk import literal_variables
from argon_lang.ir.rules import Aggregate, Bind, Const, Each, Literal, Match, Not, Test
from argon_lang.ir.values import Row, Value

ROOT = -1
_PACE = 1_024


@dataclass(frozen=True, slots=True)
class Derivation:
    """One alternative: an instance of rule `rule` (content id). `premises` index the proof's nodes, in body order."""

    rule: str
    substitution: Substitution
    premises: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Absence:
    """A row that a negation relies on not being there; None stands for any value, the same one within `equal` columns.

    Where a negation has several reads, it relies on there being no rows that satisfy all of it together.
    """

    key: str
    row: tuple[Value, ...]
    equal: Columns = ()


@dataclass(frozen=True, slots=True)
class ProofNode:
    """One node. `kind`: `asserted` (a base fact; the runtime tells declared ones and attaches events), `derived`,
    `negation`, `aggregate` or `builtin`.

    `id` is stable for (context, fact); `parent` indexes the proof's nodes (`ROOT` for the first). `site` is the literal
    in the parent's rule. `alternatives` is the true number of alternatives, of which `derivations` shows the first;
    a folded node shows none of them. For an aggregate they are the rows that it ranges over, each with the facts behind
    it. For a negation, `absent` are the positive reads of its body as they were asked; for
    a builtin or aggregate, `values` are its variables.
    """

    id: str
    parent: int
    kind: str
    key: str
    row: Row
    rank: int
    site: int
    alternatives: int | None = None
    later: int = 0
    folded: bool = False
    derivations: tuple[Derivation, ...] = ()
    absent: tuple[Absence, ...] = ()
    values: Substitution = ()


@dataclass(frozen=True, slots=True)
class Proof:
    """`nodes[0]` is the fact asked about; a node's premises come after it."""

    nodes: tuple[ProofNode, ...]

    @property
    def root(self) -> ProofNode:
        """The fact that the proof is of."""
        return self.nodes[0]


@dataclass(frozen=True, slots=True)
class _Instance:
    """A clause instance by numbers, with what orders it."""

    compiled: CompiledRule
    number: int
    values: Ids
    ranks: tuple[int, ...]


def explain(
    model: Model,
    key: str,
    row: Row,
    max_depth: int = 3,
    max_alternatives: int = 3,
    context: str = "",
    governor: Governor | None = None,
) -> Proof | None:
    """The proof of a fact, or None when the fact does not hold.

    `context` names the state read (module hash, store, view, instant, …) and goes into the node ids. Raises
    `ARGON_RUNTIME_BUDGET_EXCEEDED` for a proof of more than `maxProofNodes` nodes, besides the governor's refusals.
    """
    numbers = model.numbers(key, row)
    if numbers is None:
        return None
    builder = _Builder(model, governor or Governor(), max_depth, max_alternatives, context)
    builder.fact(key, numbers, ROOT, ROOT, 0)
    builder.expand()
    return Proof(tuple(builder.nodes))


class _Builder:
    def __init__(self, model: Model, governor: Governor, depth: int, alternatives: int, context: str) -> None:
        self.model = model
        self.governor = governor
        self.environment: Environment = model.with_governor(governor)
        self.depth = depth
        self.alternatives = alternatives
        self.context = context
        self.nodes: list[ProofNode] = []
        self.waiting: deque[tuple[int, str, Ids, int]] = deque()

    def add(self, node: ProofNode) -> int:
        self.nodes.append(node)
        limit = self.governor.limits.max_proof_nodes
        self.governor.over("maxProofNodes", "proof nodes", len(self.nodes), limit)
        return len(self.nodes) - 1

    def fact(self, key: str, numbers: Ids, parent: int, site: int, depth: int) -> int:
        """A node for a fact that holds, to be expanded later."""
        code = self.environment.space.rows(key)[numbers]
        row = self.model.decode_row(key, numbers)
        kind = "derived" if code else "asserted"
        rank = self.model.rank_of(key, code)
        index = self.add(ProofNode(fact_id(self.context, key, row), parent, kind, key, row, rank, site))
        if code:
            self.waiting.append((index, key, numbers, depth))
        return index

    def expand(self) -> None:
        while self.waiting:
            index, key, numbers, depth = self.waiting.popleft()
            self.governor.check()
            step = self._first_is_subsumption(key, numbers)
            if depth >= self.depth and not step:
                self._fold(index, key, numbers)
            else:
                self._derivations(index, key, numbers, depth)

    def _fold(self, index: int, key: str, numbers: Ids) -> None:
        """Leave a node shut, with the true number of its alternatives."""
        rank, founded, later = self.nodes[index].rank, 0, 0
        for count, instance in enumerate(self._instances(key, numbers), 1):
            if count % _PACE == 0:
                self.governor.tick(count)
            if all(premise < rank for premise in instance.ranks):
                founded += 1
            else:
                later += 1
        self.nodes[index] = replace(self.nodes[index], folded=True, alternatives=founded, later=later)

    def _first_is_subsumption(self, key: str, numbers: Ids) -> bool:
        rule = self.model.program.rules[self.environment.space.rows(key)[numbers] % CLAUSES]
        return rule is not None and rule.rule.origin == "subsumption"

    def _derivations(self, index: int, key: str, numbers: Ids, depth: int) -> None:
        rank = self.nodes[index].rank
        founded: list[_Instance] = []
        later = 0
        for instance in self._instances(key, numbers):
            if all(premise < rank for premise in instance.ranks):
                founded.append(instance)
            else:
                later += 1
        shown = heapq.nsmallest(self.alternatives, founded, key=self._order)
        made = tuple(self._derivation(index, instance, depth) for instance in shown)
        self.nodes[index] = replace(self.nodes[index], alternatives=len(founded), later=later, derivations=made)

    def _instances(self, key: str, numbers: Ids) -> Iterator[_Instance]:
        for number, compiled in self.model.clauses(key):
            bound = compiled.unify(self.environment, numbers)
            if bound is not None:
                for values in compiled.solve(self.environment, bound):
                    yield _Instance(compiled, number, values, tuple(self._ranks(compiled, values)))

    def _ranks(self, compiled: CompiledRule, values: Ids) -> Iterator[int]:
        known = dict(zip(compiled.variables, values, strict=True))
        for literal in compiled.rule.body:
            if isinstance(literal, Match):
                row = self._numbers(literal, known)
                code = self.environment.space.rows(literal.key)[row]
                yield self.model.rank_of(literal.key, code)

    def _numbers(self, literal: Match, known: dict[str, int]) -> Ids:
        intern = self.environment.interner.intern
        return tuple(intern(t.value) if isinstance(t, Const) else known[t.name] for t in literal.terms)

    def _order(self, instance: _Instance) -> tuple[object, ...]:
        """Lowest premises first, then fewest, then by clause and substitution."""
        values = self.environment.interner.values
        ranks = instance.ranks
        return (max(ranks, default=0), sum(ranks), instance.number, row_key(values[n] for n in instance.values))

    def _derivation(self, index: int, instance: _Instance, depth: int) -> Derivation:
        rule = instance.compiled.rule
        numbers = dict(zip(instance.compiled.variables, instance.values, strict=True))
        substitution = self.model.substitution(instance.compiled, numbers)
        below = depth if rule.origin == "subsumption" else depth + 1
        premises: list[int] = []
        for place, literal in enumerate(rule.body):
            if isinstance(literal, Match):
                premises.append(self.fact(literal.key, self._numbers(literal, numbers), index, literal.site, below))
            elif isinstance(literal, Aggregate):
                premises.append(self._aggregate(index, instance.compiled, place, numbers, below))
            else:
                premises.append(self.add(self._leaf(index, rule.id, literal, substitution)))
        return Derivation(rule.id, substitution, tuple(premises))

    def _aggregate(self, parent: int, compiled: CompiledRule, place: int, numbers: dict[str, int], depth: int) -> int:
        """An aggregate with the facts behind the first rows that it ranges over, and the number of all."""
        plan = compiled.plan(self.environment.space.count, None, tuple(numbers))
        step = next(each for each in plan if each.index == place)
        substitution = self.model.substitution(compiled, numbers)
        index = self.add(self._leaf(parent, compiled.rule.id, step.literal, substitution))
        rows = compiled.ranged(self.environment, step, numbers)
        shown = tuple(
            self._witness(index, compiled, step.literal, solution, depth) for solution, _ in rows[: self.alternatives]
        )
        ranks = (self.nodes[premise].rank for each in shown for premise in each.premises)
        self.nodes[index] = replace(
            self.nodes[index], rank=max(ranks, default=0), alternatives=len(rows), derivations=shown
        )
        return index

    def _witness(
        self, index: int, compiled: CompiledRule, literal: Literal, solution: dict[str, int], depth: int
    ) -> Derivation:
        reads = [each for each in getattr(literal, "body", ()) if isinstance(each, Match)]
        premises = (self.fact(each.key, self._numbers(each, solution), index, each.site, depth) for each in reads)
        return Derivation(compiled.rule.id, self.model.substitution(compiled, solution), tuple(premises))

    def _leaf(self, index: int, rule: str, literal: Literal, substitution: Substitution) -> ProofNode:
        """A negation with what it relies on not being there, or a computation with its values."""
        named = frozenset(literal_variables(literal))
        values = tuple((name, value) for name, value in substitution if name in named)
        kind = _KINDS.get(type(literal), "builtin")
        absent = tuple(absences(literal, dict(substitution))) if isinstance(literal, Not) else ()
        key, row = (absent[0].key, absent[0].row) if len(absent) == 1 else ("", ())
        name = node_id(self.context, rule, literal.site, _kind(literal), row_key(value for _, value in values))
        return ProofNode(name, index, kind, key, row, 0, literal.site, absent=absent, values=values)


_KINDS = {Not: "negation", Aggregate: "aggregate"}


def _kind(literal: Literal) -> str:
    match literal:
        case Match():
            return "match"
        case Not():
            return "not"
        case Test():
            return "test"
        case Bind(var, _, _):
            return f"= {var}"
        case Each(var, _, _):
            return f"in {var}"
        case Aggregate(var, op):
            return f"{op} {var}"


def absences(literal: Not, known: dict[str, Value]) -> Iterator[Absence]:
    """The positive reads of a negation's body under a substitution; its local variables stand for any value."""
    for inner in literal.body:
        if isinstance(inner, Match):
            yield Absence(inner.key, ground(inner, known), equal_columns(inner, known))
