"""Base facts as numbered rows, and how they differ from those of an earlier run.

Rows are compared by identity, which costs little: whoever evaluates again hands in the same row objects.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Mapping
from typing import Protocol

from argon_lang.engine.compiled import Environment
from argon_lang.engine.governor import PACE, paced
from argon_lang.engine.maintain import Delta
from argon_lang.engine.program import CompiledProgram
from argon_lang.engine.relations import Ids, Relation
from argon_lang.errors import ArgonError
from argon_lang.ir.values import Row
from argon_lang.problems import args

Inputs = dict[str, tuple[Row, ...]]


class Loaded(Protocol):
    """What an earlier run tells of its base rows."""

    @property
    def inputs(self) -> Inputs:
        """The base rows as given."""

    @property
    def relations(self) -> Mapping[str, Relation]:
        """All rows."""


def load(
    environment: Environment, program: CompiledProgram, inputs: Inputs, earlier: Loaded | None
) -> dict[str, Delta]:
    """Number the base rows; what differs by key. Rows that did not change keep their indexes.

    Raises `ARGON_RUNTIME_INTERNAL` for a row of the wrong width.
    """
    deltas: dict[str, Delta] = {}
    known = dict(earlier.inputs) if earlier is not None else {}
    for key in known.keys() | inputs.keys():
        rows, before = inputs.get(key, ()), known.get(key, ())
        relation = earlier.relations.get(key) if earlier is not None else None
        same = rows is before or (len(before) == len(rows) and all(map(operator.is_, before, rows)))
        if key in program.derived:
            _number(environment, program, key, rows)
            if not same:
                deltas[key] = Delta()
        elif earlier is None:
            _number(environment, program, key, rows)
        elif same and relation is not None:
            environment.space.relations[key] = relation
        elif relation is not None and len(relation) == len(before):
            _load_changes(environment, program, key, relation, before, rows, deltas)
        else:
            _load_anew(environment, program, key, relation, rows, deltas)
    for unit in program.units:
        for key in unit.keys:
            environment.space.relation(key, unit.arities[key])
    return deltas


def _load_changes(
    environment: Environment,
    program: CompiledProgram,
    key: str,
    relation: Relation,
    before: tuple[Row, ...],
    rows: tuple[Row, ...],
    deltas: dict[str, Delta],
) -> None:
    """Load the rows of a key of which some are other ones than in the earlier `relation`."""
    start = _alike(before, rows)
    end = _alike(reversed(before), reversed(rows), min(len(before), len(rows)) - start)
    inner = (each[start : len(each) - end] for each in (before, rows))
    then, now = (dict(zip(map(id, part), part, strict=True)) for part in inner)
    came = _numbers(environment, [now[each] for each in now.keys() - then.keys()])
    gone = _numbers(environment, [then[each] for each in then.keys() - now.keys()])
    delta = Delta(came - gone, gone - came)
    if not delta and len(relation) == len(rows):
        environment.space.relations[key] = relation
        return
    deltas[key] = delta
    draft = _draft(relation, delta) if len(delta) * _SHARE <= len(rows) else None
    if draft is not None and len(draft) == len(rows):
        environment.space.relations[key] = draft
    else:
        _load_anew(environment, program, key, relation, rows, deltas)


def _load_anew(
    environment: Environment,
    program: CompiledProgram,
    key: str,
    relation: Relation | None,
    rows: tuple[Row, ...],
    deltas: dict[str, Delta],
) -> None:
    """Number all rows of a key; `relation` has those of the earlier run."""
    _number(environment, program, key, rows)
    loaded, known = environment.space.rows(key), relation.rows if relation is not None else {}
    if loaded.keys() != known.keys():
        deltas[key] = Delta(loaded.keys() - known.keys(), known.keys() - loaded.keys())


def _alike(left: Iterable[Row], right: Iterable[Row], most: int | None = None) -> int:
    """How many rows at the beginning, `most` of them at most, are the same objects."""
    same, found = itertools.islice(map(operator.is_, left, right), most), 0
    while part := list(itertools.islice(same, PACE)):
        if False in part:
            return found + part.index(False)
        found += len(part)
    return found


_SHARE = 4


def _draft(relation: Relation, delta: Delta) -> Relation | None:
    """The relation with the changes made; None where rows would have the wrong width."""
    if any(len(row) != relation.arity for row in delta.added):
        return None
    draft = relation.draft()
    for row in delta.removed:
        draft.drop(row)
    for row in delta.added:
        draft.put(row, 0)
    return draft


def _numbers(environment: Environment, rows: Iterable[Row]) -> set[Ids]:
    intern = environment.interner.intern
    return {tuple(map(intern, row)) for row in paced(environment.context.governor.tick, rows)}


def _number(environment: Environment, program: CompiledProgram, key: str, rows: tuple[Row, ...]) -> None:
    """Number all rows of a key, and let that be its relation."""
    widths = set(map(len, rows))
    shape = program.shapes.get(key)
    arity = len(shape.columns) if shape is not None else min(widths, default=0)
    if widths - {arity}:
        raise ArgonError("ARGON_RUNTIME_INTERNAL", args(found=f"rows of {key} have {sorted(widths)} columns"))
    if not rows:
        return
    tick, many = environment.context.governor.tick, environment.interner.many
    numbers: list[list[int]] = [[] for _ in range(arity)]
    for begin in range(0, len(rows), PACE) if arity else ():
        tick()
        for numbered, column in zip(numbers, zip(*rows[begin : begin + PACE], strict=True), strict=True):
            numbered += many(column)
    environment.space.relation(key, arity).load(numbers, tick)
