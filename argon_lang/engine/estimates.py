"""The two estimates of a component: what is definite and what is possible (semantics S4.1, S4.2).

Most components read nothing in doubt and have one. Where they differ, the possible estimate keeps all rows of the key
beside the definite ones. A component that recurses through negation has the well-founded model: Van Gelder, Ross,
Schlipf 1991; the alternating estimates: Van Gelder 1989.
"""

from __future__ import annotations

from collections.abc import Mapping

from argon_lang.engine.compiled import Environment
from argon_lang.engine.program import Unit
from argon_lang.engine.relations import Ids, Relation, Space
from argon_lang.engine.residual import Residual, reads_of
from argon_lang.engine.seminaive import component, further
from argon_lang.ir.names import negative_key

Barred = Mapping[str, Mapping[Ids, int]]
"""Rows by key that no rule may add to the possible estimate."""


def estimates(environment: Environment, unit: Unit) -> int:
    """Evaluate a component: once where nothing is in doubt, else the definite estimate and the possible one."""
    in_doubt = not environment.other.relations.keys().isdisjoint(unit.reads)
    if unit.clauses:
        return _well_founded(environment, unit, in_doubt)
    if not in_doubt and not unit.open:
        return component(environment.settled(), unit.rules, unit)
    last = _possible(environment, unit, component(environment, unit.rules, unit), refuted(environment.space, unit))
    _agreed(environment, unit)
    return last


def _possible(definite: Environment, unit: Unit, last: int, barred: Barred) -> int:
    """The possible estimate, starting from the definite one, whose last round was `last`; its last round."""
    possible = definite.swapped()
    possible.barred = barred
    for key in unit.keys:
        possible.space.relations[key] = definite.space.relations[key].copy()
    return further(possible, (*unit.rules, *unit.open), unit, last)


def refuted(space: Space, unit: Unit) -> Barred:
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

    What is refuted is barred from the possible estimate, unless the rules derive it all the same: then it is Both, the
    bar on it falls, and the model is made anew.
    """
    base = {key: definite.space.relations[key] for key in unit.keys}
    barred = refuted(definite.space, unit)
    while True:
        last = _model(definite, unit, in_doubt, base, barred)
        derived = {key: rows.keys() & definite.space.rows(key).keys() for key, rows in barred.items()}
        if not any(derived.values()):
            break
        barred = {key: {row: 0 for row in rows if row not in derived[key]} for key, rows in barred.items()}
    for key, rows in refuted(definite.space, unit).items():
        _without(definite, key, rows)
    _agreed(definite, unit)
    return last


def _without(definite: Environment, key: str, rows: Mapping[Ids, int]) -> None:
    """Take refuted rows from the possible estimate that are not definite."""
    held, relation = definite.space.rows(key), definite.other.relations[key]
    relation.rows = {row: code for row, code in relation.rows.items() if row in held or row not in rows}
    relation.indexes.clear()


def _model(definite: Environment, unit: Unit, in_doubt: bool, base: Mapping[str, Relation], barred: Barred) -> int:
    """Both estimates of a component; the last round.

    They are narrowed by a few alternations; what these leave open is grounded and settled by counters. Then each is
    evaluated once more against the other, which gives every row its clause and round.
    """
    _narrow(definite, unit, base, barred)
    residual = Residual(definite, definite.swapped(), unit.keys, in_doubt)
    residual.ground(unit.clauses)
    for key, row, holds in residual.settle():
        if not holds:
            definite.other.relations[key].rows.pop(row, None)
    definite.space.relations.update({key: relation.copy() for key, relation in base.items()})
    for key in unit.keys:
        definite.other.relations[key].indexes.clear()
    return _possible(definite, unit, component(definite, unit.rules, unit), barred)


def _narrow(definite: Environment, unit: Unit, base: Mapping[str, Relation], barred: Barred) -> None:
    """A definite estimate that holds for certain, and a possible one that holds all that could."""
    positive = tuple(pair for pair in unit.rules if not any(reads_of(each, unit.keys) for each in pair[1].rule.body))
    definite.space.relations.update({key: relation.copy() for key, relation in base.items()})
    last = component(definite, positive, unit)
    for _ in range(_ALTERNATIONS):
        _possible(definite, unit, last, barred)
        before = _size(definite, unit)
        last = further(definite, unit.rules, unit, last)
        if _size(definite, unit) == before:
            break


def _size(environment: Environment, unit: Unit) -> int:
    return sum(len(environment.space.relations[key].rows) for key in unit.keys)
