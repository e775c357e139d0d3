"""Declared queries, answered on one reading: solutions, projection, `distinct`, `order by`, `limit` (language §3.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from argon_lang.engine.order import row_key, sort_key
from argon_lang.errors import ArgonError
from argon_lang.ir.expr import Expr
from argon_lang.ir.module import Order, Query
from argon_lang.ir.rules import Var
from argon_lang.ir.values import Row, Value
from argon_lang.problems import Note, args

if TYPE_CHECKING:
    from argon_lang.runtime.reading import Reading

Env = dict[str, Value]


def ask(reading: Reading, query: Query, arguments: Sequence[Value]) -> list[Row]:
    """The rows of a query. Raises `ARGON_RUNTIME_DERIVE_FAILED` when it promises one row and has none or several."""
    if query.extent is not None:
        return _counted(query, list(reading.model.rows(query.extent)))
    solutions = [_columns(reading, query, env) for env in _solutions(reading, query, arguments)]
    if query.distinct:
        solutions = list({row: (row, env) for row, env in reversed(solutions)}.values())[::-1]
    ordered = _ordered(reading, query, solutions)
    given = dict(zip(_inputs(query), arguments, strict=True))
    return _counted(query, _window(reading, query, [row for row, _ in ordered], given))


def _inputs(query: Query) -> tuple[str, ...]:
    return query.rule.inputs if query.rule is not None else ()


def _solutions(reading: Reading, query: Query, arguments: Sequence[Value]) -> list[Env]:
    if query.rule is None:
        return []
    given = dict(zip(query.rule.inputs, arguments, strict=True))
    names = [term.name if isinstance(term, Var) else "" for term in query.rule.terms]
    rows = reading.model.solve(query.rule, given, reading.governor)
    return [{**given, **dict(zip(names, row, strict=True))} for row in rows]


def _columns(reading: Reading, query: Query, env: Env) -> tuple[Row, Env]:
    return tuple(reading.shown(expr, env) for _, _, expr in query.columns), env


def _ordered(reading: Reading, query: Query, solutions: list[tuple[Row, Env]]) -> list[tuple[Row, Env]]:
    """Sorted by the columns (the default order, S1.7), then stably by each `order by` key, the last key first."""
    ordered = sorted(solutions, key=lambda solution: row_key(solution[0]))
    for key in reversed(query.order):
        ordered = _ranked(reading, key, ordered)
    return ordered


def _ranked(reading: Reading, key: Order, solutions: list[tuple[Row, Env]]) -> list[tuple[Row, Env]]:
    return sorted(solutions, key=lambda each: sort_key(reading.shown(key.expr, each[1])), reverse=key.descending)


def _window(reading: Reading, query: Query, rows: list[Row], given: Env) -> list[Row]:
    start = _count(reading, query, query.offset, given) or 0
    limit = _count(reading, query, query.limit, given)
    return rows[start:] if limit is None else rows[start : start + limit]


def _count(reading: Reading, query: Query, expr: Expr | None, given: Env) -> int | None:
    if expr is None:
        return None
    value = reading.value(expr, given)
    if isinstance(value, int) and value >= 0:
        return value
    name = query.path.rsplit("::", 1)[-1]
    raise ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", args(name=name, expected="a count of rows", found=str(value)))


def _counted(query: Query, rows: list[Row]) -> list[Row]:
    if query.result == "many" or len(rows) == 1 or (query.result == "optional" and not rows):
        return rows
    name = query.path.rsplit("::", 1)[-1]
    raise ArgonError(
        "ARGON_RUNTIME_DERIVE_FAILED",
        args(name=name, found=f"{len(rows)} rows"),
        notes=(Note("exactly_one", args(name=name, count=len(rows))),),
    )
