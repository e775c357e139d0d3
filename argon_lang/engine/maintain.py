"""Bringing a component up to date after a small change of what it reads, to exactly the rows of a cold run.

A row's code is its least derivation: the round, and in it the least clause. A change of the inputs touches the heads of
the instances that it makes or breaks; a head is put right by looking for its least derivation in the new state. In a
component that recurses, a head that changed touches the heads above it in turn. Rows are put right in the order of
their codes, each at most twice: first those whose code was too low are taken away, then set anew (Ramalingam and Reps
1996, for grammars with superior functions; the codes prune what delete-and-rederive would over-delete).

What would touch too many rows is refused: evaluating the component anew is cheaper then.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from argon_lang.engine.compiled import CompiledRule, Environment, naming
from argon_lang.engine.program import Unit
from argon_lang.engine.relations import CLAUSES, Ids, Relation
from argon_lang.engine.walk import matches
from argon_lang.ir.rules import Aggregate, Const, Match, Not

NEVER = 1 << 62
"""The code of a row that does not hold."""


@dataclass(frozen=True, slots=True)
class Delta:
    """The rows that a key has gained and lost."""

    added: frozenset[Ids] | set[Ids] = frozenset()
    removed: frozenset[Ids] | set[Ids] = frozenset()

    def __len__(self) -> int:
        """How many rows differ."""
        return len(self.added) + len(self.removed)


Deltas = Mapping[str, Delta]
Atom = tuple[str, Ids]


class TooMuch(Exception):
    """So many rows are touched that evaluating anew is cheaper. Never leaves the engine."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """A component brought up to date: its relations, what differs by key, and its last round."""

    relations: Mapping[str, Relation]
    deltas: Deltas
    rounds: int


def repair(old: Environment, new: Environment, unit: Unit, deltas: Deltas, rounds: int) -> Repaired | None:
    """Bring `unit` up to date for `deltas` of what it reads; None where evaluating it anew is cheaper.

    `old` has the relations of the earlier state, whose component ended in round `rounds`; `new` has those of the new
    state, the component's own apart, which are set here.
    """
    relations = {key: old.space.relations[key] for key in unit.keys}
    new.space.relations.update(relations)
    try:
        work = _Repair(new, unit, relations, _allowance(relations.values()))
        work.touch(_touched(old, new, unit, deltas))
        if work.queue:
            work.change({key: relation.draft() for key, relation in relations.items()})
            work.run()
    except TooMuch:
        return None
    return work.result(old, rounds)


_LEAST_ALLOWANCE = 256
_SHARE = 4


def _allowance(relations: Iterable[Relation]) -> int:
    """How many rows may be looked at before the whole is evaluated anew."""
    return max(_LEAST_ALLOWANCE, sum(map(len, relations)) // _SHARE)


def _touched(old: Environment, new: Environment, unit: Unit, deltas: Deltas) -> Iterator[Atom]:
    """The heads of the instances that the changes make or break, and perhaps some more."""
    for _, compiled in unit.rules:
        key = compiled.rule.key
        for place, read in compiled.positive:
            delta = deltas.get(read)
            if delta is not None:
                held = new.space.relations[key].rows
                yield from ((key, row) for row in _heads(old, compiled, place, delta.removed) if row in held)
                yield from ((key, row) for row in _heads(new, compiled, place, delta.added))
        for bound in _groups(new, compiled, deltas):
            for environment in (old, new):
                yield from ((key, row) for row in _heads_of(environment, compiled, bound))


def _heads(environment: Environment, compiled: CompiledRule, place: int, rows: Iterable[Ids]) -> set[Ids]:
    """The heads of the instances whose literal at `place` reads one of `rows`."""
    out: set[Ids] = set()
    if rows and all(environment.space.count(key) for i, key in compiled.positive if i != place):
        with naming(compiled.rule):
            compiled.deriver(environment, place)(out, rows)
    return out


Group = tuple[tuple[str, int], ...]
_MOST_GROUPS = 64


def _groups(environment: Environment, compiled: CompiledRule, deltas: Deltas) -> set[Group]:
    """What the changed rows under negations and aggregates of a rule say of the variables outside."""
    found: set[Group] = set()
    for literal in compiled.rule.body:
        for match, _ in matches(literal.body) if isinstance(literal, Not | Aggregate) else ():
            delta = deltas.get(match.key)
            for row in (*delta.added, *delta.removed) if delta is not None else ():
                group = _group(environment, compiled, match, row)
                if group is not None:
                    found.add(group)
            if len(found) > _MOST_GROUPS:
                raise TooMuch
    return found


def _group(environment: Environment, compiled: CompiledRule, match: Match, row: Ids) -> Group | None:
    bound: dict[str, int] = {}
    for term, number in zip(match.terms, row, strict=True):
        if isinstance(term, Const):
            if environment.interner.find(term.value) != number:
                return None
        elif bound.setdefault(term.name, number) != number:
            return None
    return tuple((name, bound[name]) for name in compiled.variables if name in bound)


def _heads_of(environment: Environment, compiled: CompiledRule, group: Group) -> Iterator[Ids]:
    """The heads of a rule for these values of some of its variables."""
    bound = dict(group)
    with naming(compiled.rule):
        plan = compiled.plan(environment.space.count, None, tuple(bound))
        for values in set(compiled.run(environment, plan, bound, compiled.heads)):
            yield _row(environment, compiled, dict(zip(compiled.heads, values, strict=True)))


def _row(environment: Environment, compiled: CompiledRule, known: Mapping[str, int]) -> Ids:
    intern = environment.interner.intern
    return tuple(intern(t.value) if isinstance(t, Const) else known[t.name] for t in compiled.rule.terms)


Read = tuple[dict[Ids, int], Ids]
"""The rows of a key of the component, and where a row of it stands in what a prober's run yields."""


