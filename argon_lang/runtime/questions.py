"""Declared queries, answered on one reading: solutions, projection, `distinct`, `order by`, `limit` (language §3.8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date
from typing import TYPE_CHECKING, TypeVar

from argon_lang.engine.aggregates import folding
from argon_lang.engine.exact import as_instant
from argon_lang.engine.order import SortKey, row_key, sort_key
from argon_lang.errors import ArgonError
from argon_lang.ir.expr import Expr
from argon_lang.ir.module import Grouping, Operand, OptionalRows, Order, Query
from argon_lang.ir.names import negative_key
from argon_lang.ir.rules import Rule, Var
from argon_lang.ir.values import Row, Value
from argon_lang.problems import Note, args

if TYPE_CHECKING:
    from argon_lang.runtime.reading import Reading

Env = dict[str, Value]
T = TypeVar("T")


def ask(reading: Reading, query: Query, arguments: Sequence[Value]) -> list[Row]:
    """The rows of a query. Raises `ARGON_RUNTIME_DERIVE_FAILED` when it promises one row and has none or several."""
    if query.across:
        from argon_lang.runtime.across import across

        return _counted(query, [each.row for each in across(reading, query, arguments) if each.truth4 == "Is"])
    reading = at_query(reading, query, arguments)
    if query.rule is None:
        return _counted(query, _extent(reading, query.extent or ""))
    arguments = _with_tables(reading, query, arguments)
    first = Operand("", query.rule, query.columns, query.distinct, query.grouping, query.optionals)
    solutions = _core(reading, first, arguments)
    for operand in query.operands:
        asked = reading.opposite() if operand.op == "except" else reading
        solutions = _COMBINED[operand.op](solutions, _core(asked, operand, arguments))
    if query.operands:
        names = [name for name, _, _ in query.columns]
        solutions = [(row, dict(zip(names, row, strict=True))) for row, _ in solutions]
    ordered = _ordered(reading, query, solutions)
    given = dict(zip(_inputs(query), arguments, strict=True))
    return _counted(query, window(reading, query, [row for row, _ in ordered], given))


def _with_tables(reading: Reading, query: Query, arguments: Sequence[Value]) -> Sequence[Value]:
    """The arguments with the rows of what stands before the query by `with`."""
    for table in query.tables:
        arguments = [*arguments, tuple(ask(reading, table.query, arguments))]
    return arguments


Origin = tuple[Rule, Env]
"""A solution: a select's rule, and the values of its variables."""


def origins(reading: Reading, query: Query, arguments: Sequence[Value]) -> dict[SortKey, list[Origin]]:
    """What each row of a query comes from, by the key of the row; of a group, all its solutions."""
    reading = at_query(reading, query, arguments)
    if query.rule is None:
        return {}
    arguments = _with_tables(reading, query, arguments)
    first = Operand("", query.rule, query.columns, query.distinct, query.grouping, query.optionals)
    found: dict[SortKey, list[Origin]] = {}
    for core in (first, *(operand for operand in query.operands if operand.op != "except")):
        for env, rows in _env_groups(reading, core, arguments):
            row = tuple(reading.shown(expr, env) for _, _, expr in core.columns)
            found.setdefault(row_key(row), []).extend((core.rule, each) for each in rows)
    return found


def excluded(reading: Reading, query: Query, arguments: Sequence[Value]) -> int:
    """How many solutions are in doubt that the aggregates of a query's groups leave out."""
    if query.rule is None or query.tables:
        return 0
    cores = [(query.rule, query.grouping), *((each.rule, each.grouping) for each in query.operands)]
    counts = (
        len(_solutions(reading.upper(), rule, arguments)) - len(_solutions(reading, rule, arguments))
        for rule, grouping in cores
        if grouping is not None
    )
    return sum(counts)


def _extent(reading: Reading, key: str) -> list[Row]:
    denied = reading.base.of(negative_key(key))
    rows = reading.model.rows(key)
    return [row for row in rows if row not in denied] if denied else list(rows)


def at_query(reading: Reading, query: Query, arguments: Sequence[Value]) -> Reading:
    """The state that the query's `as_of` names: a transaction, an instant, or both (S1.3)."""
    if not query.as_of:
        return reading
    env = {param.name: value for param, value in zip(query.params, arguments, strict=True)}
    valid, tx = reading.point.valid_at, reading.point.tx
    for expr in query.as_of:
        value = reading.value(expr, env)
        if isinstance(value, date):
            valid = as_instant(value).astimezone(UTC)
        elif isinstance(value, int):
            tx = value
    return reading.at(replace(reading.point, valid_at=valid, tx=tx))


Solution = tuple[Row, Env]


