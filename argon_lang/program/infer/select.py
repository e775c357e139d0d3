"""`select … from … where …` (language.md §3.8): the body as one clause, then projection, order and limits."""

from __future__ import annotations

from collections.abc import Iterator

from argon_lang.problems import Note, args
from argon_lang.program.aggregate_parts import is_grouped, ranges_over_rows
from argon_lang.program.infer.atoms import check_atoms
from argon_lang.program.infer.clauses import open_clause, open_optional, report_variables
from argon_lang.program.infer.closures import check_data
from argon_lang.program.infer.compat import bare
from argon_lang.program.infer.context import Context, Local
from argon_lang.program.infer.data import check_inits, infer_init, must_be_given, report_missing
from argon_lang.program.infer.dispatch import check_expr, infer_expr
from argon_lang.program.infer.exprs import warn_hidden
from argon_lang.program.infer.mismatch import report_mismatch
from argon_lang.program.infer.names import lone_name
from argon_lang.program.intrinsics import is_ordered
from argon_lang.program.model import ToBinding
from argon_lang.program.paths import name_of, name_token, normal
from argon_lang.program.types import (
    BOOL,
    INT,
    TOP,
    UNKNOWN,
    ListOf,
    Named,
    OptionOf,
    RecordOf,
    SetOf,
    Type,
    Unknown,
    show,
)
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def infer_select(cx: Context, select: nodes.Select, result: Type) -> dict[str, Type]:
    """Check the body of a query whose declared result is `result`; its columns. Parameters are in the current frame.

    What a `with` of any of its selects names is known in all that follows it.
    """
    row = row_type(result)
    if select.core is None:
        return {}
    for core in (select.core, *(operand.core for operand in select.operands)):
        for part in core.withs if core is not None else ():
            _table(cx, part)
    columns = _core(cx, select.core, row, select)
    for operand in select.operands:
        if operand.core is not None:
            with cx.frame():
                _core(cx, operand.core, row, None)
    for key in select.order.keys if select.order and select.operands else ():
        _column_key(cx, key, columns)
    return columns


def _table(cx: Context, part: nodes.WithClause) -> None:
    """`with t = (select …);`: in what follows, `t(a, b)` is an atom with a place for each of its columns."""
    with cx.frame():
        columns = infer_select(cx, part.select, UNKNOWN) if part.select is not None else {}
    token = name_token(part.name)
    if token is None or part.name is None:
        return
    name, span = normal(token.text), (token.start, token.end)
    warn_hidden(cx, name, span)
    local = cx.declare(name, "let", span, ListOf(RecordOf(tuple(columns.items()))), part.index)
    local.given = True
    cx.mean(part.name, ToBinding(local.number), span)


def _core(cx: Context, core: nodes.SelectCore, row: Type, select: nodes.Select | None) -> dict[str, Type]:
    """Check one select, with what closes the whole when it is the first; its columns by name."""
    atoms = [*_atoms(core.source), *_atoms(core.where)]
    with cx.frame():
        clause = open_clause(cx, atoms, _readers(core, select))
        check_atoms(cx, clause, atoms)
        added = [local for part in core.optionals for local in _optional(cx, core, part, select)]
        for local in added:
            local.positions.clear()
            local.type = OptionOf(bare(local.type)) if not isinstance(local.type, Unknown) else UNKNOWN
        for group_key in core.group.keys if core.group is not None else ():
            infer_expr(cx, group_key)
        cx.through = True
        if is_grouped(core, select):
            cx.grouped = "all" if core.group is None else "keys"
        _projection(cx, core.projection, row)
        if core.having is not None:
            check_expr(cx, core.having.condition, BOOL)
        _tail(cx, select)
        if cx.grouped:
            _only_keys(cx, core, select)
        cx.grouped, cx.through = "", False
        report_variables(cx, clause)
    return _columns(cx, core.projection)


def _optional(
    cx: Context, core: nodes.SelectCore, optional: nodes.OptionalFrom, select: nodes.Select | None
) -> list[Local]:
    """Check an `optional from`; the variables that only it binds, which may be absent in a row."""
    atoms = list(optional.body.atoms) if optional.body is not None else []
    clause = open_optional(cx, atoms, _readers(core, select))
    check_atoms(cx, clause, atoms)
    return [local for local in cx.locals[clause.first :] if local.kind == "variable" and local.scope == -1]


def _tail(cx: Context, select: nodes.Select | None) -> None:
    if select is None:
        return
    for key in select.order.keys if select.order and not select.operands else ():
        _order(cx, key)
    if select.limit is not None:
        check_expr(cx, select.limit.count, INT)
        if select.limit.offset is not None:
            check_expr(cx, select.limit.offset.count, INT)


# -- groups and set operators -----------------------------------------------------------------------------------------


