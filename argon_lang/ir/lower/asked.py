"""Queries that rules ask (language §3.8, §3.10): each as a function whose body is put in place of its calls.

The rows of a select are gathered by an aggregate over its atoms, so a rule reads them from a lower stratum, its proofs
show them, and it is kept up with changes as with any other aggregate. What closes the select is computed of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import cast

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.aggregates import locals_in
from argon_lang.ir.lower.atoms import add_atoms, open_body
from argon_lang.ir.lower.canonical import canonical_rule
from argon_lang.ir.lower.expr import lower_all, lower_expr
from argon_lang.ir.lower.flatten import Conjunction, Draft
from argon_lang.ir.lower.queries import (
    bound_names,
    cores,
    extent_shape,
    inputs_of,
    is_row_variable,
    is_single,
    label_of,
    optional_names,
    projection_of,
    result_of,
    row_columns,
    signature_of,
)
from argon_lang.ir.lower.reading import NotAsked, NotLowered, Reading
from argon_lang.ir.lower.rules import declared_path
from argon_lang.ir.lower.walk import Held, map_children
from argon_lang.ir.module import Function, GroupFold, Param
from argon_lang.ir.names import AGGREGATE
from argon_lang.ir.rules import Bind, Each, Match, Term, Var
from argon_lang.ir.values import zero_of
from argon_lang.program.aggregate_parts import is_grouped
from argon_lang.program.truth import answer_node
from argon_lang.program.types import BOOL, INT, UNKNOWN, ListOf, SetOf
from argon_lang.program.view import Unit
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import need

ROWS = ListOf(UNKNOWN)
_TAKEN = {"one": "rows_only", "optional": "rows_at_most_one"}


def query_function(unit: Unit, root: nodes.QueryDecl, functions: Mapping[str, Function]) -> Function:
    """The query as a function of its parameters; its value is a list of rows, or of at most one for `Each`.

    Raises NotAsked, and NotLowered where a part of it has no form in a rule.
    """
    if root.across is not None or root.as_of or answer_node(root.result, unit.scope)[1]:
        raise NotAsked("a query without `across`, `as_of` and `Truth4Of`: a rule is about one state in one view")
    sig = signature_of(unit)
    reading = Reading(unit, in_rule=True, functions=functions)
    asked = _Asked(reading, root, Draft(reading, functions))
    names = inputs_of(root, asked.draft)
    asked.given = {name: ir.Local(name) for name in names}
    params = tuple(Param(name, each.type) for name, each in zip(names, sig.params, strict=True))
    result = sig.result or UNKNOWN
    body = asked.extent() if root.body is None else asked.answer(root.body, isinstance(result, SetOf))
    kind = result_of(result)[0]
    if kind in _TAKEN:
        body = ir.Builtin(_TAKEN[kind], (body,), ListOf(result))
    elif isinstance(result, SetOf):
        body = ir.Builtin("to_set", (body,), result)
    return Function(declared_path(unit, root.name), params, result, body, True)


@dataclass(frozen=True, slots=True)
class Readers(Mapping[str, Function]):
    """What takes the place of calls in rules: functions that read the state, and queries, each made on first use.

    Raises NotAsked for a query that a rule cannot ask.
    """

    functions: Mapping[str, Function]
    queries: Mapping[str, tuple[Unit, nodes.QueryDecl]]
    made: dict[str, Function | NotAsked] = field(default_factory=dict, compare=False)

    def __getitem__(self, path: str) -> Function:
        """The function, or the query as one."""
        if path in self.functions:
            return self.functions[path]
        if path not in self.made:
            self.made[path] = NotAsked("a query that does not ask itself")
            self.made[path] = self._query(path)
        found = self.made[path]
        if isinstance(found, NotAsked):
            raise found
        return found

    def _query(self, path: str) -> Function | NotAsked:
        try:
            return query_function(*self.queries[path], self)
        except NotAsked as refusal:
            return refusal
        except NotLowered as refusal:
            return NotAsked(refusal.nearest or f"a query without `{' '.join(refusal.construct.split())}`")

    def __iter__(self) -> Iterator[str]:
        """The paths."""
        return chain(self.functions, self.queries)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.functions) + len(self.queries)

    def __contains__(self, path: object) -> bool:
        """Is it one of them? Nothing is made."""
        return path in self.functions or path in self.queries


@dataclass(slots=True)
class _Asked:
    """A query while it is made. `given`: the parameters, and the rows of each `with`, by the local that means them."""

    reading: Reading
    root: nodes.QueryDecl
    draft: Draft
    given: dict[str, ir.Expr] = field(default_factory=dict)

    def extent(self) -> ir.Expr:
        """The rows of a concept, relation or predicate."""
        written, _ = answer_node(self.root.result, self.reading.unit.scope)
        inner = written.element if isinstance(written, nodes.ListType) else written
        path = inner.path if isinstance(inner, nodes.NamedType) else None
        key, columns = extent_shape(inner, self.reading, self.reading.declared(path))
        body = Conjunction(self.draft, self.root)
        terms = tuple(Var(self.draft.fresh(name)) for name, _ in columns)
        body.add(Match(key, terms, self.draft.site(self.root)))
        made = tuple(ir.Local(term.name) for term in terms)
        return self._fold(body, (), made[0] if len(made) == 1 else ir.MakeList(made))

    def answer(self, select: nodes.Select, as_set: bool) -> ir.Expr:
        """What a call yields: the rows of a select; of one column that is no record, its values."""
        core = need(select.core)
        single = is_single(core, self.reading)
        if single and not (core.withs or select.operands or select.order or is_grouped(core, select)):
            body, own = self._opened(core)
            ((_, _, value),) = projection_of(core, self.reading)
            rows = self._fold(body, () if as_set or core.distinct else own, self._kept(value, body))
            return self._window(select, rows)
        rows = self._rows(select)
        return self._each(rows, lambda row: _item(row, 0)) if single else rows

    def _rows(self, select: nodes.Select) -> ir.Expr:
        """The rows of a whole select, each a list of its columns; the tables before it stay known."""
        known = dict(self.given)
        for part in (part for core in cores(select) for part in core.withs):
            self.given[self.draft.local(need(self.reading.binding_at(part.name)).id)] = self._rows(need(part.select))
        plain = None if select.operands else select.order
        rows = self._core(need(select.core), select, plain.keys if plain is not None else ())
        for operand in select.operands:
            op = need(operand.op).text + (" all" if operand.all else "")
            rows = ir.Builtin("rows_joined", (ir.Lit(op), rows, self._core(need(operand.core), None, ())), ROWS)
        if select.operands and select.order is not None:
            rows = self._by_columns(rows, select)
        self.given = known
        return self._window(select, rows)

    def _by_columns(self, rows: ir.Expr, select: nodes.Select) -> ir.Expr:
        """Several selects together, ordered by columns of the answer."""
        names = [name for name, _, _ in projection_of(need(select.core), self.reading)]
        keys = need(select.order).keys
        places = [names.index(label_of(need(key.value))) for key in keys]
        pairs = self._each(rows, lambda row: _pair((row,), tuple(_item(row, place) for place in places), False))
        return _arranged(pairs, keys, False)

    def _core(self, core: nodes.SelectCore, select: nodes.Select | None, keys: Sequence[nodes.OrderKey]) -> ir.Expr:
        """The rows of one select in the order that its keys say."""
        body, own = self._opened(core)
        if is_grouped(core, select):
            return _arranged(self._groups(core, keys, body, own), keys, core.distinct)
        columns = tuple(self._kept(value, body) for _, _, value in projection_of(core, self.reading))
        order = tuple(self._kept(lower_expr(key.value, self.reading), body) for key in keys)
        return _arranged(self._fold(body, own, _pair(columns, order)), keys, core.distinct)

    def _groups(
        self, core: nodes.SelectCore, order: Sequence[nodes.OrderKey], body: Conjunction, own: tuple[Term, ...]
    ) -> ir.Expr:
        """A pair of columns and order keys for each group of which the condition holds."""
        folds: list[GroupFold] = []
        reading = replace(self.reading, grouped=folds)
        columns = tuple(value for _, _, value in projection_of(core, reading))
        sorting = lower_all((need(key.value) for key in order), reading)
        having = lower_expr(core.having.condition, reading) if core.having is not None else None
        keys = lower_all(core.group.keys, self.reading) if core.group is not None else ()
        values = tuple(self._kept(value, body) for value in (*keys, *(fold.value for fold in folds)))
        rows = ir.Builtin("rows_grouped", (self._fold(body, own, ir.MakeList(values)), ir.Lit(len(keys))), ROWS)
        group = ir.Local(self.draft.fresh())
        places = {fold.name: (fold, place) for place, fold in enumerate(folds, len(keys))}

        def of_group(expr: ir.Expr) -> ir.Expr:
            if expr in keys:
                return _item(_item(group, 0), keys.index(expr))
            if isinstance(expr, ir.Local) and expr.name in places:
                fold, place = places[expr.name]
                parts = (ir.Lit(fold.op), ir.Lit(zero_of(fold.type)), group, ir.Lit(place))
                return ir.Builtin("rows_folded", parts, fold.type)
            return map_children(expr, of_group)

        made = _pair(tuple(map(of_group, columns)), tuple(map(of_group, sorting)))
        return ir.Comprehend(group.name, rows, None if having is None else of_group(having), made)

    def _window(self, select: nodes.Select, rows: ir.Expr) -> ir.Expr:
        """What `limit` and `offset` leave of the rows."""
        if select.limit is None:
            return rows
        count, offset = lower_expr(select.limit.count, self.reading), select.limit.offset
        start = lower_expr(offset.count, self.reading) if offset is not None else ir.Lit(0)
        return ir.Builtin("slice", (rows, start, ir.Binary("+", start, count, INT)), ROWS)

    def _each(self, rows: ir.Expr, made: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
        """The list of what each row becomes."""
        row = self.draft.fresh()
        return ir.Comprehend(row, rows, None, made(ir.Local(row)))

    # -- the rows of one select ---------------------------------------------------------------------------------------

    def _opened(self, core: nodes.SelectCore) -> tuple[Conjunction, tuple[Term, ...]]:
        """The literals of a select's atoms, and the variables of which each combination is a row."""
        atoms = [*need(need(core.source).body).atoms, *(need(core.where.body).atoms if core.where else ())]
        body = open_body(self.draft, self.root, atoms)
        add_atoms(atoms, body)
        columns = row_columns(body, list(self.given), (), self.draft, optional_names(core, self.draft))
        own = [column.term for column in columns]
        for part in core.optionals:
            own += self._joined(part, body)
        return body, tuple(own)

    def _joined(self, part: nodes.OptionalFrom, around: Conjunction) -> list[Term]:
        """Join each row with its optional ones, or with one whose variables are absent; those variables."""
        draft, atoms, known = self.draft, need(part.body).atoms, {*around.bound, *self.given}
        body = open_body(draft, self.root, atoms)
        body.bound |= known
        for name in known:
            body.tuples.pop(name, None)
        add_atoms(atoms, body)
        found = dict.fromkeys(bound_names(body))
        own = [name for name in found if is_row_variable(name, draft) and name not in known]
        terms = tuple(map(Var, own))
        inputs = {name: ir.Local(name) for name in locals_in(tuple(body.literals)) if name in known}
        rows = self._fold(body, terms, ir.MakeList(tuple(map(ir.Local, own))), inputs)
        row, site = draft.fresh(), draft.site(part)
        parts = (around.flat(rows, part), ir.Lit(len(own)))
        around.add(Each(row, ir.Builtin("rows_or_absent", parts, ROWS), site))
        for place, name in enumerate(own):
            around.add(Bind(name, _item(ir.Local(row), place), site))
        return list(terms)

    def _fold(
        self, body: Conjunction, own: Sequence[Term], value: ir.Expr, given: Mapping[str, ir.Expr] | None = None
    ) -> ir.Expr:
        """The value of each solution of a body, once for each combination of `own`, and those in order."""
        known = self.given if given is None else given
        terms = [*own, body.term(value, self.root)]
        inputs = [name for name in known if name in set(locals_in((tuple(terms), tuple(body.literals))))]
        rule, _ = canonical_rule(AGGREGATE, terms, body.literals, "aggregate", inputs)
        return ir.Fold("values", rule, tuple(known[name] for name in inputs), ROWS)

    def _kept(self, expr: ir.Expr, body: Conjunction) -> ir.Expr:
        """A column's value: an optional field that is absent makes it absent, and the row stays."""
        reads: list[ir.Expr] = []

        def read(part: ir.Expr | Held) -> ir.Expr:
            if isinstance(part, Held):
                return cast(ir.Expr, part)
            if isinstance(part, ir.GetField) and (part.optional or part.many or isinstance(part.base, ir.GetField)):
                found = body.gathered(body.term(read(part.base), self.root), part.key, self.root)
                reads.append(found if part.many else ir.Builtin("first", (found,), UNKNOWN))
                return reads[-1]
            return map_children(part, read)

        made = read(expr)
        for each in () if isinstance(expr, ir.GetField) else reads:
            made = ir.If(ir.Builtin("is_none", (each,), BOOL), ir.Lit(None), made)
        return body.flat(made, self.root)


def _item(row: ir.Expr, place: int) -> ir.Expr:
    return ir.Builtin("index", (row, ir.Lit(place)), UNKNOWN)


def _pair(columns: tuple[ir.Expr, ...], order: tuple[ir.Expr, ...], wrapped: bool = True) -> ir.Expr:
    """A row with what it is ordered by. One that is a list already is not `wrapped` anew."""
    row = ir.MakeList(columns) if wrapped else columns[0]
    return ir.MakeList((row, ir.MakeList(order)))


def _arranged(pairs: ir.Expr, keys: Sequence[nodes.OrderKey], distinct: bool) -> ir.Expr:
    """The rows of pairs in the order of their keys; else in that of their columns."""
    falling = ir.Lit(tuple(key.descending for key in keys))
    return ir.Builtin("rows_arranged", (pairs, falling, ir.Lit(distinct)), ROWS)
