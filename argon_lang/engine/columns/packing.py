"""Rows of numbers packed into one machine word each, and what is done with such words.

A layout gives every column the same number of bits, enough for all values that are numbered, so a row's word compares
as the row does: column by column from the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[np.int64]
"""Numbers of values, packed rows, or positions."""
Mask = npt.NDArray[np.bool_]
WORD = 62
"""The bits of a word that rows may take: it stays positive, and one more than the last is a word too."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How many `bits` a column takes."""

    bits: int

    def fits(self, columns: int) -> bool:
        """Is a row of so many columns one word?"""
        return columns * self.bits <= WORD

    def pack(self, parts: Sequence[Column | int], size: int) -> Column:
        """`size` rows as words; a part is a column, or the one value of a column."""
        if not parts:
            return np.zeros(size, np.int64)
        first = parts[0]
        words = np.full(size, first, np.int64) if isinstance(first, int) else first
        for part in parts[1:]:
            words = (words << self.bits) | part
        return words

    def column(self, words: Column, arity: int, at: int) -> Column:
        """One column of packed rows."""
        shifted = words >> (self.bits * (arity - 1 - at)) if at < arity - 1 else words
        return shifted & ((1 << self.bits) - 1) if at else shifted

    def unpack(self, words: Column, arity: int) -> list[Column]:
        """The columns of packed rows."""
        return [self.column(words, arity, at) for at in range(arity)]

    def permuted(self, words: Column, order: Sequence[int]) -> Column:
        """Packed rows with their columns in another order."""
        return self.pack([self.column(words, len(order), at) for at in order], len(words))


def distinct(words: Column) -> Column:
    """The same words, sorted, each once."""
    if len(words) < 2:
        return words
    ordered = np.sort(words)
    first = np.empty(len(ordered), np.bool_)
    first[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


def found_in(ordered: Column, words: Column) -> Mask:
    """Which of the words are among the `ordered` ones?"""
    if not len(ordered):
        return np.zeros(len(words), np.bool_)
    at = np.searchsorted(ordered, words)
    at[at == len(ordered)] = 0
    found: Mask = ordered[at] == words
    return found


@dataclass(frozen=True, slots=True)
class Groups:
    """Rows that agree in some columns: `first` has a row of each group, `group` the group of each row."""

    first: Column
    group: Column

    @property
    def count(self) -> int:
        """How many groups there are."""
        return len(self.first)


def groups(layout: Layout, columns: Sequence[Column], size: int) -> Groups:
    """Group rows by columns, of which the first may be of larger numbers; those of no column are one group."""
    if not columns or not size:
        return Groups(np.zeros(min(size, 1), np.int64), np.zeros(size, np.int64))
    words, used = columns[0], int(columns[0].max()).bit_length()
    for column in columns[1:]:
        if used + layout.bits > WORD:
            ranked, words = np.unique(words, return_inverse=True)
            used = len(ranked).bit_length()
        words, used = (words << layout.bits) | column, used + layout.bits
    _, first, group = np.unique(words, return_index=True, return_inverse=True)
    return Groups(first, group)
