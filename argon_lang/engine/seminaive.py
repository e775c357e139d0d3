"""Semi-naive evaluation of the rules of one component, tuple at a time.

Round 1 runs the rules that read none of the component's keys; each later round runs every recursive rule once per
recursive literal, that literal reading only the rows of the round before (the delta). All rules of a round see the same
rows, so a row's round is the height of its lowest derivation; of several rules that derive it in one round the one with
the least number gets the credit. Neither depends on the order of rules or facts.

Semi-naive evaluation: Bancilhon 1986; keeping the height as provenance: Zhao, Subotić, Scholz, TOPLAS 2020.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from argon_lang.engine.compiled import CompiledRule, Environment, naming
from argon_lang.engine.program import Unit
from argon_lang.engine.relations import CLAUSES, Ids
from argon_lang.ir.rules import Literal, Match, Not

Pending = dict[str, dict[Ids, int]]
Rules = tuple[tuple[int, CompiledRule], ...]
Reader = tuple[int, CompiledRule, int | None, str]
"""A rule by number, the literal of its body that reads only the delta (None: it runs whole), and the key it reads."""


def component(environment: Environment, rules: Rules, unit: Unit) -> int:
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


def further(environment: Environment, rules: Rules, unit: Unit, last: int) -> int:
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
    label = (id(compiled), -1 if first is None else first)
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
            environment.space.relations[key].extend(rows, environment.context.governor.tick)
            delta[key] = rows
    return delta
