"""`select … from … where …` (language.md §3.8): the body as one clause, then projection, order and limits."""

from __future__ import annotations

from collections.abc import Iterator

from argon_lang.problems import Note, args
from argon_lang.program.infer.atoms import check_atoms
from argon_lang.program.infer.clauses import open_clause, report_variables
from argon_lang.program.infer.compat import bare
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.data import check_inits, infer_init, must_be_given, report_missing
from argon_lang.program.infer.dispatch import check_expr, infer_expr
from argon_lang.program.infer.mismatch import report_mismatch
from argon_lang.program.intrinsics import is_ordered
from argon_lang.program.paths import name_of
from argon_lang.program.types import BOOL, INT, UNKNOWN, ListOf, Named, OptionOf, RecordOf, SetOf, Type, Unknown, show
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def infer_select(cx: Context, select: nodes.Select, result: Type) -> None:
    """Check the body of a query whose declared result is `result`. Parameters are in the current frame."""
    for part, construct, nearest in _refused(select):
        cx.refuse(part, construct, nearest)
    core = select.core
    if core is None:
        return
    atoms = [*_atoms(core.source), *_atoms(core.where)]
    clause = open_clause(cx, atoms, _readers(select))
    check_atoms(cx, clause, atoms)
    _projection(cx, core.projection, row_type(result))
    for key in select.order.keys if select.order else ():
        _order(cx, key)
    if select.limit is not None:
        check_expr(cx, select.limit.count, INT)
        if select.limit.offset is not None:
            check_expr(cx, select.limit.offset.count, INT)
    report_variables(cx, clause)


def row_type(result: Type) -> Type:
    """What one row is: `[T]`, `Set<T>` and `T?` are answers of rows T."""
    return result.element if isinstance(result, ListOf | SetOf) else bare(result)


def _refused(select: nodes.Select) -> Iterator[tuple[View, str, str]]:
    """The parts of a select that have no evaluation yet."""
    core = select.core
    for operand in select.operands:
        word = operand.op.text if operand.op else "union"
        yield operand, f"`{word}`", "a `derive` with several clauses" if word == "union" else ""
    for clause in core.withs if core else ():
        yield clause, "`with`", "a `derive`"
    for optional in core.optionals if core else ():
        yield optional, "`optional from`", "an optional field in the projection"
    if core is not None and core.group is not None:
        yield core.group, "`group by`", ""
    if core is not None and core.having is not None:
        yield core.having, "`having`", ""


def _atoms(part: nodes.FromClause | nodes.WhereAtoms | None) -> list[View]:
    return list(part.body.atoms) if part is not None and part.body is not None else []


def _readers(select: nodes.Select) -> Iterator[View]:
    core = select.core
    refused = [*select.operands, *(core.withs if core else ()), *(core.optionals if core else ())]
    parts = (core.projection if core else None, core.group if core else None, core.having if core else None)
    yield from refused
    for part in (*parts, select.order, select.limit):
        if part is not None:
            yield part


def _projection(cx: Context, projection: nodes.Projection | None, row: Type) -> None:
    if projection is None:
        return
    if projection.fields is not None:
        _record(cx, projection, projection.fields, row)
    elif projection.value is not None:
        check_expr(cx, projection.value, row, why=cx.promise)
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
    cx.types[node.index] = RecordOf(columns)
    if not isinstance(row, Unknown):
        report_mismatch(cx, inits, RecordOf(columns), row, cx.promise)


def _order(cx: Context, key: nodes.OrderKey) -> None:
    found = infer_expr(cx, key.value)
    plain = bare(found)
    sortable = is_ordered(plain, plain) or plain == BOOL or isinstance(plain, Unknown | Named)
    if key.value is not None and (not sortable or isinstance(plain, ListOf | SetOf | RecordOf | OptionOf)):
        note = Note("operator", args(construct="order by", found=show(found)))
        cx.report("OE0202", key.value, args(expected="_", found=show(found)), notes=(note,))