def _core(reading: Reading, core: Operand, arguments: Sequence[Value]) -> list[Solution]:
    """The rows of one select with the variables that they come from."""
    envs = [env for env, _ in _env_groups(reading, core, arguments)]
    solutions = [(tuple(reading.shown(expr, env) for _, _, expr in core.columns), env) for env in envs]
    return _distinct(solutions) if core.distinct else solutions


def _env_groups(reading: Reading, core: Operand, arguments: Sequence[Value]) -> list[tuple[Env, list[Env]]]:
    """The variables of each row of one select, with the solutions that they come from."""
    envs = _solutions(reading, core.rule, arguments)
    for optional in core.optionals:
        envs = [extended for env in envs for extended in _extended(reading, optional, env)]
    if core.grouping is None:
        return [(env, [env]) for env in envs]
    return _groups(reading, core.grouping, envs, dict(zip(core.rule.inputs, arguments, strict=True)))


def _extended(reading: Reading, optional: OptionalRows, env: Env) -> list[Env]:
    """A row with each of its optional rows; with none, the row alone, what they would bind being absent."""
    values = [reading.value(arg, env) for arg in optional.args]
    given = dict(zip(optional.rule.inputs, values, strict=True))
    names = [local.name for local in optional.names]
    rows = reading.solving.solve(optional.rule, given, reading.governor) or [(None,) * len(names)]
    return [{**env, **dict(zip(names, row, strict=True))} for row in rows]


def _distinct(solutions: list[Solution]) -> list[Solution]:
    """Each row once, its first."""
    return list({row_key(row): (row, env) for row, env in reversed(solutions)}.values())[::-1]


def _union_all(left: list[Solution], right: list[Solution]) -> list[Solution]:
    return [*left, *right]


def _union(left: list[Solution], right: list[Solution]) -> list[Solution]:
    return _distinct([*left, *right])


def _intersect(left: list[Solution], right: list[Solution]) -> list[Solution]:
    others = {row_key(row) for row, _ in right}
    return [each for each in _distinct(left) if row_key(each[0]) in others]


def _except(left: list[Solution], right: list[Solution]) -> list[Solution]:
    others = {row_key(row) for row, _ in right}
    return [each for each in _distinct(left) if row_key(each[0]) not in others]


_COMBINED = {"union": _union, "union all": _union_all, "intersect": _intersect, "except": _except}


def _groups(reading: Reading, grouping: Grouping, envs: list[Env], given: Env) -> list[tuple[Env, list[Env]]]:
    """One set of variables per group, those of its first row, with the aggregates over all its rows; and the rows.

    Without keys there is one group, which may have no row: then it has what is `given`.
    """
    groups: dict[SortKey, list[Env]] = {}
    for env in envs:
        keys = row_key(reading.shown(key, env) for key in grouping.keys)
        groups.setdefault(keys, []).append(env)
    if not grouping.keys:
        groups.setdefault((), [])
    found = [({**(rows[0] if rows else given), **_folded(reading, grouping, rows)}, rows) for rows in groups.values()]
    having = grouping.having
    return found if having is None else [each for each in found if reading.value(having, each[0]) is True]


def _folded(reading: Reading, grouping: Grouping, rows: list[Env]) -> Env:
    """The aggregates of one group. A field that is absent counts for nothing."""
    found: Env = {}
    for fold in grouping.folds:
        values = [value for row in rows if (value := reading.shown(fold.value, row)) is not None]
        found[fold.name] = folding(fold.op, fold.type)(values)
    return found


def _inputs(query: Query) -> tuple[str, ...]:
    return query.rule.inputs if query.rule is not None else ()


def _solutions(reading: Reading, rule: Rule, arguments: Sequence[Value]) -> list[Env]:
    given = dict(zip(rule.inputs, arguments, strict=True))
    names = [term.name if isinstance(term, Var) else "" for term in rule.terms]
    rows = reading.solving.solve(rule, given, reading.governor)
    return [{**given, **dict(zip(names, row, strict=True))} for row in rows]


def _ordered(reading: Reading, query: Query, solutions: list[tuple[Row, Env]]) -> list[tuple[Row, Env]]:
    """Sorted by the columns (the default order, S1.7), then stably by each `order by` key, the last key first."""
    ordered = sorted(solutions, key=lambda solution: row_key(solution[0]))
    for key in reversed(query.order):
        ordered = _ranked(reading, key, ordered)
    return ordered


def _ranked(reading: Reading, key: Order, solutions: list[tuple[Row, Env]]) -> list[tuple[Row, Env]]:
    return sorted(solutions, key=lambda each: sort_key(reading.shown(key.expr, each[1])), reverse=key.descending)


def window(reading: Reading, query: Query, rows: list[T], given: Env) -> list[T]:
    """What `limit` and `offset` leave of ordered rows."""
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
