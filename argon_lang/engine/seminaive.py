"""Semi-naive evaluation of the rules of one component, round by round, in whichever executor fits.

Round 1 runs the rules that read none of the component's keys; each later round runs every recursive rule once per
recursive literal, that literal reading only the rows of the round before (the delta). All rules of a round see the same
rows, so a row's round is the height of its lowest derivation; of several rules that derive it in one round the one with
the least number gets the credit. Neither depends on the order of rules or facts, or on the executor.

Semi-naive evaluation: Bancilhon 1986; keeping the height as provenance: Zhao, Subotić, Scholz, TOPLAS 2020.
"""

from __future__ import annotations

from collections.abc import Iterator

from argon_lang.engine.compiled import CompiledRule, Environment
from argon_lang.engine.executors import Runner
from argon_lang.engine.program import Unit
from argon_lang.engine.relations import CLAUSES
from argon_lang.ir.rules import Literal, Match, Not

Rules = tuple[tuple[int, CompiledRule], ...]
Reader = tuple[int, CompiledRule, int | None, str]
"""A rule by number, the literal of its body that reads only the delta (None: it runs whole), and the key it reads."""


def component(environment: Environment, rules: Rules, unit: Unit) -> int:
    """Run rules of one component to their fixpoint; the number of rounds in which something was derived."""
    runner = Runner(environment, unit, [compiled for _, compiled in rules])
    first = [each for each in rules if not any(key in unit.keys for _, key in each[1].positive)]
    derived = runner.round((compiled, CLAUSES + number, None, "") for number, compiled in first)
    last = 1 if derived else 0
    if unit.recursive:
        last = _rounds(environment, runner, _recursive(rules, unit), runner.restart(unit.keys), last, 1)
    runner.finish()
    return last


def further(environment: Environment, rules: Rules, unit: Unit, last: int) -> int:
    """The same from rows that are there already, of rounds up to `last`; the last round that derived something."""
    runner = Runner(environment, unit, [compiled for _, compiled in rules])
    code = (last + 1) * CLAUSES
    derived = runner.round((compiled, code + number, None, "") for number, compiled in rules)
    return _rounds(environment, runner, _recursive(rules, unit), derived, last + 1 if derived else last, last + 1)


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
    environment: Environment, runner: Runner, recursive: list[Reader], derived: dict[str, int], last: int, number: int
) -> int:
    """Rounds after round `number`, which derived so many rows by key, until one derives nothing; the last that did."""
    while derived:
        number += 1
        environment.context.governor.round(number)
        code = number * CLAUSES
        readers = [each for each in recursive if each[3] in derived]
        derived = runner.round((compiled, code + clause, first, key) for clause, compiled, first, key in readers)
        if derived:
            last = number
    return last
