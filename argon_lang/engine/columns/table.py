"""A relation as packed rows, with clause and round of each, and the orders in which joins look rows up.

Rows are kept in the order in which they came, a batch with one code at a time; that is all of the provenance. An order
is a few sorted runs, merged as they grow, so that adding a round costs little (O'Neil et al. 1996, for files).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat

import numpy as np

from argon_lang.engine.columns.packing import Column, Layout, Mask, distinct, found_in
from argon_lang.engine.governor import paced
from argon_lang.engine.relations import Ids, Tick

_PLAIN_BITS = 25
"""Rows of a domain up to so many bits are marked in a byte each,"""
_DENSE_BITS = 31
"""up to so many in a bit each; beyond, they are looked up."""
_SMALL_DOMAIN = 4_096


class Run:
    """Sorted words. `bounds` finds those with a prefix, by a table of offsets once that has paid."""

    __slots__ = ("_asked", "_offsets", "words")

    def __init__(self, words: Column) -> None:
        """Wrap words that are sorted."""
        self.words = words
        self._asked = 0
        self._offsets: dict[int, Column] = {}

    def bounds(self, prefixes: Column, prefix_bits: int, rest_bits: int) -> tuple[Column, Column]:
        """Where the words with each of the prefixes begin and end."""
        if not prefix_bits:
            return np.zeros(len(prefixes), np.int64), np.full(len(prefixes), len(self.words), np.int64)
        offsets = self._offsets.get(rest_bits)
        if offsets is None:
            self._asked += len(prefixes)
            domain = 1 << prefix_bits
            if domain <= max(_SMALL_DOMAIN, 16 * len(self.words)) and domain <= 8 * self._asked:
                counts = np.bincount(self.words >> rest_bits, minlength=domain)
                offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))
                self._offsets[rest_bits] = offsets
        if offsets is not None:
            return offsets[prefixes], offsets[prefixes + 1]
        begin = np.searchsorted(self.words, prefixes << rest_bits)
        return begin, np.searchsorted(self.words, (prefixes + 1) << rest_bits)


class Order:
    """All rows with their columns in one order."""

    __slots__ = ("runs",)

    def __init__(self, words: Column) -> None:
        """Start with words that are sorted."""
        self.runs = [Run(words)] if len(words) else []

    def add(self, words: Column) -> None:
        """Add sorted words that are not there yet; runs of like size become one."""
        added = words
        while self.runs and 2 * len(added) >= len(self.runs[-1].words):
            added = np.concatenate((self.runs.pop().words, added))
            added.sort(kind="stable")
        self.runs.append(Run(added))


class _Bytes:
    """Which words of a small domain were seen."""

    __slots__ = ("_seen",)

    def __init__(self, bits: int, batches: Iterable[Column]) -> None:
        self._seen = np.zeros(1 << bits, np.bool_)
        for words in batches:
            self._seen[words] = True

    def fresh(self, words: Column) -> Column:
        new = distinct(words[~self._seen[words]])
        self._seen[new] = True
        return new


class _Bits:
    """Which words of a larger domain were seen, a bit each."""

    __slots__ = ("_seen",)

    def __init__(self, bits: int, batches: Iterable[Column]) -> None:
        self._seen = np.zeros(1 << (bits - 3), np.uint8)
        for words in batches:
            self._mark(distinct(words))

    def fresh(self, words: Column) -> Column:
        bit = np.left_shift(np.uint8(1), (words & 7).astype(np.uint8))
        new = distinct(words[(self._seen[words >> 3] & bit) == 0])
        self._mark(new)
        return new

    def _mark(self, words: Column) -> None:
        if not len(words):
            return
        places = words >> 3
        starts = np.concatenate(([0], np.flatnonzero(places[1:] != places[:-1]) + 1))
        bits = np.left_shift(np.uint8(1), (words & 7).astype(np.uint8))
        self._seen[places[starts]] |= np.bitwise_or.reduceat(bits, starts)


class _Sorted:
    """Which words were seen: those of an order, and what came since."""

    __slots__ = ("_batches", "_since", "_table")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._since = Order(np.zeros(0, np.int64))
        self._batches = 0

    def fresh(self, words: Column) -> Column:
        if self._batches != len(self._table.batches):
            self._batches, self._since = len(self._table.batches), Order(np.zeros(0, np.int64))
        new = distinct(words)
        for run in (*self._table.order(tuple(range(self._table.arity))).runs, *self._since.runs):
            new = new[~found_in(run.words, new)]
        if len(new):
            self._since.add(new)
        return new


class Table:
    """The rows of one relation under a layout. Reading is safe from several threads; adding belongs to one."""

    __slots__ = ("_orders", "_present", "_seen", "arity", "batches", "count", "layout")

    def __init__(self, layout: Layout, arity: int) -> None:
        """No rows yet. `batches` are codes (one for all, or one each) and packed rows."""
        self.layout = layout
        self.arity = arity
        self.count = 0
        self.batches: list[tuple[Column | int, Column]] = []
        self._orders: dict[Ids, Order] = {}
        self._present: dict[Ids, Mask] = {}
        self._seen: _Bytes | _Bits | _Sorted | None = None

    def __len__(self) -> int:
        """How many rows there are."""
        return self.count

    def add(self, words: Column, code: Column | int) -> None:
        """Add sorted rows that are not there yet."""
        self.batches.append((code, words))
        self.count += len(words)
        for columns, present in self._present.items():
            present[self._projected(words, columns)] = True
        for columns, order in self._orders.items():
            order.add(words if columns == tuple(range(self.arity)) else np.sort(self.layout.permuted(words, columns)))

    def distinct(self, column: int) -> int:
        """How many values a column has."""
        return len(distinct(self.layout.column(self.words(), self.arity, column)))

    def words(self) -> Column:
        """All rows, packed, in no order."""
        parts = [words for _, words in self.batches]
        return parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, np.int64), *parts])

    def order(self, columns: Ids) -> Order:
        """The rows with their columns in this order, kept from now on."""
        found = self._orders.get(columns)
        if found is None:
            words = self.words()
            plain = columns == tuple(range(self.arity))
            found = self._orders[columns] = Order(np.sort(words if plain else self.layout.permuted(words, columns)))
        return found

    def has(self, columns: Ids, wanted: Column) -> Mask:
        """For each of the packed values of `columns`: has some row these?"""
        bits = self.layout.bits * len(columns)
        present = self._present.get(columns)
        if present is None and bits <= _PLAIN_BITS and 1 << bits <= 8 * (len(wanted) + self.count):
            present = np.zeros(1 << bits, np.bool_)
            present[self._projected(self.words(), columns)] = True
            self._present[columns] = present
        if present is not None:
            return present[wanted]
        rest = tuple(at for at in range(self.arity) if at not in columns)
        found = np.zeros(len(wanted), np.bool_)
        for run in self.order((*columns, *rest)).runs:
            begin, end = run.bounds(wanted, bits, self.layout.bits * len(rest))
            found |= begin < end
        return found

    def _projected(self, words: Column, columns: Ids) -> Column:
        return self.layout.pack([self.layout.column(words, self.arity, at) for at in columns], len(words))

    def fresh(self, words: Column) -> Column:
        """Those of the words that are no row and were not asked for before, sorted, each once."""
        if self._seen is None:
            bits, batches = self.layout.bits * self.arity, [words for _, words in self.batches]
            if bits > _DENSE_BITS:
                self._seen = _Sorted(self)
            else:
                self._seen = _Bytes(bits, batches) if bits <= _PLAIN_BITS else _Bits(bits, batches)
        return self._seen.fresh(words)

    def settle(self) -> None:
        """Give back what only adding needs."""
        self._seen = None

    def relaid(self, layout: Layout) -> Table:
        """The same rows under another layout."""
        made = Table(layout, self.arity)
        made.count = self.count
        for code, words in self.batches:
            made.batches.append((code, layout.pack(self.layout.unpack(words, self.arity), len(words))))
        return made

    def rows(self, tick: Tick) -> dict[Ids, int]:
        """The rows as tuples, with their codes."""
        rows: dict[Ids, int] = {}
        for codes, words in self.batches:
            tick()
            each = repeat(codes) if isinstance(codes, int) else codes.tolist()
            rows.update(paced(tick, zip(self.tuples(words), each, strict=False)))
        return rows

    def tuples(self, words: Column) -> Iterable[Ids]:
        """Packed rows as tuples."""
        if not self.arity:
            return [()] * len(words)
        return zip(*(column.tolist() for column in self.layout.unpack(words, self.arity)), strict=True)


def table_from(columns: Sequence[Sequence[int]]) -> Table | None:
    """Base rows as a table, given by columns; None where they do not fit into words."""
    parts = [np.array(column, np.int64) for column in columns]
    layout = Layout(max(int(max(part.max() for part in parts)).bit_length(), 1))
    if not layout.fits(len(parts)):
        return None
    made = Table(layout, len(parts))
    made.add(distinct(layout.pack(parts, len(parts[0]))), 0)
    return made


def table_of(layout: Layout, arity: int, rows: Mapping[Ids, int], tick: Tick) -> Table:
    """Rows with their codes as a table."""
    made = Table(layout, arity)
    if rows:
        made.batches.append((_codes(rows), packed(layout, arity, rows, tick)))
        made.count = len(rows)
    return made


def packed(layout: Layout, arity: int, rows: Iterable[Ids], tick: Tick) -> Column:
    """Rows as words, in their order."""
    numbers = np.fromiter(chain.from_iterable(paced(tick, rows)), np.int64)
    if not arity:
        return np.zeros(sum(1 for _ in rows), np.int64)
    return layout.pack([numbers[at::arity] for at in range(arity)], len(numbers) // arity)


def _codes(rows: Mapping[Ids, int]) -> Column | int:
    codes = np.fromiter(rows.values(), np.int64, len(rows))
    return 0 if not codes.any() else codes
