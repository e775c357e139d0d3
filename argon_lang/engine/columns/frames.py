"""Substitutions of a body's variables, many at a time, and the operators that take them from literal to literal.

An operator makes frames of a frame: a filter one, a join one for every so many rows. So no frame is ever much larger
than `CHUNK`, whatever a join comes to, and the governor is asked between any two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from argon_lang.engine.columns.packing import Column, Layout, Mask, distinct
from argon_lang.engine.columns.table import Run, Table
from argon_lang.engine.relations import Ids

CHUNK = 1 << 19
_WORTH_REDUCING = 2_000


@dataclass(frozen=True, slots=True)
class Frame:
    """`size` substitutions: a column of numbers for each variable that is still needed."""

    columns: dict[str, Column]
    size: int

    def where(self, mask: Mask) -> Frame:
        """Those for which the mask has true."""
        left = int(np.count_nonzero(mask))
        if left == self.size:
            return self
        return Frame({name: column[mask] for name, column in self.columns.items()}, left)

    def but(self, more: Mapping[str, Column]) -> Frame:
        """The same with columns added."""
        return Frame({**self.columns, **more}, self.size)

    def reduced(self, layout: Layout) -> Frame:
        """Each substitution once, in order, where that can be told from one word."""
        if self.size < _WORTH_REDUCING or not self.columns or not layout.fits(len(self.columns)):
            return self
        names = list(self.columns)
        words = distinct(layout.pack([self.columns[name] for name in names], self.size))
        if len(words) == self.size:
            return self
        return Frame(dict(zip(names, layout.unpack(words, len(names)), strict=True)), len(words))


Operator = Callable[[Frame], Iterable[Frame]]
Part = str | int
"""A variable, or the number of a constant."""
NOTHING = Frame({}, 1)
"""The one substitution of no variable."""


def parts_of(frame: Frame, parts: Sequence[Part]) -> list[Column | int]:
    """What a frame has for variables and constants."""
    return [frame.columns[part] if isinstance(part, str) else part for part in parts]


def equal(frame: Frame, pairs: Iterable[tuple[str, Part]]) -> Frame:
    """The substitutions in which each pair is equal."""
    for name, other in pairs:
        right = frame.columns[other] if isinstance(other, str) else other
        frame = frame.where(frame.columns[name] == right)
    return frame


def only(frame: Frame, needed: frozenset[str]) -> Frame:
    """Without the columns that nobody reads."""
    if frame.columns.keys() <= needed:
        return frame
    return Frame({name: column for name, column in frame.columns.items() if name in needed}, frame.size)


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading a row gives: `binds` the places and variables of free columns, `equal` what these must equal.

    `needed` are the variables that are read later, `carried` those and what is compared. `reduce`: others are dropped
    here, so that substitutions may repeat.
    """

    binds: tuple[tuple[int, str], ...]
    equal: tuple[tuple[str, Part], ...]
    needed: frozenset[str]
    carried: frozenset[str]
    reduce: bool

    def finish(self, layout: Layout, frame: Frame) -> Frame:
        """Apply conditions to rows that were read, and drop what is not needed."""
        frame = only(equal(frame, self.equal), self.needed)
        return frame.reduced(layout) if self.reduce else frame


def scanned(table: Table, reading: Reading, words: Column) -> Iterator[Frame]:
    """Packed rows as frames."""
    layout, arity = table.layout, table.arity
    for begin in range(0, len(words), CHUNK):
        part = words[begin : begin + CHUNK]
        columns = {name: layout.column(part, arity, at) for at, name in reading.binds}
        yield reading.finish(layout, Frame(columns, len(part)))


@dataclass(frozen=True, slots=True)
class Join:
    """Each substitution with each row of `table` that has the values `keys` in the columns `known`."""

    table: Table
    known: Ids
    keys: tuple[Part, ...]
    reading: Reading

    def __call__(self, frame: Frame) -> Iterator[Frame]:
        """The substitutions that come of it."""
        table, layout = self.table, self.table.layout
        if not self.known and frame is NOTHING:
            yield from scanned(table, self.reading, table.words())
            return
        rest = tuple(at for at in range(table.arity) if at not in self.known)
        bits = (layout.bits * len(self.known), layout.bits * len(rest))
        prefixes = layout.pack(parts_of(frame, self.keys), frame.size)
        runs = table.order((*self.known, *rest)).runs
        parts = (part for run in runs for part in self._rows(frame, run, rest, *run.bounds(prefixes, *bits)))
        for part in parts if len(runs) == 1 else _merged(parts):
            yield self.reading.finish(layout, part)

    def _rows(self, frame: Frame, run: Run, rest: Ids, begin: Column, end: Column) -> Iterator[Frame]:
        layout, arity, known = self.table.layout, self.table.arity, len(self.known)
        for part, words in spread(only(frame, self.reading.carried), run.words, begin, end - begin):
            read = {name: layout.column(words, arity, known + rest.index(at)) for at, name in self.reading.binds}
            yield part.but(read)


def spread(frame: Frame, source: Column, begin: Column, counts: Column) -> Iterator[tuple[Frame, Column]]:
    """Each substitution with each of so many elements of `source` from a place on: frames, and the elements in them."""
    for rows, many, starts in _portions(begin, counts):
        size = int(many.sum())
        places = np.repeat(starts - (np.cumsum(many) - many), many)
        places += np.arange(size, dtype=np.int64)
        columns = {name: np.repeat(column[rows], many) for name, column in frame.columns.items()}
        yield Frame(columns, size), source[places]


def _portions(begin: Column, counts: Column) -> Iterator[tuple[slice, Column, Column]]:
    """Split so many rows from each place on into portions of `CHUNK`: which substitutions, how many, from where."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    if total <= CHUNK:
        if total:
            yield slice(0, len(counts)), counts, begin
        return
    for low in range(0, total, CHUNK):
        high = min(low + CHUNK, total)
        rows = slice(int(np.searchsorted(ends, low, "right")), int(np.searchsorted(ends, high, "left")) + 1)
        first = ends[rows] - counts[rows]
        since = np.maximum(first, low)
        yield rows, np.minimum(ends[rows], high) - since, begin[rows] + (since - first)


def _merged(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Small frames put together."""
    held: list[Frame] = []
    for frame in frames:
        held.append(frame)
        if sum(each.size for each in held) >= CHUNK:
            yield together(held)
            held = []
    if held:
        yield together(held)


def together(frames: Sequence[Frame]) -> Frame:
    """Frames of the same variables as one."""
    if len(frames) == 1:
        return frames[0]
    columns = {name: np.concatenate([frame.columns[name] for frame in frames]) for name in frames[0].columns}
    return Frame(columns, sum(frame.size for frame in frames))


@dataclass(frozen=True, slots=True)
class Existing:
    """The substitutions for which `table` has a row, or has none, with the values `keys` in the columns `known`."""

    table: Table
    known: Ids
    keys: tuple[Part, ...]
    wanted: bool
    needed: frozenset[str]

    def __call__(self, frame: Frame) -> Iterator[Frame]:
        """Those left."""
        if not self.known or not self.table.count:
            if bool(self.table.count) == self.wanted:
                yield only(frame, self.needed)
            return
        found = self.table.has(self.known, self.table.layout.pack(parts_of(frame, self.keys), frame.size))
        yield only(frame.where(found if self.wanted else ~found), self.needed)
