"""The residual ground program of a component that recurses through negation, and its well-founded model.

What two estimates leave open is grounded once: an instance per way to satisfy a clause's body, over the tuples that are
possible and not yet definite. From there on truth is propagated by counters, linear in the size of the program: an
instance whose conditions are all settled makes its head definite, an atom without a live instance is false. Tuples that
support only each other are found through *sources*: every possible atom keeps one instance that founds it; when that
instance dies, the atom and what is founded on it look for another, and those that find none are false.

Counters: Dowling and Gallier 1984; well-founded model: Van Gelder, Ross, Schlipf 1991; sources: Simons, Niemelä,
Soininen 2002.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from argon_lang.engine.compiled import CompiledRule, Environment
from argon_lang.engine.relations import Ids, Space
from argon_lang.engine.walk import literal_variables, matches
from argon_lang.ir.rules import Const, Literal, Match, Not, Rule, Term, Var

OPEN, TRUE, FALSE = 0, 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """A clause, or the body of a negation, with the reads of its own component set apart.

    `compiled` enumerates instances: of a clause its first literal reads the head's rows, of a negation `shared` are
    given. `reads` are the positive reads of the component, `denials` the negations that read it. `plain`: the whole
    body of a negation is this one read, and nothing in it is local.
    """

    number: int
    compiled: CompiledRule
    reads: tuple[Match, ...]
    denials: tuple[Clause, ...]
    shared: tuple[str, ...] = ()
    plain: Match | None = None


def clause_of(number: int, compiled: CompiledRule, keys: frozenset[str]) -> Clause:
    """The clause of a rule of the component `keys`."""
    rule = compiled.rule
    outside = {term.name for term in rule.terms if isinstance(term, Var)} | set(rule.inputs)
    head = Match(rule.key, rule.terms)
    body, reads, denials = _parts(number, rule.body, outside, compiled, keys)
    made = compiled.variant(Rule(rule.id, rule.key, rule.terms, (head, *body), rule.origin, rule.inputs))
    return Clause(number, made, reads, denials)


Parts = tuple[tuple[Literal, ...], tuple[Match, ...], tuple[Clause, ...]]


def reads_of(literal: Literal, keys: frozenset[str]) -> bool:
    """Is this a negation that reads the component?"""
    return isinstance(literal, Not) and any(match.key in keys for match, _ in matches(literal.body))


def _parts(
    number: int, body: tuple[Literal, ...], outside: set[str], compiled: CompiledRule, keys: frozenset[str]
) -> Parts:
    kept = tuple(literal for literal in body if not reads_of(literal, keys))
    reads = tuple(literal for literal in kept if isinstance(literal, Match) and literal.key in keys)
    denials: list[Clause] = []
    for at, literal in enumerate(body):
        if isinstance(literal, Not) and reads_of(literal, keys):
            others = {name for i, other in enumerate(body) if i != at for name in literal_variables(other)}
            denials.append(_denial(number, literal, outside | others, compiled, keys))
    return kept, reads, tuple(denials)


def _denial(number: int, literal: Not, around: set[str], compiled: CompiledRule, keys: frozenset[str]) -> Clause:
    shared = tuple(name for name in literal_variables(literal) if name in around)
    body, reads, denials = _parts(number, literal.body, around, compiled, keys)
    rule = Rule(compiled.rule.id, "", (), body, "negation", shared)
    only = literal.body[0]
    alone = len(literal.body) == 1 and isinstance(only, Match) and set(literal_variables(only)) <= set(shared)
    plain = only if alone and isinstance(only, Match) else None
    return Clause(number, compiled.variant(rule), reads, denials, shared, plain)


class Residual:
    """The ground program over what `definite` and `possible` leave open of the component `keys`."""

    def __init__(self, definite: Environment, possible: Environment, keys: frozenset[str], in_doubt: bool) -> None:
        """Nothing is grounded yet. `in_doubt`: something that the component reads from outside is in doubt."""
        self._possible = possible
        self._definite = definite.space
        self._keys = keys
        self._certain = _certain(definite, possible, keys) if in_doubt else None
        self._atoms: dict[Hashable, int] = {}
        self._denied: dict[Hashable, int | bool] = {}
        self._head: list[int] = []
        self._positive: list[tuple[int, ...]] = []
        self._need: list[int] = []
        self._fed: list[list[int]] = []
        self._barred: list[list[int]] = []
        self._made: list[list[int]] = []

    def ground(self, clauses: Iterable[Clause]) -> None:
        """Add every instance whose head is open."""
        for clause in clauses:
            key = clause.compiled.rule.key
            settled = self._definite.rows(key)
            rows = [row for row in self._possible.space.rows(key) if row not in settled]
            if not rows:
                continue
            certain = set(clause.compiled.from_rows(self._certain, rows)) if self._certain else None
            for values in clause.compiled.from_rows(self._possible, rows):
                known = dict(zip(clause.compiled.variables, values, strict=True))
                head = self._atom((key, self._row(clause.compiled.rule.terms, known)))
                self._instance(head, clause, known, certain is None or values in certain)

    def _row(self, terms: tuple[Term, ...], known: Mapping[str, int]) -> Ids:
        intern = self._possible.interner.intern
        return tuple(intern(term.value) if isinstance(term, Const) else known[term.name] for term in terms)

    def _atom(self, name: Hashable) -> int:
        found = self._atoms.get(name)
        if found is None:
            found = self._atoms[name] = len(self._atoms)
            self._fed.append([])
            self._barred.append([])
            self._made.append([])
        return found

    def _instance(self, head: int, clause: Clause, known: Mapping[str, int], certain: bool) -> bool:
        """Add an instance unless it is dead already. False when it is settled: nothing of it is open."""
        positive: dict[int, None] = {}
        negative: dict[int, None] = {}
        for match in clause.reads:
            row = self._row(match.terms, known)
            if row not in self._definite.rows(match.key):
                positive[self._atom((match.key, row))] = None
        for denial in clause.denials:
            verdict = self._denial(denial, known)
            if verdict is False:
                return True
            if verdict is not True:
                negative[verdict] = None
        number = len(self._head)
        self._head.append(head)
        self._positive.append(tuple(positive))
        self._need.append(len(positive) + len(negative) + (not certain))
        self._made[head].append(number)
        for atom in positive:
            self._fed[atom].append(number)
        for atom in negative:
            self._barred[atom].append(number)
        return self._need[number] > 0

    def _denial(self, denial: Clause, known: Mapping[str, int]) -> int | bool:
        """A negation under a substitution: True or False where that is settled, else the atom that it denies."""
        if denial.plain is not None:
            row, key = self._row(denial.plain.terms, known), denial.plain.key
            if row in self._definite.rows(key):
                return False
            return row not in self._possible.space.rows(key) or self._atom((key, row))
        bound = {name: known[name] for name in denial.shared}
        name = (id(denial), tuple(bound.values()))
        if name not in self._denied:
            self._denied[name] = self._conjunction(denial, bound, name)
        return self._denied[name]

    def _conjunction(self, denial: Clause, bound: Mapping[str, int], name: Hashable) -> int | bool:
        compiled = denial.compiled
        plan = compiled.plan(self._possible.space.count)
        certain = set(compiled.run(self._certain, plan, bound, compiled.variables)) if self._certain else None
        head, before = self._atom(name), len(self._head)
        for values in list(compiled.run(self._possible, plan, bound, compiled.variables)):
            inner = dict(zip(compiled.variables, values, strict=True))
            if not self._instance(head, denial, inner, certain is None or values in certain):
                return False
        return head if len(self._head) > before and self._made[head] else True

    def settle(self) -> Iterator[tuple[str, Ids, bool]]:
        """The atoms that are settled, by key and row, and whether they are definite; the others are in doubt."""
        status = _Propagation(self._head, self._positive, self._need, self._fed, self._barred, self._made).status()
        for name, atom in self._atoms.items():
            if status[atom] != OPEN and isinstance(name, tuple) and isinstance(name[0], str):
                yield name[0], name[1], status[atom] == TRUE


def _certain(definite: Environment, possible: Environment, keys: frozenset[str]) -> Environment:
    """The component's possible tuples over what is definite of all the rest."""
    space = Space(definite.space)
    space.relations.update({key: relation for key in keys if (relation := possible.space.find(key)) is not None})
    return Environment(space, definite.interner, definite.context, possible.space, 0)


