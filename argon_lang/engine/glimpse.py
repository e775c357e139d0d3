"""An evaluation that goes as far as it is asked: a question costs what it rests on.

A component is evaluated when a key that rests on it is wanted. Where rows are wanted by some of their columns, and the
whole is large, what they rest on is found first (`demand`), and that alone is derived, in the rounds and by the clauses
of a full evaluation. Where that comes to much, the whole is evaluated instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from argon_lang.engine.compiled import CompiledRule, Environment
from argon_lang.engine.demand import SEED, Columns, Demand, Wanted, demand_of, wanted_key
from argon_lang.engine.estimates import estimates
from argon_lang.engine.exprs import Context
from argon_lang.engine.fixpoint import Facts, Run
from argon_lang.engine.loading import Inputs, load
from argon_lang.engine.program import CompiledProgram, Unit
from argon_lang.engine.relations import Ids, Relation, Space
from argon_lang.engine.seminaive import component
from argon_lang.errors import ArgonError
from argon_lang.ir.rules import Rule

_WORTH = 2_000
"""Base rows beneath a question from which on finding out what it rests on is cheaper than deriving all."""
_LEAST_ALLOWANCE = 10_000
_SHARE = 2
_MOST_SEARCHES = 4


class Glimpse:
    """See the module's docstring. For one request and its governor; no other thread may use it."""

    __slots__ = ("_bare", "_environment", "_exact", "_inputs", "_program", "_rounds", "_searches", "_wanted")

    def __init__(self, environment: Environment, program: CompiledProgram, facts: Facts) -> None:
        """Number the base rows, evaluate nothing."""
        self._environment, self._program = environment, program
        self._inputs: Inputs = {key: tuple(rows) for key, rows in facts.items()}
        self._rounds: dict[int, int] = {}
        self._bare: dict[str, Relation] = {}
        self._wanted: dict[str, dict[Columns, Mapping[Ids, int]]] = {}
        self._exact = True
        self._searches = 0
        load(environment, program, self._inputs, None)

    def want(self, keys: Iterable[str]) -> None:
        """Evaluate what these keys rest on."""
        for place in self._program.cone(keys):
            if not self._evaluated(place):
                self._whole(place)

    def want_rows(self, key: str, known: Mapping[int, int], *, absent: bool = False) -> None:
        """Evaluate what the rows of a key rest on whose columns have these values.

        `absent`: and what why-not looks at, should there be none.
        """
        place = self._program.home.get(key)
        if place is None or self._evaluated(place) or self._covers(key, known, absent):
            return
        columns = tuple(sorted(known))
        goal: Wanted = (key, columns)
        seed = (wanted_key(key, columns), tuple(known[at] for at in columns))
        if not (columns and self._searched((key,), goal, seed) and (self._exact or not absent)):
            self.want((key,))

    def want_solutions(self, compiled: CompiledRule, inputs: Sequence[int]) -> None:
        """Evaluate what the solutions of a query's rule rest on."""
        seed = (SEED, (*inputs, self._environment.interner.intern(True)))
        if not self._searched(compiled.reads, compiled.rule, seed):
            self.want(compiled.reads)

    def finish(self) -> Run:
        """Evaluate the rest."""
        self.want(self._program.derived)
        environment, rounds = self._environment, [self._rounds[place] for place in range(len(self._program.units))]
        relations, possible = environment.space.relations, environment.other.relations
        clock = environment.context.clock
        return Run(clock, self._inputs, relations, possible, tuple(rounds), {}, None, object())

    def _whole(self, place: int) -> None:
        self._environment.context.governor.tick()
        unit = self._program.units[place]
        for key in unit.keys:
            if self._wanted.pop(key, None) is not None:
                self._environment.space.relations[key] = self._bare[key].copy()
        self._rounds[place] = estimates(self._environment, unit)

    def _covers(self, key: str, known: Mapping[int, int], absent: bool) -> bool:
        """Are these rows among those that were wanted, and for why-not by just these columns?"""
        if absent and not self._exact:
            return False
        for columns, rows in self._wanted.get(key, {}).items():
            fits = len(columns) == len(known) if absent else True
            if fits and known.keys() >= set(columns) and tuple(known[at] for at in columns) in rows:
                return True
        return False

    def _searched(self, keys: Iterable[str], goal: Wanted | Rule, seed: tuple[str, Ids]) -> bool:
        """Derive what a goal rests on and no more; False where that is not worth it."""
        if self._searches == _MOST_SEARCHES or (size := self._size(keys)) < _WORTH:
            return False
        self._searches += 1
        demand = demand_of(self._program, goal)
        if demand is None:
            return False
        self._whole_ones(demand)
        fits = self._fits(demand)
        wanted = self._search(demand, seed, max(_LEAST_ALLOWANCE, size * _SHARE)) if fits else None
        if wanted is not None:
            self._derive(demand, wanted)
        return wanted is not None

    def _fits(self, demand: Demand) -> bool:
        """Is nothing in doubt that the clauses read, and nothing stated of a key that questions pass through?"""
        possible, home = self._environment.other.relations.keys(), self._program.home
        stated = (key for key in demand.through if not self._evaluated(home[key]) and self._start(key).rows)
        certain = all(possible.isdisjoint(unit.reads) for unit in demand.guarded.values())
        return certain and next(stated, None) is None

    def _size(self, keys: Iterable[str]) -> int:
        """The base rows beneath some keys."""
        count, units = self._environment.space.count, self._program.units
        places = (place for place in self._program.cone(keys) if not self._evaluated(place))
        read = {key for place in places for key in units[place].reads}
        return sum(count(key) for key in read if key not in self._program.derived)

    def _whole_ones(self, demand: Demand) -> None:
        for place in sorted(demand.whole):
            self.want(self._program.units[place].keys)

    def _search(self, demand: Demand, seed: tuple[str, Ids], allowance: int) -> dict[str, Relation] | None:
        """What is wanted, by its key; None where it comes to more than `allowance` rows."""
        space = Space(self._environment.space)
        for key, arity in demand.arities.items():
            space.relations[key] = self._start(key).copy() if key in self._program.home else Relation(arity)
        space.relations.setdefault(seed[0], Relation(len(seed[1]))).rows[seed[1]] = 0
        own = self._environment.context
        context = Context(own.clock, own.governor.within(allowance), own.state)
        keys = frozenset(demand.arities)
        unit = Unit(keys, True, demand.search, (), (), demand.arities, keys, False, False)
        try:
            component(Environment(space, self._environment.interner, context), demand.search, unit)
        except ArgonError as error:
            if error.details.get("knob") != "maxDerived":
                raise
            return None
        return {key: relation for key, relation in space.relations.items() if key not in self._program.home}

    def _start(self, key: str) -> Relation:
        """What is known of a derived key for certain: all of it where it is evaluated, else its base rows."""
        known = self._environment.space.relations[key]
        return known if self._evaluated(self._program.home[key]) else self._bare.setdefault(key, known)

    def _evaluated(self, place: int) -> bool:
        """Is the component evaluated whole?"""
        return place in self._rounds and self._wanted.keys().isdisjoint(self._program.units[place].keys)

    def _derive(self, demand: Demand, wanted: dict[str, Relation]) -> None:
        """Run the guarded clauses, component by component."""
        environment, home = self._environment.settled(), self._program.home
        relations = environment.space.relations
        relations.update(wanted)
        for place, unit in demand.guarded.items():
            if self._evaluated(place):
                continue
            for key, arity in unit.arities.items():
                relations[key] = self._start(key).copy() if key in home else Relation(arity)
            self._rounds[place] = component(environment, unit.rules, unit)
            for key in self._program.units[place].keys:
                patterns = demand.patterns.get(key, ()) if key not in demand.through else ()
                self._wanted[key] = {columns: wanted[wanted_key(key, columns)].rows for columns in patterns}
        for key in wanted:
            del relations[key]
        self._exact = self._exact and demand.exact
