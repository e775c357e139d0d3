"""What a query that a rule asks makes of the rows of its select (language §3.8): the same steps as an answer takes.

No author names these; `argon_lang.ir.lower.asked` writes them. A row is a list of its columns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from argon_lang.engine.aggregates import folding
from argon_lang.engine.order import SortKey, row_key, sort_key
from argon_lang.ir.values import Value
from argon_lang.program.types import INT

Rows = tuple[tuple[Value, ...], ...]


def _arranged(_: object, pairs: Any, descending: tuple[bool, ...], distinct: bool) -> Value:
    """The rows of pairs `(row, order keys)` in the order of their columns, then stably by the keys."""
    if distinct:
        pairs = {row_key(row): (row, keys) for row, keys in reversed(pairs)}.values()
    pairs = sorted(pairs, key=lambda pair: row_key(pair[0]))
    for place, falling in reversed(list(enumerate(descending))):
        pairs = sorted(pairs, key=lambda pair: sort_key(pair[1][place]), reverse=falling)
    return tuple(row for row, _ in pairs)


def _joined(_: object, op: str, left: Rows, right: Rows) -> Value:
    """Two selects joined by a set operator."""
    if op == "union all":
        return tuple(sorted((*left, *right), key=row_key))
    mine = {row_key(row): row for row in left}
    others = {row_key(row): row for row in right}
    if op == "union":
        kept = {**others, **mine}
    else:
        kept = {key: row for key, row in mine.items() if (key in others) == (op == "intersect")}
    return tuple(kept[key] for key in sorted(kept))


def _grouped(_: object, rows: Rows, keys: int) -> Value:
    """The rows of each group, by their first `keys` columns; without keys there is one group, if need be of no row."""
    groups: dict[SortKey, list[tuple[Value, ...]]] = {} if keys else {(): []}
    for row in rows:
        groups.setdefault(row_key(row[:keys]), []).append(row)
    return tuple(tuple(group) for group in groups.values())


def _folded(_: object, op: str, zero: Value, group: Rows, column: int) -> Value:
    """An aggregate over one column of a group, whose sum of nothing is `zero`; what is absent counts for nothing."""
    values = [row[column] for row in group if row[column] is not None]
    return folding(op, INT)(values) if values or op != "sum" else zero


def _only(_: object, rows: tuple[Value, ...]) -> Value:
    return rows if len(rows) == 1 else ()


def _at_most_one(_: object, rows: tuple[Value, ...]) -> Value:
    return () if len(rows) > 1 else rows or (None,)


def _or_absent(_: object, rows: Rows, columns: int) -> Value:
    """The rows that another row is joined with; with none, one whose columns are absent."""
    return rows or ((None,) * columns,)


TABLE: tuple[tuple[str, Callable[..., Value], bool], ...] = (
    ("rows_arranged", _arranged, False),
    ("rows_joined", _joined, False),
    ("rows_grouped", _grouped, False),
    ("rows_folded", _folded, False),
    ("rows_only", _only, False),
    ("rows_at_most_one", _at_most_one, False),
    ("rows_or_absent", _or_absent, False),
)
"""Name, implementation (of a context and the values), and whether it may have no result."""
