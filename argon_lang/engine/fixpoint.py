"""Semi-naive evaluation, component by component, tuple at a time, with clause and round of each row's first derivation.

Components run in order (`seminaive`).

A tuple that is possible and not definite is kept in a second estimate, of those keys alone of which there are such; a
component that reads one, reads an open concept, or recurses through negation is evaluated in both (semantics S4.2).

An evaluation can start from an earlier one: whole components whose inputs are the same rows are taken over.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from argon_lang.engine.compiled import Environment
from argon_lang.engine.estimates import estimates
from argon_lang.engine.program import CompiledProgram, Unit
from argon_lang.engine.relations import Ids, Relation
from argon_lang.errors import ArgonError
from argon_lang.ir.values import Row
from argon_lang.problems import args

Facts = Mapping[str, Iterable[Row]]
Inputs = dict[str, tuple[Row, ...]]


@dataclass(frozen=True, slots=True)
class Run:
    """What an evaluation leaves for the next one over the same numbering.

    `inputs` are the base rows as given, `relations` all rows, `possible` those of the keys of which some are possible
    and not definite, `rounds` those of each component (by its place in the program), `bases` the base rank of each
    derived key: a row's rank is that plus its round.
    """

    clock: datetime
    inputs: Inputs
    relations: Mapping[str, Relation]
    possible: Mapping[str, Relation]
    rounds: tuple[int, ...]
    bases: Mapping[str, int]


def run(environment: Environment, program: CompiledProgram, facts: Facts, earlier: Run | None) -> Run:
    """Evaluate all components over base `facts`; those that an unchanged `earlier` run settled are taken over.

    `environment` is that of the definite estimate. A component's rows depend on the rows that it reads, its own base
    rows and, for some, the clock. So what is reused is what evaluating it again would give, down to clause and round of
    each row.
    """
    inputs: Inputs = {key: tuple(rows) for key, rows in facts.items()}
    changed = _load(environment, program, inputs, earlier)
    clock = environment.context.clock
    rounds: list[int] = []
    for place, unit in enumerate(program.units):
        environment.context.governor.tick()
        if earlier is not None and _settled(unit, changed, earlier.clock, clock):
            _take_over(environment, unit, earlier)
            rounds.append(earlier.rounds[place])
        else:
            rounds.append(estimates(environment, unit))
            changed.update(_differing(environment, unit, earlier))
    return Run(
        clock, inputs, environment.space.relations, environment.other.relations, tuple(rounds), _bases(program, rounds)
    )


def _bases(program: CompiledProgram, rounds: list[int]) -> dict[str, int]:
    bases: dict[str, int] = {}
    below = 0
    for unit, count in zip(program.units, rounds, strict=True):
        bases.update(dict.fromkeys(unit.keys, below))
        below += count
    return bases


def _settled(unit: Unit, changed: set[str], then: datetime, now: datetime) -> bool:
    """Has nothing changed that the component's rows depend on?"""
    if not changed.isdisjoint(unit.reads):
        return False
    return then == now or not (unit.reads_now or (unit.reads_today and then.date() != now.date()))


def _take_over(environment: Environment, unit: Unit, earlier: Run) -> None:
    for key in unit.keys:
        relation = environment.space.relations[key] = earlier.relations[key]
        if key in earlier.possible:
            environment.other.relations[key] = earlier.possible[key]
        environment.context.governor.derived(len(relation.rows))


def _differing(environment: Environment, unit: Unit, earlier: Run | None) -> Iterator[str]:
    """The component's keys whose rows are not those of the earlier run."""
    for key in unit.keys:
        now, then = environment.space.relations, environment.other.relations
        same = earlier is not None and _rows(now, key) == _rows(earlier.relations, key)
        if earlier is None or not same or _rows(then, key) != _rows(earlier.possible, key):
            yield key


def _rows(relations: Mapping[str, Relation], key: str) -> Collection[Ids]:
    found = relations.get(key)
    return found.rows.keys() if found is not None else frozenset()


def _load(environment: Environment, program: CompiledProgram, inputs: Inputs, earlier: Run | None) -> set[str]:
    """Number the base rows; the keys whose base rows have changed. Rows that did not change keep their indexes."""
    changed = set(inputs) if earlier is None else {key for key, rows in earlier.inputs.items() if key not in inputs}
    for key, rows in inputs.items():
        before = earlier.inputs.get(key) if earlier is not None else None
        same = before is not None and len(before) == len(rows) and all(map(operator.is_, before, rows))
        if same and earlier is not None and key not in program.derived and key in earlier.relations:
            environment.space.relations[key] = earlier.relations[key]
            continue
        if not same:
            changed.add(key)
        _number(environment, program, key, rows)
    for unit in program.units:
        for key in unit.keys:
            environment.space.relation(key, unit.arities[key])
    return changed


def _number(environment: Environment, program: CompiledProgram, key: str, rows: tuple[Row, ...]) -> None:
    """Raises `ARGON_RUNTIME_INTERNAL` for a row of the wrong width."""
    intern = environment.interner.intern
    numbered = {tuple(map(intern, row)): 0 for row in rows}
    widths = {len(row) for row in numbered}
    shape = program.shapes.get(key)
    arity = len(shape.columns) if shape is not None else min(widths, default=0)
    if widths - {arity}:
        raise ArgonError("ARGON_RUNTIME_INTERNAL", args(found=f"rows of {key} have {sorted(widths)} columns"))
    if numbered:
        environment.space.relation(key, arity).rows = numbered
