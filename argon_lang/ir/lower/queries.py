"""Queries (language §3.8): an extent to read, or a rule over the row variables with a projection of them.

In a projection, `order by`, `limit` and `offset` a `Local` is a column or an input of the rule (by its canonical name);
of an extent, which has no rule, it is a column name of the predicate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.aggregates import locals_in, settled
from argon_lang.ir.lower.atoms import add_atoms, open_body
from argon_lang.ir.lower.canonical import canonical_rule
from argon_lang.ir.lower.expr import field_values, lower_all, lower_expr, make_struct
from argon_lang.ir.lower.flatten import Conjunction, Draft, is_local
from argon_lang.ir.lower.fragment import Fragment, Trace
from argon_lang.ir.lower.reading import NotLowered, Reading
from argon_lang.ir.lower.rules import Column, Functions, declared_path, local_column, trace_of
from argon_lang.ir.lower.walk import free_locals
from argon_lang.ir.module import Grouping, Module, Operand, OptionalRows, Order, Param, Query, Table
from argon_lang.ir.names import derived_key, query_key
from argon_lang.ir.rules import Match, Predicate, Rule, Var
from argon_lang.program.aggregate_parts import is_grouped
from argon_lang.program.model import CallableSig, ToSymbol, ToType
from argon_lang.program.paths import normal
from argon_lang.program.truth import answer_node
from argon_lang.program.types import UNKNOWN, ListOf, Named, OptionOf, RecordOf, SetOf, Type
from argon_lang.program.view import Unit
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View, need


def lower_query(unit: Unit, root: nodes.QueryDecl, functions: Functions) -> Fragment:
    """A query with a body, or the extent of a concept, relation or predicate."""
    sig = signature_of(unit)
    params = tuple(Param(each.name, each.type) for each in sig.params)
    if root.body is None:
        found = _in_views(unit, root, _extent(unit, root, sig, params))
        return Fragment(unit.id, Module("", "", queries=(found,)))
    return _select(unit, root, sig, params, functions)


def _in_views(unit: Unit, root: nodes.QueryDecl, query: Query) -> Query:
    """The query in the views that it names, answered with truth values where it says so."""
    reading, found = Reading(unit), list[str]()
    for path in root.across.standpoints if root.across is not None else []:
        meant = reading.declared(path)
        if not isinstance(meant, ToSymbol):
            raise NotLowered(path, path.text)
        found.append(meant.path)
    tagged = bool(found) or answer_node(root.result, unit.scope)[1]
    return replace(query, across=tuple(dict.fromkeys(found)), truth4=tagged)


def signature_of(unit: Unit) -> CallableSig:
    """The signature of the callable that the item declares."""
    return need(next((each for each in unit.signatures if isinstance(each, CallableSig)), None))


def result_of(type_: Type) -> tuple[str, Type]:
    """How many rows a result type stands for, and the type of one."""
    match type_:
        case ListOf(element) | SetOf(element):
            return "many", element
        case OptionOf(inner):
            return "optional", inner
        case _:
            return "one", type_


# -- extents ----------------------------------------------------------------------------------------------------------


def _extent(unit: Unit, root: nodes.QueryDecl, sig: CallableSig, params: tuple[Param, ...]) -> Query:
    reading = Reading(unit)
    written, _ = answer_node(root.result, unit.scope)
    inner = written.element if isinstance(written, nodes.ListType) else written
    path = inner.path if isinstance(inner, nodes.NamedType) else None
    key, columns = extent_shape(inner, reading, reading.declared(path))
    found = tuple((name, type_, ir.Local(name)) for name, type_ in columns)
    type_, own = sig.result or UNKNOWN, declared_path(unit, root.name)
    at = _read_points(unit, root)
    return Query(own, params, type_, "many", key, None, found, len(found) == 1, False, (), None, None, as_of=at)


def _read_points(unit: Unit, root: nodes.QueryDecl) -> tuple[ir.Expr, ...]:
    """The values of `as_of` clauses, over the parameters by their names."""
    return tuple(lower_expr(clause.value, Reading(unit)) for clause in root.as_of)


def extent_shape(node: View | None, reading: Reading, meant: object) -> tuple[str, tuple[tuple[str, Type], ...]]:
    """The predicate key of an extent, and its columns (types of a predicate's are known at linking)."""
    match meant:
        case ToType(Named("concept", path)):
            return path, (("it", Named("concept", path)),)
        case ToType(Named("relation", path)):
            ends = need(reading.declarations.relation(path)).ends
            return path, tuple((end.name, end.type) for end in ends)
        case ToSymbol("predicate", path, arity) if arity is not None:
            params = need(reading.declarations.callable("predicate", path, arity)).params
            return derived_key(path, arity), tuple((each.name, each.type) for each in params)
        case _:
            raise NotLowered(node, need(node).text)


# -- select -----------------------------------------------------------------------------------------------------------


def _select(
    unit: Unit, root: nodes.QueryDecl, sig: CallableSig, params: tuple[Param, ...], functions: Functions
) -> Fragment:
    reading = Reading(unit, in_rule=True, functions=functions)
    whole = _Whole(root, reading, params)
    query = _query(whole, need(root.body), declared_path(unit, root.name), sig.result or UNKNOWN)
    found = _in_views(unit, root, replace(query, as_of=_read_points(unit, root)))
    part = reading.with_added(Module("", "", predicates=tuple(whole.shapes), queries=(found,)))
    return Fragment(unit.id, part, (*whole.traces, *reading.folds))


@dataclass(slots=True)
class _Whole:
    """A query while its selects are lowered. `tables`: the locals of what a `with` names, so far."""

    root: nodes.QueryDecl
    reading: Reading
    params: tuple[Param, ...]
    tables: list[int] = field(default_factory=list)
    shapes: list[Predicate] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)