class _Prober:
    """Finds the least derivation of a row by one clause of a component."""

    __slots__ = ("_compiled", "_constants", "_environment", "_number", "_plain", "_reads", "_run")

    def __init__(self, environment: Environment, number: int, compiled: CompiledRule, unit: Unit) -> None:
        """The prober of a clause of `unit`."""
        rule, intern = compiled.rule, environment.interner.intern
        reads = [each for each in rule.body if isinstance(each, Match) and each.key in unit.keys]
        terms = [term for match in reads for term in match.terms]
        wanted = tuple(dict.fromkeys(term.name for term in terms if not isinstance(term, Const)))
        constants = [term for term in terms if isinstance(term, Const)]
        places = [*wanted, *map(id, constants)]
        self._environment, self._number, self._compiled = environment, number, compiled
        self._constants = tuple(intern(term.value) for term in constants)
        self._reads: list[Read] = [
            (
                environment.space.relations[match.key].rows,
                tuple(places.index(id(t) if isinstance(t, Const) else t.name) for t in match.terms),
            )
            for match in reads
        ]
        self._run = compiled.runner(environment, compiled.heads, wanted)
        self._plain = len(compiled.heads) == len(rule.terms)

    def least(self, row: Ids) -> int:
        """The code of the least derivation of a row; `NEVER` when there is none."""
        given = row if self._plain else self._given(row)
        if given is None:
            return NEVER
        with naming(self._compiled.rule):
            found = self._run(*given)
            if not self._reads:
                return CLAUSES + self._number if next(found, None) is not None else NEVER
            rounds = min(map(self._height, found), default=0)
        return (rounds + 1) * CLAUSES + self._number if rounds else NEVER

    def _given(self, row: Ids) -> Ids | None:
        bound = self._compiled.unify(self._environment, row)
        return None if bound is None else tuple(bound[name] for name in self._compiled.heads)

    def _height(self, values: Ids) -> int:
        known, highest = values + self._constants, CLAUSES
        for rows, places in self._reads:
            code = rows[tuple([known[place] for place in places])]
            if code > highest:
                highest = code
        return highest // CLAUSES


