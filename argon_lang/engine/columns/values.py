"""Expressions over columns: once for each combination of values that occurs, or at once where all are plain numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from argon_lang.engine.columns.frames import Frame, Part
from argon_lang.engine.columns.packing import Column, Groups, Layout, Mask, groups
from argon_lang.engine.compiled import Environment
from argon_lang.engine.executors import Outgrown
from argon_lang.engine.exprs import Run
from argon_lang.ir.rules import Const, Term
from argon_lang.ir.values import Value

_EXACT = 1 << 61
"""Whole numbers below this, of either sign, are computed with as machine words."""
COMPARISONS: dict[str, Callable[[Any, Any], Mask]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_PACE = 512


@dataclass(frozen=True, slots=True)
class _Whole:
    """Which values are whole numbers of moderate size, and these, by number."""

    plain: Mask
    whole: Column


_NONE_YET = _Whole(np.zeros(0, np.bool_), np.zeros(0, np.int64))


@dataclass(frozen=True, slots=True)
class Values:
    """What the operators of one component share: how values are numbered, and which of them are whole numbers."""

    environment: Environment
    layout: Layout

    def tick(self) -> None:
        """Ask the governor."""
        self.environment.context.governor.tick()

    def number(self, value: Value) -> int:
        """The number of a value. Raises `Outgrown`."""
        number = self.environment.interner.intern(value)
        if number >> self.layout.bits:
            raise Outgrown
        return number

    def part(self, term: Term) -> Part:
        """A term as operators take it. Raises `Outgrown`."""
        return self.number(term.value) if isinstance(term, Const) else term.name

    def numbers(self, found: Iterable[Value]) -> Column:
        """The numbers of values. Raises `Outgrown`."""
        intern = self.environment.interner.intern
        numbers = np.fromiter(map(intern, found), np.int64)
        if len(numbers) and int(numbers.max()) >> self.layout.bits:
            raise Outgrown
        return numbers

    def whole(self, numbers: Column) -> Column | None:
        """The values behind numbers where all are whole numbers of moderate size, else None."""
        interner = self.environment.interner
        known = interner.beside if isinstance(interner.beside, _Whole) else _NONE_YET
        if len(known.plain) < len(interner.values):
            known = interner.beside = _learned(known, interner.values[len(known.plain) :])
        return known.whole[numbers] if known.plain[numbers].all() else None

    def grouped(self, frame: Frame, names: Sequence[str]) -> Groups:
        """The combinations of values that some variables have in a frame."""
        return groups(self.layout, [frame.columns[name] for name in names], frame.size)

    def evaluated(self, run: Run, params: Sequence[str], frame: Frame) -> tuple[list[Any], Column]:
        """What an expression yields: for each combination of its parameters, and which one each substitution has."""
        found = self.grouped(frame, params)
        context, values = self.environment.context, self.environment.interner.values
        columns = [frame.columns[name][found.first].tolist() for name in params]
        rows: Iterable[tuple[int, ...]] = zip(*columns, strict=True) if columns else [()]
        return [run(context, 0, *[values[n] for n in row]) for row in self.paced(rows)], found.group

    def paced(self, rows: Iterable[Any]) -> Iterable[Any]:
        """The same, the governor being asked now and then."""
        for at, row in enumerate(rows):
            if not at % _PACE:
                self.tick()
            yield row


def _learned(known: _Whole, added: list[Value]) -> _Whole:
    plain = [type(value) is int and -_EXACT < value < _EXACT for value in added]
    whole = [value if fits else 0 for value, fits in zip(added, plain, strict=True)]
    return _Whole(
        np.concatenate((known.plain, np.array(plain, np.bool_))),
        np.concatenate((known.whole, np.array(whole, np.int64))),
    )


def folded(op: str, values: Column, group: Column, count: int) -> tuple[npt.NDArray[np.int64], Mask] | None:
    """An aggregate of whole numbers by groups, and which groups have a value of it; None where words do not do."""
    sizes = np.bincount(group, minlength=count)
    if op == "sum":
        largest = int(np.abs(values).max(initial=0))
        if largest * max(int(sizes.max(initial=0)), 1) >= _EXACT:
            return None
        sums = np.zeros(count, np.int64)
        np.add.at(sums, group, values)
        return sums, sizes > 0
    if op in ("min", "max"):
        limit = _EXACT if op == "min" else -_EXACT
        found = np.full(count, limit, np.int64)
        (np.minimum if op == "min" else np.maximum).at(found, group, values)
        return found, sizes > 0
    return None
