"""What stands inside a negation or an aggregate, once for each combination of values that it takes from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from argon_lang.engine.aggregates import folding
from argon_lang.engine.columns.frames import Frame, Part, equal, only, parts_of
from argon_lang.engine.columns.packing import Column, Groups, Mask, groups
from argon_lang.engine.columns.values import Values, folded
from argon_lang.ir.rules import Aggregate
from argon_lang.ir.values import Value

_NONE = -1


@dataclass(frozen=True, slots=True)
class Ranging:
    """The body inside: `inner` runs it from a frame of the variables `shared` and of `group`, which it hands on.

    `ranged` is what an aggregate ranges over, its value last; `literal` is that aggregate. `complete`: no variable of
    the body is left out of it, so that no row comes twice.
    """

    values: Values
    inner: Callable[[Frame], Iterator[Frame]]
    shared: tuple[str, ...]
    group: str
    ranged: tuple[Part, ...]
    complete: bool
    literal: Aggregate | None
    needed: frozenset[str]

    def _start(self, frame: Frame) -> tuple[Groups, Frame]:
        found = self.values.grouped(frame, self.shared)
        columns = {name: frame.columns[name][found.first] for name in self.shared}
        columns[self.group] = np.arange(found.count, dtype=np.int64)
        return found, Frame(columns, found.count)

    def absent(self, frame: Frame) -> Iterator[Frame]:
        """The substitutions for which the body has no solution."""
        found, start = self._start(frame)
        empty = np.ones(found.count, np.bool_)
        for part in self.inner(start):
            empty[part.columns[self.group]] = False
        yield only(frame.where(empty[found.group]), self.needed)

    def folded(self, frame: Frame, known: bool) -> Iterator[Frame]:
        """The substitutions with the aggregate's value; `known`: with the value that its variable has already."""
        if self.literal is None:
            raise TypeError("a negation has no value")
        found, start = self._start(frame)
        group, numbers = self._distinct(start)
        value = self._value(self.literal, group, numbers, found.count)[found.group]
        name = "@value" if known else self.literal.var
        made = frame.but({name: value}).where(value != _NONE)
        yield only(equal(made, ((name, self.literal.var),) if known else ()), self.needed)

    def _distinct(self, start: Frame) -> tuple[Column, Column]:
        """The group and the value of each distinct row that is ranged over."""
        batches: list[list[Column]] = []
        for part in self.inner(start):
            parts = parts_of(part, (self.group, *self.ranged))
            batches.append([np.full(part.size, p, np.int64) if isinstance(p, int) else p for p in parts])
        if not batches:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        columns = [np.concatenate(each) for each in zip(*batches, strict=True)]
        if self.complete:
            return columns[0], columns[-1]
        rows = groups(self.values.layout, columns, len(columns[0])).first
        return columns[0][rows], columns[-1][rows]

    def _value(self, literal: Aggregate, group: Column, numbers: Column, count: int) -> Column:
        """The number of each group's value, `_NONE` where it has none."""
        if literal.op == "count":
            return self._numbered(np.bincount(group, minlength=count), np.ones(count, np.bool_))
        whole = self.values.whole(numbers)
        made = folded(literal.op, whole, group, count) if whole is not None else None
        if made is None:
            return self._by_hand(literal, group, numbers, count)
        value = self._numbered(*made)
        nothing = folding(literal.op, literal.type)([])
        if nothing is not None:
            value[~made[1]] = self.values.number(nothing)
        return value

    def _numbered(self, whole: Column, there: Mask) -> Column:
        """The numbers of whole numbers."""
        different, which = np.unique(whole[there], return_inverse=True)
        numbers = np.full(len(whole), _NONE, np.int64)
        numbers[there] = self.values.numbers(different.tolist())[which]
        return numbers

    def _by_hand(self, literal: Aggregate, group: Column, numbers: Column, count: int) -> Column:
        """The values of all groups, one by one."""
        fold, values = folding(literal.op, literal.type), self.values.environment.interner.values
        order = np.argsort(group, kind="stable")
        ends = np.cumsum(np.bincount(group, minlength=count)).tolist()
        ordered, found, begin = numbers[order].tolist(), np.full(count, _NONE, np.int64), 0
        made: list[tuple[int, Any]] = []
        for at, end in self.values.paced(enumerate(ends)):
            value: Value | None = fold([values[number] for number in ordered[begin:end]])
            begin = end
            if value is not None:
                made.append((at, value))
        found[[at for at, _ in made]] = self.values.numbers(value for _, value in made)
        return found