def _only_keys(cx: Context, core: nodes.SelectCore, select: nodes.Select | None) -> None:
    """Of a group there are its keys and the aggregates of its rows; without `group by` all rows are one group."""
    keys = {" ".join(key.text.split()) for key in core.group.keys} if core.group is not None else set()
    order = select.order if select is not None and not select.operands else None
    for part in (core.projection, core.having, order):
        for node in _outside(part, keys) if part is not None else ():
            meaning = cx.names.get(node.index)
            local = cx.locals[meaning.id] if isinstance(meaning, ToBinding) else None
            if local is not None and local.kind == "variable" and local.scope == -1:
                construct = "what follows `group by`" if keys else "a select of aggregates"
                values = args(construct=construct, found=f"`{local.name}`, which is no key")
                cx.report("OE0007", node, values)


def _outside(root: View, keys: set[str]) -> Iterator[View]:
    """Names in an expression that stand neither in a key nor in an aggregate of rows."""
    pending: list[View] = [root]
    while pending:
        node = pending.pop()
        if " ".join(node.text.split()) in keys:
            continue
        if isinstance(node, nodes.AggregateCall) and ranges_over_rows(node):
            continue
        if isinstance(node, nodes.Path) or (isinstance(node, nodes.FieldInit) and node.value is None):
            if not (isinstance(node, nodes.FieldInit) and (name_of(node.name) or "") in keys):
                yield node
        else:
            pending.extend(reversed(node.children))


def _columns(cx: Context, projection: nodes.Projection | None) -> dict[str, Type]:
    """The columns of a projection by name."""
    if projection is None:
        return {}
    if projection.fields is not None:
        found = cx.types.get(projection.index, UNKNOWN)
        if isinstance(found, RecordOf):
            return dict(found.fields)
        return {}
    value = projection.value
    token = (
        value.segments[-1]
        if isinstance(value, nodes.Path)
        else value.name
        if isinstance(value, nodes.FieldExpr)
        else None
    )
    return {normal(token.text) if token is not None else "value": cx.types.get(projection.index, UNKNOWN)}


def _column_key(cx: Context, key: nodes.OrderKey, columns: dict[str, Type]) -> None:
    """The rows of several selects together are ordered by their columns."""
    name = lone_name(key.value)
    if key.value is None:
        return
    if name is None or name not in columns:
        values = args(
            construct="`order by` of selects that are joined", found=f"`{key.value.text}`, which is no column"
        )
        cx.report("OE0007", key.value, values)


def row_type(result: Type) -> Type:
    """What one row is: `[T]`, `Set<T>` and `T?` are answers of rows T."""
    return result.element if isinstance(result, ListOf | SetOf) else bare(result)


def _atoms(part: nodes.FromClause | nodes.WhereAtoms | None) -> list[View]:
    return list(part.body.atoms) if part is not None and part.body is not None else []


def _readers(core: nodes.SelectCore, select: nodes.Select | None) -> Iterator[View]:
    yield from core.optionals
    order = select.order if select is not None and not select.operands else None
    for part in (core.projection, core.group, core.having, order, select.limit if select is not None else None):
        if part is not None:
            yield part


def _projection(cx: Context, projection: nodes.Projection | None, row: Type) -> None:
    if projection is None:
        return
    if projection.fields is not None:
        _record(cx, projection, projection.fields, row)
    elif projection.value is not None:
        check_data(cx, projection.value, check_expr(cx, projection.value, row, why=cx.promise))
        cx.types[projection.index] = cx.types.get(projection.value.index, UNKNOWN)


def _record(cx: Context, node: nodes.Projection, inits: nodes.FieldInits, row: Type) -> None:
    """`select { a, b: e }`: the fields of the struct that the query promises, or columns of their own."""
    if isinstance(row, Named) and row.kind == "struct":
        given = check_inits(cx, inits, row)
        missing = [sig for sig in cx.declarations.fields(row) if must_be_given(sig) and sig.name not in given]
        if missing:
            report_missing(cx, "OE0224", (inits.start, inits.end), inits, show(row), missing)
        cx.types[node.index] = row
        return
    columns = tuple((name_of(init.name) or "_", infer_init(cx, init)) for init in inits.inits)
    for init, (_, ty) in zip(inits.inits, columns, strict=True):
        check_data(cx, init.value, ty)
    cx.types[node.index] = RecordOf(columns)
    if not isinstance(row, Unknown) and row != TOP:
        report_mismatch(cx, inits, RecordOf(columns), row, cx.promise)


def _order(cx: Context, key: nodes.OrderKey) -> None:
    found = infer_expr(cx, key.value)
    plain = bare(found)
    sortable = is_ordered(plain, plain) or plain == BOOL or isinstance(plain, Unknown | Named)
    if key.value is not None and (not sortable or isinstance(plain, ListOf | SetOf | RecordOf | OptionOf)):
        note = Note("operator", args(construct="order by", found=show(found)))
        cx.report("OE0202", key.value, args(expected="_", found=show(found)), notes=(note,))