def _query(whole: _Whole, select: nodes.Select, path: str, promised: Type) -> Query:
    """The query of a select that answers under a path; the tables before it stay known."""
    known = len(whole.tables)
    tables = tuple(_table(whole, part, path) for core in cores(select) for part in core.withs)
    first = _core(whole, need(select.core), select, path, 0)
    operands = []
    for number, operand in enumerate(select.operands, 1):
        other = _core(whole, need(operand.core), None, path, number)
        op = need(operand.op).text + (" all" if operand.all else "")
        operands.append(Operand(op, other.rule, other.columns, other.distinct, other.grouping, other.optionals))
    order, limit, offset = first.tail
    del whole.tables[known:]
    whole.shapes.append(Predicate(first.rule.key, "query", first.trace.columns))
    return Query(
        path, whole.params, promised, result_of(promised)[0], None, first.rule, first.columns,
        is_single(need(select.core), whole.reading), first.distinct or (isinstance(promised, SetOf) and not operands),
        _column_order(select, whole.reading) if operands else order, limit, offset, first.grouping, tuple(operands),
        optionals=first.optionals, tables=tables,
    )  # fmt: skip


def cores(select: nodes.Select) -> Iterable[nodes.SelectCore]:
    """The selects that are joined, the first one first."""
    return (need(select.core), *(need(operand.core) for operand in select.operands))


def _table(whole: _Whole, part: nodes.WithClause, path: str) -> Table:
    """`with name = (select …)`."""
    binding = need(whole.reading.binding_at(part.name))
    query = _query(whole, need(part.select), f"{path}.{binding.name}", ListOf(UNKNOWN))
    whole.tables.append(binding.id)
    return Table(binding.name, query)


@dataclass(frozen=True, slots=True)
class _Core:
    """One select, lowered: `tail` is `order by`, `limit` and `offset` over its variables."""

    rule: Rule
    trace: Trace
    columns: tuple[tuple[str, Type, ir.Expr], ...]
    distinct: bool
    grouping: Grouping | None
    tail: tuple[tuple[Order, ...], ir.Expr | None, ir.Expr | None]
    optionals: tuple[OptionalRows, ...] = ()


