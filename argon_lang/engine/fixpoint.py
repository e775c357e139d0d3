"""Semi-naive evaluation, component by component, tuple at a time, with clause and round of each row's first derivation.

Components run in order. In a component, round 1 runs the rules that read none of its keys; each later round runs every
recursive rule once per recursive literal, that literal reading only the rows of the round before (the delta). All rules
of a round see the same rows, so a row's round is the height of its lowest derivation; of several rules that derive it
in one round the one with the least number gets the credit. Neither depends on the order of rules or facts.

A tuple that is possible and not definite is kept in a second estimate, of those keys alone of which there are such; a
component that reads one, reads an open concept, or recurses through negation is evaluated in both (semantics S4.2).

An evaluation can start from an earlier one: whole components whose inputs are the same rows are taken over.

Semi-naive evaluation: Bancilhon 1986; keeping the height as provenance: Zhao, Subotić, Scholz, TOPLAS 2020.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from argon_lang.engine.compiled import CompiledRule, Environment, naming
from argon_lang.engine.program import CompiledProgram, Unit
from argon_lang.engine.relations import CLAUSES, Ids, Relation, Space
from argon_lang.engine.residual import Residual, reads_of
from argon_lang.errors import ArgonError
from argon_lang.ir.names import negative_key
from argon_lang.ir.rules import Literal, Match, Not
from argon_lang.ir.values import Row
from argon_lang.problems import args

Facts = Mapping[str, Iterable[Row]]
Inputs = dict[str, tuple[Row, ...]]
Pending = dict[str, dict[Ids, int]]


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
            rounds.append(_estimates(environment, unit))
            changed.update(_differing(environment, unit, earlier))
    return Run(
        clock, inputs, environment.space.relations, environment.other.relations, tuple(rounds), _bases(program, rounds)
    )


def _estimates(environment: Environment, unit: Unit) -> int:
    """Evaluate a component: once where nothing is in doubt, else the definite estimate and the possible one."""
    in_doubt = not environment.other.relations.keys().isdisjoint(unit.reads)
    if unit.clauses:
        return _well_founded(environment, unit, in_doubt)
    if not in_doubt and not unit.open:
        return _component(environment.settled(), unit.rules, unit)
    return _possible(environment, unit, _component(environment, unit.rules, unit))


def _possible(definite: Environment, unit: Unit, last: int, barring: bool = True) -> int:
    """The possible estimate, starting from the definite one, whose last round was `last`. Kept where they differ."""
    possible = definite.swapped()
    if barring:
        possible.barred = refuted(definite.space, unit)
    for key in unit.keys:
        possible.space.relations[key] = definite.space.relations[key].copy()
    last = _further(possible, (*unit.rules, *unit.open), unit, last)
    if barring:
        _agreed(definite, unit)
    return last


def refuted(space: Space, unit: Unit) -> dict[str, dict[Ids, int]]:
    """The strong negatives of a component's keys."""
    return {key: rows for key in unit.keys if (rows := space.rows(negative_key(key)))}


def _agreed(definite: Environment, unit: Unit) -> None:
    """Forget the possible estimate of the keys in which it is the definite one."""
    for key in unit.keys:
        if len(definite.other.relations[key].rows) == len(definite.space.relations[key].rows):
            del definite.other.relations[key]


_ALTERNATIONS = 2


def _well_founded(definite: Environment, unit: Unit, in_doubt: bool) -> int:
    """The well-founded model of a component that recurses through negation (semantics S4.1).

    Two estimates are narrowed by a few alternations; what they leave open is grounded and settled by counters. Then
    each estimate is evaluated once more against the other, which gives every row its clause and round.
    """
    base = {key: definite.space.relations[key] for key in unit.keys}
    _narrow(definite, unit, base)
    settled = Residual(definite, definite.swapped(), unit.keys, in_doubt)
    settled.ground(unit.clauses)
    for key, row, holds in settled.settle():
        if not holds:
            definite.other.relations[key].rows.pop(row, None)
    definite.space.relations.update({key: relation.copy() for key, relation in base.items()})
    for key in unit.keys:
        definite.other.relations[key].indexes.clear()
    last = _component(definite, unit.rules, unit)
    _possible(definite, unit, last, barring=False)
    for key, rows in refuted(definite.space, unit).items():
        kept = definite.space.relations[key].rows
        relation = definite.other.relations[key]
        relation.rows = {row: code for row, code in relation.rows.items() if row in kept or row not in rows}
        relation.indexes.clear()
    _agreed(definite, unit)
    return last


def _narrow(definite: Environment, unit: Unit, base: Mapping[str, Relation]) -> None:
    """A definite estimate that holds for certain, and a possible one that holds all that could."""
    positive = tuple(pair for pair in unit.rules if not any(reads_of(each, unit.keys) for each in pair[1].rule.body))
    definite.space.relations.update({key: relation.copy() for key, relation in base.items()})
    last = _component(definite, positive, unit)
    for _ in range(_ALTERNATIONS):
        _possible(definite, unit, last, barring=False)
        before = _size(definite, unit)
        last = _further(definite, unit.rules, unit, last)
        if _size(definite, unit) == before:
            break


def _size(environment: Environment, unit: Unit) -> int:
    return sum(len(environment.space.relations[key].rows) for key in unit.keys)


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


Rules = tuple[tuple[int, CompiledRule], ...]
Reader = tuple[int, CompiledRule, int | None, str]
"""A rule by number, the literal of its body that reads only the delta (None: it runs whole), and the key it reads."""


def _component(environment: Environment, rules: Rules, unit: Unit) -> int:
    """Run rules of one component to their fixpoint; the number of rounds in which something was derived."""
    pending: Pending = {}
    for number, compiled in rules:
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
    return _rounds(environment, _recursive(rules, unit), delta, rounds, 1)


def _further(environment: Environment, rules: Rules, unit: Unit, last: int) -> int:
    """The same from rows that are there already, of rounds up to `last`; the last round that derived something."""
    pending: Pending = {}
    for number, compiled in rules:
        _derive(environment, compiled, (last + 1) * CLAUSES + number, None, None, pending)
    delta = _commit(environment, pending)
    return _rounds(environment, _recursive(rules, unit), delta, last + 1 if delta else last, last + 1)


def _recursive(rules: Rules, unit: Unit) -> list[Reader]:
    """The reads of the component that a new row can make true: the positive ones, and those under an even number of
    negations, for which the whole rule runs again."""
    readers: list[Reader] = [
        (number, compiled, i, key) for number, compiled in rules for i, key in compiled.positive if key in unit.keys
    ]
    for number, compiled in rules if unit.clauses else ():
        keys = {key for each in compiled.rule.body for key in _twice_denied(each) if key in unit.keys}
        readers += [(number, compiled, None, key) for key in sorted(keys)]
    return readers


def _twice_denied(literal: Literal, depth: int = 0) -> Iterator[str]:
    if isinstance(literal, Not):
        for inner in literal.body:
            yield from _twice_denied(inner, depth + 1)
    elif isinstance(literal, Match) and depth and depth % 2 == 0:
        yield literal.key


def _rounds(
    environment: Environment,
    recursive: list[Reader],
    delta: dict[str, Iterable[Ids]],
    last: int,
    number_of_round: int,
) -> int:
    """Rounds after `number_of_round`, which derived `delta`, until one derives nothing; the last that did."""
    bound: dict[tuple[int, int], Callable[..., None]] = {}
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
    if compiled.rule.key in environment.barred:
        new.difference_update(environment.barred[compiled.rule.key])
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
