"""Stratified semi-naive evaluation, tuple at a time, with clause and round of each row's first derivation.

Components run in order. In a component, round 1 runs the rules that read none of its keys; each later round runs every
recursive rule once per recursive literal, that literal reading only the rows of the round before (the delta). All rules
of a round see the same rows, so a row's round is the height of its lowest derivation; of several rules that derive it
in one round the one with the least number gets the credit. Neither depends on the order of rules or facts.

An evaluation can start from an earlier one: whole components whose inputs are the same rows are taken over.

Semi-naive evaluation: Bancilhon 1986; keeping the height as provenance: Zhao, Subotić, Scholz, TOPLAS 2020.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from argon_lang.engine.compiled import CompiledRule, Environment, naming
from argon_lang.engine.program import CompiledProgram, Unit
from argon_lang.engine.relations import CLAUSES, Ids, Relation
from argon_lang.errors import ArgonError
from argon_lang.ir.values import Row
from argon_lang.problems import args

Facts = Mapping[str, Iterable[Row]]
Inputs = dict[str, tuple[Row, ...]]
Pending = dict[str, dict[Ids, int]]


@dataclass(frozen=True, slots=True)
class Run:
    """What an evaluation leaves for the next one over the same numbering.

    `inputs` are the base rows as given, `relations` all rows, `rounds` those of each component (by its place in the
    program), `bases` the base rank of each derived key: a row's rank is that plus its round.
    """

    clock: datetime
    inputs: Inputs
    relations: Mapping[str, Relation]
    rounds: tuple[int, ...]
    bases: Mapping[str, int]


def run(environment: Environment, program: CompiledProgram, facts: Facts, earlier: Run | None) -> Run:
    """Evaluate all components over base `facts`; those that an unchanged `earlier` run settled are taken over.

    A component's rows depend on the rows that it reads, its own base rows and, for some, the clock. So what is reused
    is what evaluating it again would give, down to clause and round of each row.
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
            rounds.append(_component(environment, unit))
            changed.update(_differing(environment, unit, earlier))
    return Run(clock, inputs, environment.space.relations, tuple(rounds), _bases(program, rounds))


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
        environment.context.governor.derived(len(relation.rows))


def _differing(environment: Environment, unit: Unit, earlier: Run | None) -> Iterator[str]:
    """The component's keys whose rows are not those of the earlier run."""
    for key in unit.keys:
        if earlier is None or environment.space.relations[key].rows.keys() != earlier.relations[key].rows.keys():
            yield key


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


def _component(environment: Environment, unit: Unit) -> int:
    """Run one component to its fixpoint; the number of rounds in which something was derived."""
    pending: Pending = {}
    for number, compiled in unit.rules:
        if not any(key in unit.keys for _, key in compiled.positive):
            _derive(environment, compiled, CLAUSES + number, None, None, pending)
    delta = _commit(environment, pending)
    rounds = 1 if delta else 0
    if not unit.recursive:
        return rounds
    for key in unit.keys:
        rows = environment.space.relations[key].rows
        if rows:
            delta[key] = rows.keys()
    recursive = [
        (number, compiled, i, key)
        for number, compiled in unit.rules
        for i, key in compiled.positive
        if key in unit.keys
    ]
    return _rounds(environment, recursive, delta, rounds)


def _rounds(
    environment: Environment,
    recursive: list[tuple[int, CompiledRule, int, str]],
    delta: dict[str, Iterable[Ids]],
    last: int,
) -> int:
    bound: dict[tuple[int, int], Callable[..., None]] = {}
    number_of_round = 1
    while delta:
        number_of_round += 1
        environment.context.governor.round(number_of_round)
        pending: Pending = {}
        for number, compiled, first, key in recursive:
            if key in delta:
                code = number_of_round * CLAUSES + number
                _derive(environment, compiled, code, first, delta[key], pending, bound)
        delta = _commit(environment, pending)
        if delta:
            last = number_of_round
    return last


def _derive(
    environment: Environment,
    compiled: CompiledRule,
    code: int,
    first: int | None,
    delta: Iterable[Ids] | None,
    pending: Pending,
    bound: dict[tuple[int, int], Callable[..., None]] | None = None,
) -> None:
    """Run one rule (one literal on the delta) and note its new rows, with `code`, unless an earlier rule has."""
    count = environment.space.count
    if not all(count(key) for _, key in compiled.positive):
        return
    label = (code % CLAUSES, -1 if first is None else first)
    run_rule = bound.get(label) if bound is not None else None
    if run_rule is None:
        run_rule = compiled.deriver(environment, first)
        if bound is not None:
            bound[label] = run_rule
    out: set[Ids] = set()
    with naming(compiled.rule):
        run_rule(out, delta)
    relation = environment.space.relation(compiled.rule.key, len(compiled.rule.terms))
    new = out.difference(relation.rows)
    noted = pending.get(compiled.rule.key)
    if noted is None:
        pending[compiled.rule.key] = dict.fromkeys(new, code)
    else:
        noted.update(dict.fromkeys(new.difference(noted), code))


def _commit(environment: Environment, pending: Pending) -> dict[str, Iterable[Ids]]:
    """Add the rows of a round; they are the next round's delta."""
    delta: dict[str, Iterable[Ids]] = {}
    for key, rows in pending.items():
        if rows:
            environment.context.governor.derived(len(rows))
            environment.space.relations[key].extend(rows)
            delta[key] = rows
    return delta
