"""Semi-naive evaluation, component by component, tuple at a time, with clause and round of each row's first derivation.

Components run in order (`seminaive`).

A tuple that is possible and not definite is kept in a second estimate, of those keys alone of which there are such; a
component that reads one, reads an open concept, or recurses through negation is evaluated in both (semantics S4.2).

An evaluation can start from an earlier one: components whose inputs are the same rows are taken over, those of which
few differ are brought up to date (`maintain`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, KeysView, Mapping
from dataclasses import dataclass
from datetime import datetime

from argon_lang.engine.compiled import Environment
from argon_lang.engine.estimates import estimates
from argon_lang.engine.loading import Inputs, load
from argon_lang.engine.maintain import Delta, Deltas, repair
from argon_lang.engine.program import CompiledProgram, Unit
from argon_lang.engine.relations import Ids, Relation, Space
from argon_lang.ir.values import Row

Facts = Mapping[str, Iterable[Row]]


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What an evaluation leaves for the next one over the same numbering.

    `inputs` are the base rows as given, `relations` all rows, `possible` those of the keys of which some are possible
    and not definite, `rounds` those of each component (by its place in the program). `deltas` are the differences of
    the definite rows, by key, from the run that is known as `since`; each run is known by its own `token`.
    """

    clock: datetime
    inputs: Inputs
    relations: dict[str, Relation]
    possible: dict[str, Relation]
    rounds: tuple[int, ...]
    deltas: Deltas
    since: object
    token: object


def run(environment: Environment, program: CompiledProgram, facts: Facts, earlier: Run | None) -> Run:
    """Evaluate all components over base `facts`, starting from an `earlier` run if there is one.

    `environment` is that of the definite estimate. A component's rows depend on the rows that it reads, its own base
    rows and, for some, the clock. One that none of these touches is taken over; one that few changes touch is brought
    up to date. Either gives what evaluating it again would give, down to clause and round of each row.
    """
    inputs: Inputs = {key: tuple(rows) for key, rows in facts.items()}
    deltas = load(environment, program, inputs, earlier)
    clock = environment.context.clock
    rounds: list[int] = []
    for place, unit in enumerate(program.units):
        environment.context.governor.tick()
        if earlier is not None and _settled(unit, deltas, environment, earlier):
            _take_over(environment, unit, earlier)
            rounds.append(earlier.rounds[place])
        else:
            rounds.append(_again(environment, unit, deltas, earlier, place))
    relations, possible = environment.space.relations, environment.other.relations
    since = earlier.token if earlier is not None else None
    return Run(clock, inputs, relations, possible, tuple(rounds), deltas, since, object())


def _again(environment: Environment, unit: Unit, deltas: dict[str, Delta], earlier: Run | None, place: int) -> int:
    """Bring a component up to date, or evaluate it anew; its last round."""
    if earlier is not None and _repairable(environment, unit, deltas, earlier):
        fresh = {key: environment.space.relations[key] for key in unit.keys}
        repaired = repair(_definite(environment, earlier), environment.settled(), unit, deltas, earlier.rounds[place])
        environment.space.relations.update(fresh if repaired is None else repaired.relations)
        if repaired is not None:
            deltas.update(repaired.deltas)
            environment.context.governor.derived(sum(len(each) for each in repaired.relations.values()))
            return repaired.rounds
    last = estimates(environment, unit)
    deltas.update(_differing(environment, unit, earlier))
    return last


def _definite(environment: Environment, earlier: Run) -> Environment:
    """The rows of an earlier run, to be read alone."""
    space = Space()
    space.relations = earlier.relations
    return Environment(space, environment.interner, environment.context)


_FEW = 64
_SHARE = 10


def _repairable(environment: Environment, unit: Unit, deltas: Deltas, earlier: Run) -> bool:
    """Is the component one whose rows follow few changes, and nothing but them?"""
    reads = unit.reads
    in_doubt = environment.other.relations.keys() | earlier.possible.keys()
    if unit.clauses or unit.open or not in_doubt.isdisjoint(reads) or not unit.keys.isdisjoint(deltas):
        return False
    size = sum(environment.space.count(key) for key in reads)
    changes = sum(len(deltas[key]) for key in reads if key in deltas)
    return changes <= max(_FEW, size // _SHARE) and _same_clock(unit, earlier.clock, environment.context.clock)


def _settled(unit: Unit, deltas: Deltas, environment: Environment, earlier: Run) -> bool:
    """Has nothing changed that the component's rows depend on?"""
    if not unit.reads.isdisjoint(deltas.keys()):
        return False
    return _same_clock(unit, earlier.clock, environment.context.clock)


def _same_clock(unit: Unit, then: datetime, now: datetime) -> bool:
    return then == now or not (unit.reads_now or (unit.reads_today and then.date() != now.date()))


def _take_over(environment: Environment, unit: Unit, earlier: Run) -> None:
    for key in unit.keys:
        relation = environment.space.relations[key] = earlier.relations[key]
        if key in earlier.possible:
            environment.other.relations[key] = earlier.possible[key]
        environment.context.governor.derived(len(relation))


def _differing(environment: Environment, unit: Unit, earlier: Run | None) -> Iterator[tuple[str, Delta]]:
    """The component's keys whose rows, definite or possible, are not those of the earlier run, with what differs."""
    if earlier is None:
        return
    for key in unit.keys:
        now = environment.space.relations[key].rows.keys()
        then = _rows(earlier.relations, key)
        delta = Delta(now - then, then - now) if now != then else Delta()
        might = _rows(environment.other.relations, key)
        if delta or might != _rows(earlier.possible, key):
            yield key, delta


_NONE: dict[Ids, int] = {}


def _rows(relations: Mapping[str, Relation], key: str) -> KeysView[Ids]:
    found = relations.get(key)
    return (found.rows if found is not None else _NONE).keys()
