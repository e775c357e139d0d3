"""Where rows live while a program runs: tuples of numbers, each with the clause and round of its first derivation.

A row's *code* is `round * CLAUSES + clause`; 0 is a base fact. Indexes are made when a plan first asks for one and kept
up to date by `extend`. Rows that were derived in columns stay there until somebody asks for one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from argon_lang.engine.governor import PACE, paced

if TYPE_CHECKING:
    from argon_lang.engine.columns.packing import Layout
    from argon_lang.engine.columns.table import Table

Tick = Callable[[], object]
"""Asks the governor."""
Ids = tuple[int, ...]
Index = dict[int | Ids, list[int | Ids]]
CLAUSES = 1 << 20


class Relation:
    """The rows of one predicate key."""

    __slots__ = ("_distinct", "_rows", "_table", "arity", "indexes")

    def __init__(self, arity: int) -> None:
        """No rows yet, of `arity` columns."""
        self.arity = arity
        self._rows: dict[Ids, int] | None = {}
        self._table: Table | None = None
        self._distinct: dict[int, tuple[int, int]] = {}
        self.indexes: dict[Ids, Index] = {}

    @property
    def rows(self) -> dict[Ids, int]:
        """All rows with their codes. Whoever changes them has no columns of this relation yet, or uses the methods."""
        return self._rows if self._rows is not None else self.known(_untold)

    @rows.setter
    def rows(self, rows: dict[Ids, int]) -> None:
        self._rows, self._table = rows, None

    def known(self, tick: Tick) -> dict[Ids, int]:
        """`rows`, with `tick` asked where they have to be made of columns."""
        found = self._rows
        if found is None:
            found = self._rows = self._table.rows(tick) if self._table is not None else {}
        return found

    def __len__(self) -> int:
        """How many rows there are."""
        return self._table.count if self._rows is None and self._table is not None else len(self._rows or ())

    def distinct(self, column: int) -> int:
        """How many values a column has, or had when there were half as many rows."""
        then, found = self._distinct.get(column, (0, 0))
        if len(self) >= 2 * max(then, 1):
            found = self._counted(column)
            self._distinct[column] = (len(self), found)
        return found

    def _counted(self, column: int) -> int:
        if (column,) in self.indexes:
            return len(self.indexes[column,])
        if self._table is not None:
            return self._table.distinct(column)
        return len({row[column] for row in self.rows})

    def load(self, columns: Sequence[Sequence[int]], tick: Tick) -> None:
        """Let these be the rows, base facts all; with no column there is one row. Large ones are kept as columns."""
        if columns and large(len(columns[0])):
            from argon_lang.engine.columns.table import table_from  # numpy is slow to import

            self._table = table_from(columns)
            self._rows = None if self._table is not None else self._rows
        if self._rows is not None:
            self.rows = dict.fromkeys(paced(tick, zip(*columns, strict=True)) if columns else ((),), 0)

    def table(self, layout: Layout, tick: Tick) -> Table:
        """The rows in columns, kept beside until a row changes."""
        found = self._table
        if found is None:
            from argon_lang.engine.columns.table import table_of  # numpy is slow to import

            found = self._table = table_of(layout, self.arity, self.rows, tick)
        elif found.layout != layout:
            found = self._table = found.relaid(layout)
        return found

    def growing(self, layout: Layout, tick: Tick) -> Table:
        """The rows in columns alone, to be added to there."""
        table = self.table(layout, tick)
        self._rows, self.indexes = None, {}
        return table

    def copy(self) -> Relation:
        """The same rows, to be changed apart."""
        made = Relation(self.arity)
        made._rows = dict(self.rows)
        made._distinct = dict(self._distinct)
        return made

    def draft(self) -> Relation:
        """The same rows and indexes, to be changed row by row with `put` and `drop`; buckets are shared until then."""
        made = self.copy()
        made.indexes = {columns: dict(index) for columns, index in tuple(self.indexes.items())}
        return made

    def put(self, row: Ids, code: int) -> None:
        """Give a row its code, in a draft."""
        known, self._table = row in self.rows, None
        self.rows[row] = code
        for columns, index in self.indexes.items() if not known else ():
            key, rest = self._split(columns, row)
            index[key] = [*index.get(key, ()), rest]

    def drop(self, row: Ids) -> None:
        """Take a row away, in a draft."""
        del self.rows[row]
        self._table = None
        for columns, index in self.indexes.items():
            key, rest = self._split(columns, row)
            left = [other for other in index[key] if other != rest]
            if left:
                index[key] = left
            else:
                del index[key]

    def _split(self, columns: Ids, row: Ids) -> tuple[int | Ids, int | Ids]:
        """A row as an index by `columns` has it: its key and the rest."""
        others = [column for column in range(self.arity) if column not in columns]
        key: int | Ids = row[columns[0]] if len(columns) == 1 else tuple(row[c] for c in columns)
        return key, row[others[0]] if len(others) == 1 else tuple(row[c] for c in others)

    def extend(self, rows: Mapping[Ids, int], tick: Tick) -> None:
        """Add rows that are not there yet, with their codes; `tick` is asked on the way."""
        self.rows.update(rows)
        self._table = None
        for columns, index in self.indexes.items():
            self._fill(columns, index, rows if len(rows) < PACE else paced(tick, rows))

    def index(self, columns: Ids, tick: Tick) -> Index:
        """Rows by the values of `columns`: a bare number or a tuple → the other columns, likewise."""
        found = self.indexes.get(columns)
        if found is None:
            found = {}
            self._fill(columns, found, paced(tick, self.known(tick)))
            self.indexes[columns] = found
        return found

    def _fill(self, columns: Ids, index: Index, rows: Iterable[Ids]) -> None:
        if self.arity == 2:
            self._fill_pairs(columns[0], index, rows)
            return
        others = [column for column in range(self.arity) if column not in columns]
        for row in rows:
            key: int | Ids = row[columns[0]] if len(columns) == 1 else tuple(row[c] for c in columns)
            rest: int | Ids = row[others[0]] if len(others) == 1 else tuple(row[c] for c in others)
            bucket = index.get(key)
            if bucket is None:
                index[key] = [rest]
            else:
                bucket.append(rest)

    def _fill_pairs(self, column: int, index: Index, rows: Iterable[Ids]) -> None:
        """The common case: a binary relation by one of its columns."""
        other = 1 - column
        for row in rows:
            bucket = index.get(row[column])
            if bucket is None:
                index[row[column]] = [row[other]]
            else:
                bucket.append(row[other])


_LARGE = 16_384
_LARGE_FIRST = 131_072


def large(rows: int) -> bool:
    """Are so many rows worth columns? Fewer are, once numpy has been imported."""
    return rows >= (_LARGE if "numpy" in sys.modules else _LARGE_FIRST)


def _untold() -> None:
    """Nobody asks."""


class Space:
    """All relations of one evaluation, by predicate key; keys that it has not itself are those of the space `below`."""

    __slots__ = ("below", "relations")

    def __init__(self, below: Space | None = None) -> None:
        """No relation yet of its own."""
        self.relations: dict[str, Relation] = {}
        self.below = below

    def find(self, key: str) -> Relation | None:
        """The relation of `key`, if there is one."""
        found = self.relations.get(key)
        return found if found is not None or self.below is None else self.below.find(key)

    def relation(self, key: str, arity: int) -> Relation:
        """The relation of `key`, made empty when there is none."""
        found = self.relations.get(key)
        if found is not None:
            return found
        if self.below is not None:
            return self.below.relation(key, arity)
        return self.relations.setdefault(key, Relation(arity))

    def rows(self, key: str) -> dict[Ids, int]:
        """The rows of `key`; none when there is no such relation."""
        found = self.find(key)
        return found.rows if found is not None else {}

    def count(self, key: str) -> int:
        """How many rows `key` has."""
        found = self.find(key)
        return len(found) if found is not None else 0

    def distinct(self, key: str, column: int) -> int:
        """About how many values a column of `key` has."""
        found = self.find(key)
        return found.distinct(column) if found is not None else 0