def _core(whole: _Whole, core: nodes.SelectCore, select: nodes.Select | None, path: str, number: int) -> _Core:
    """Lower one select; with `select`, what closes the whole too."""
    root, reading = whole.root, whole.reading
    draft = Draft(reading, reading.functions)
    atoms = [*need(need(core.source).body).atoms, *(need(core.where.body).atoms if core.where else ())]
    body = open_body(draft, root, atoms)
    add_atoms(atoms, body)
    inputs = [*inputs_of(root, draft), *map(draft.local, whole.tables)]
    grouped = replace(reading, grouped=[]) if is_grouped(core, select) else reading
    projection = settled(projection_of(core, grouped), reading)
    plain = select is not None and not select.operands
    tail = settled(_tail(select, grouped, plain), reading) if select is not None else ((), None, None)
    grouping = settled(_grouping(core, grouped), reading)
    columns = row_columns(body, [*inputs], (projection, tail, grouping), draft, optional_names(core, draft))
    key = query_key(path) + (str(number) if number else "")
    rule, names = canonical_rule(key, [column.term for column in columns], body.literals, "query", inputs)
    trace = trace_of(rule, names, draft, root, columns)
    known = {*inputs, *(column.term.name for column in columns if isinstance(column.term, Var))}
    optionals = [_optional(each, root, key, known, reading) for each in core.optionals]
    whole.traces += [trace, *(other for _, other in optionals)]
    return _Core(
        rule, trace, names.apply(projection), core.distinct, names.apply(grouping), names.apply(tail),
        names.apply(tuple(each for each, _ in optionals)),
    )  # fmt: skip


def _optional(
    part: nodes.OptionalFrom, root: nodes.QueryDecl, key: str, known: set[str], reading: Reading
) -> tuple[OptionalRows, Trace]:
    """The rows that a row may be joined with; `known` variables have their values from it."""
    draft, atoms = Draft(reading, reading.functions), need(part.body).atoms
    body = open_body(draft, root, atoms)
    body.bound |= known
    for name in known:
        body.tuples.pop(name, None)
    add_atoms(atoms, body)
    own = [name for name in dict.fromkeys(bound_names(body)) if is_row_variable(name, draft) and name not in known]
    inputs = [name for name in locals_in(tuple(body.literals)) if name in known]
    columns = [local_column(name, draft) for name in own]
    rule, names = canonical_rule(f"{key}{part.index}", [each.term for each in columns], body.literals, "query", inputs)
    args, made = tuple(map(ir.Local, inputs)), tuple(map(ir.Local, own))
    known |= set(own)
    return OptionalRows(rule, args, made), trace_of(rule, names, draft, root, columns)


def optional_names(core: nodes.SelectCore, draft: Draft) -> set[str]:
    """The locals that only an `optional from` introduces."""
    spans = [(part.start, part.end) for part in core.optionals]
    bindings = draft.reading.unit.inference.bindings
    inside = (each for each in bindings if any(start <= each.start < end for start, end in spans))
    return {draft.local(each.id) for each in inside}


def _grouping(core: nodes.SelectCore, reading: Reading) -> Grouping | None:
    """`group by` and `having`; the aggregates over a group are gathered while its expressions are lowered."""
    if reading.grouped is None:
        return None
    keys = lower_all(core.group.keys, reading) if core.group is not None else ()
    having = lower_expr(core.having.condition, reading) if core.having is not None else None
    return Grouping(keys, tuple(reading.grouped), having)


def _column_order(select: nodes.Select, reading: Reading) -> tuple[Order, ...]:
    """The order of several selects together: by columns of the answer."""
    keys = select.order.keys if select.order else []
    return tuple(Order(ir.Local(label_of(need(key.value))), key.descending) for key in keys)