class _Propagation:
    """See the module's docstring. Atoms and instances are numbered; `fed` and `barred` are the instances that need an
    atom to be true, or false; `made` those whose head it is.
    """

    def __init__(
        self,
        head: list[int],
        positive: list[tuple[int, ...]],
        need: list[int],
        fed: list[list[int]],
        barred: list[list[int]],
        made: list[list[int]],
    ) -> None:
        self.head = head
        self.positive = positive
        self.need = need
        self.fed = fed
        self.barred = barred
        self.made = made
        self.source = [-1] * len(made)
        self.dead = bytearray(len(head))
        self.known = bytearray(len(made))
        self.events: list[tuple[int, int]] = []
        self.lost: list[int] = []

    def status(self) -> bytearray:
        """Run to the end; the status of each atom."""
        self._found()
        self.events += [(atom, FALSE) for atom, source in enumerate(self.source) if source < 0]
        self.events += [(self.head[i], TRUE) for i, need in enumerate(self.need) if need == 0]
        self._settle()
        while self.lost:
            self._unfound()
            self._settle()
        return self.known

    def _found(self) -> None:
        """Give every atom that can be founded the instance that founds it first."""
        left = [len(positive) for positive in self.positive]
        ready = deque(i for i, count in enumerate(left) if not count)
        while ready:
            number = ready.popleft()
            atom = self.head[number]
            if self.source[atom] < 0:
                self.source[atom] = number
                for other in self.fed[atom]:
                    left[other] -= 1
                    if not left[other]:
                        ready.append(other)

    def _settle(self) -> None:
        known, dead, need, head = self.known, self.dead, self.need, self.head
        while self.events:
            atom, truth = self.events.pop()
            if known[atom]:
                continue
            known[atom] = truth
            met, broken = (self.fed, self.barred) if truth == TRUE else (self.barred, self.fed)
            for number in met[atom]:
                need[number] -= 1
                if not need[number] and not dead[number]:
                    self.events.append((head[number], TRUE))
            for number in broken[atom]:
                if not dead[number]:
                    dead[number] = 1
                    if self.source[head[number]] == number and not known[head[number]]:
                        self.lost.append(head[number])

    def _unfound(self) -> None:
        """Look for new sources of the atoms that lost theirs; what finds none is false."""
        loose: set[int] = set()
        while self.lost:
            atom = self.lost.pop()
            if atom not in loose and not self.known[atom]:
                loose.add(atom)
                self.lost.extend(self.head[i] for i in self.fed[atom] if self.source[self.head[i]] == i)
        waiting = list(loose)
        while waiting:
            atom = waiting.pop()
            if atom not in loose:
                continue
            found = next((i for i in self.made[atom] if not self.dead[i] and loose.isdisjoint(self.positive[i])), -1)
            if found >= 0:
                self.source[atom] = found
                loose.discard(atom)
                waiting.extend(self.head[i] for i in self.fed[atom] if self.head[i] in loose)
        self.events += [(atom, FALSE) for atom in sorted(loose)]