@dataclass(slots=True)
class _Repair:
    """One component being put right. `least` has the least derivations of the rows whose code is not that."""

    environment: Environment
    unit: Unit
    drafts: Mapping[str, Relation]
    allowance: int
    least: dict[Atom, int] = field(default_factory=dict)
    queue: list[tuple[int, Atom]] = field(default_factory=list)
    before: dict[Atom, int] = field(default_factory=dict)
    probers: dict[str, list[_Prober]] = field(default_factory=dict)
    readers: dict[str, list[tuple[str, Callable[..., None]]]] = field(default_factory=dict)

    def touch(self, atoms: Iterable[Atom], above: int = 0) -> None:
        """Look at rows again, but for those of a round up to `above`: their derivations are of lower rows."""
        for atom in set(atoms):
            now = self.drafts[atom[0]].rows.get(atom[1], NEVER)
            if now // CLAUSES > above:
                self.allowance -= 1
                if self.allowance < 0:
                    raise TooMuch
                self._look(atom, now)

    def _look(self, atom: Atom, now: int) -> None:
        key, row = atom
        least = min((prober.least(row) for prober in self._probers(key)), default=NEVER)
        if least == now:
            self.least.pop(atom, None)
        else:
            self.least[atom] = least
            heapq.heappush(self.queue, (min(least, now), atom))

    def change(self, drafts: Mapping[str, Relation]) -> None:
        """Go on with drafts of the relations, which can be changed."""
        self.drafts = drafts
        self.environment.space.relations.update(drafts)
        self.probers.clear()
        self.readers.clear()

    def run(self) -> None:
        """Put every row right, the lowest codes first."""
        while self.queue:
            code, atom = heapq.heappop(self.queue)
            key, row = atom
            relation, least = self.drafts[key], self.least.get(atom)
            now = relation.rows.get(row, NEVER)
            if least is None or code != min(least, now):
                continue
            self.environment.context.governor.tick()
            self.before.setdefault(atom, now)
            del self.least[atom]
            if least < now:
                relation.put(row, least)
                self.touch(self._above(atom), least // CLAUSES)
            else:
                above = set(self._above(atom))
                relation.drop(row)
                self.touch((*above, atom), now // CLAUSES)

    def _above(self, atom: Atom) -> Iterator[Atom]:
        """The heads of the instances that read a row of the component."""
        key, row = atom
        for head, derive in self._readers(key):
            out: set[Ids] = set()
            derive(out, (row,))
            yield from ((head, each) for each in out)

    def _probers(self, key: str) -> list[_Prober]:
        found = self.probers.get(key)
        if found is None:
            rules = [pair for pair in self.unit.rules if pair[1].rule.key == key]
            found = self.probers[key] = [_Prober(self.environment, *pair, self.unit) for pair in rules]
        return found

    def _readers(self, key: str) -> list[tuple[str, Callable[..., None]]]:
        found = self.readers.get(key)
        if found is None:
            found = self.readers[key] = [
                (compiled.rule.key, compiled.deriver(self.environment, place))
                for _, compiled in self.unit.rules
                for place, read in compiled.positive
                if read == key
            ]
        return found

    def result(self, old: Environment, rounds: int) -> Repaired:
        """What came of it. A key of which nothing differs keeps the relation of the old state."""
        added: dict[str, set[Ids]] = {}
        removed: dict[str, set[Ids]] = {}
        changed: set[str] = set()
        fell = False
        for (key, row), was in self.before.items():
            now = self.drafts[key].rows.get(row, NEVER)
            if now != was:
                changed.add(key)
                fell = fell or (was != NEVER and was // CLAUSES == rounds)
                if now != NEVER:
                    rounds = max(rounds, now // CLAUSES)
            if was == NEVER and now != NEVER:
                added.setdefault(key, set()).add(row)
            elif was != NEVER and now == NEVER:
                removed.setdefault(key, set()).add(row)
        relations = {key: self.drafts[key] if key in changed else old.space.relations[key] for key in self.unit.keys}
        if fell:
            highest = (max(relation.rows.values(), default=0) // CLAUSES for relation in relations.values())
            rounds = max(highest, default=0)
        keys = added.keys() | removed.keys()
        none: frozenset[Ids] = frozenset()
        return Repaired(relations, {key: Delta(added.get(key, none), removed.get(key, none)) for key in keys}, rounds)