def inputs_of(root: nodes.QueryDecl, draft: Draft) -> list[str]:
    """The locals of the parameters, in order."""
    listed = need(root.params).params
    named = [(each.name if isinstance(each, nodes.Param) else None, each) for each in listed]
    return [draft.local(need(draft.reading.binding_at(name, param)).id) for name, param in named]


def row_columns(
    body: Conjunction, inputs: Sequence[str], readers: object, draft: Draft, without: Collection[str] = ()
) -> list[Column]:
    """One column per variable of the body, `_` included; those of `exists { }` are not among them.

    What only the projection or the order reads is a column too: the rule compiler then says that nothing binds it.
    """
    read = free_locals(readers)
    rows = [name for name in bound_names(body) if is_row_variable(name, draft)]
    names = dict.fromkeys([*rows, *(name for name in read if is_row_variable(name, draft))])
    return [local_column(name, draft) for name in names if name not in inputs and name not in without]


def bound_names(body: Conjunction) -> Iterable[str]:
    """The variables that positive literals of a body bind."""
    for literal in body.literals:
        if isinstance(literal, Match):
            yield from (term.name for term in literal.terms if isinstance(term, Var))
        elif (name := getattr(literal, "var", None)) is not None:
            yield name


def is_row_variable(name: str, draft: Draft) -> bool:
    """Is it an author's variable of the body itself, or a `_` of it?"""
    return is_local(name) and draft.reading.binding(int(name[1:])).scope == -1


def projection_of(core: nodes.SelectCore, reading: Reading) -> tuple[tuple[str, Type, ir.Expr], ...]:
    """The columns of a select: name, type, value."""
    projection = need(core.projection)
    if projection.fields is None:
        value = need(projection.value)
        return ((label_of(value), reading.type_of(value), lower_expr(value, reading)),)
    values, promised = field_values(projection.fields, reading), reading.type_of(projection)
    if isinstance(promised, Named):
        return (("value", promised, make_struct(projection.fields, promised.path, values, reading)),)
    types = _record_types(core, reading)
    return tuple((name, types.get(name, UNKNOWN), expr) for name, expr in values.items())


def is_single(core: nodes.SelectCore, reading: Reading) -> bool:
    """Is a row one value, and no record of columns?"""
    projection = need(core.projection)
    return projection.fields is None or isinstance(reading.type_of(projection), Named)


def _record_types(core: nodes.SelectCore, reading: Reading) -> dict[str, Type]:
    """Types of a record projection's columns by name."""
    projection = need(core.projection)
    known = reading.type_of(projection)
    found = dict(known.fields) if isinstance(known, RecordOf) else {}
    for init in need(projection.fields).inits:
        if init.value is not None:
            found[normal(need(init.name).text)] = reading.type_of(init.value)
        elif (binding := reading.binding_at(init.name, init)) is not None:
            found.setdefault(binding.name, binding.type)
    return found


def label_of(node: View) -> str:
    """The column's name: the variable's or the field's, else `value`."""
    match node:
        case nodes.ParenExpr(inner=inner) if inner is not None:
            return label_of(inner)
        case nodes.Path(segments=[only]):
            return normal(only.text)
        case nodes.FieldExpr(name=token) if token is not None:
            return normal(token.text)
        case _:
            return "value"


def _tail(
    select: nodes.Select, reading: Reading, ordered: bool
) -> tuple[tuple[Order, ...], ir.Expr | None, ir.Expr | None]:
    """`order by`, unless it is one of columns, `limit` and `offset`."""
    keys = select.order.keys if select.order and ordered else []
    order = tuple(Order(lower_expr(key.value, reading), key.descending) for key in keys)
    if select.limit is None:
        return order, None, None
    offset = select.limit.offset
    limit = lower_expr(select.limit.count, reading)
    return order, limit, lower_expr(offset.count, reading) if offset else None
