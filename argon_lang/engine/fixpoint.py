"""Stratified semi-naive evaluation, tuple at a time, with clause and round of each row's first derivation.

Components run in order. In a component, round 1 runs the rules that read none of its keys; each later round runs every
recursive rule once per recursive literal, that literal reading only the rows of the round before (the delta). All rules
of a round see the same rows, so a row's round is the height of its lowest derivation; of several rules that derive it
in one round the one with the least number gets the credit. Neither depends on the order of rules or facts.

Semi-naive evaluation: Bancilhon 1986; keeping the height as provenance: Zhao, Subotić, Scholz, TOPLAS 2020.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from argon_lang.engine.compiled import CompiledRule, Environment
from argon_lang.engine.program import CompiledProgram, Unit
from argon_lang.engine.relations import CLAUSES, Ids
from argon_lang.errors import ArgonError
from argon_lang.ir.values import Row
from argon_lang.problems import args

Facts = Mapping[str, Iterable[Row]]
Pending = dict[str, dict[Ids, int]]


def load(environment: Environment, program: CompiledProgram, facts: Facts) -> None:
    """Number the base rows. Raises `ARGON_RUNTIME_INTERNAL` for a row of the wrong width."""
    intern = environment.interner.intern
    for key, rows in facts.items():
        numbered = {tuple(map(intern, row)): 0 for row in rows}
        if numbered:
            widths = {len(row) for row in numbered}
            shape = program.shapes.get(key)
            arity = len(shape.columns) if shape is not None else min(widths)
            if widths != {arity}:
                raise ArgonError("ARGON_RUNTIME_INTERNAL", args(found=f"rows of {key} have {sorted(widths)} columns"))
            environment.space.relation(key, arity).rows = numbered


def run(environment: Environment, program: CompiledProgram) -> dict[str, int]:
    """Evaluate all components. Returns the base rank of each derived key: a row's rank is that plus its round."""
    base = 0
    bases: dict[str, int] = {}
    for unit in program.units:
        environment.context.governor.tick()
        for key in unit.keys:
            bases[key] = base
            environment.space.relation(key, _arity(unit, key))
        base += _component(environment, unit)
    return bases


def _arity(unit: Unit, key: str) -> int:
    return next(len(compiled.rule.terms) for _, compiled in unit.rules if compiled.rule.key == key)


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
