"""Clauses of derived predicates and checks, and what they share with query bodies (language §3.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.aggregates import settled
from argon_lang.ir.lower.atoms import add_atoms, add_membership, open_body
from argon_lang.ir.lower.canonical import Renaming, canonical_rule
from argon_lang.ir.lower.constants import constant
from argon_lang.ir.lower.expr import lower_expr, named_value
from argon_lang.ir.lower.flatten import Conjunction, Draft, is_local
from argon_lang.ir.lower.fragment import Attack, Defeasible, Fragment, Trace
from argon_lang.ir.lower.reading import NotLowered, Reading
from argon_lang.ir.lower.walk import free_locals
from argon_lang.ir.module import Check, Function, Module
from argon_lang.ir.names import check_key, derived_key
from argon_lang.ir.rules import Const, Predicate, Rule, Term, Var
from argon_lang.program.defeat import default_of, label_of, targets
from argon_lang.program.model import Binding, ToBinding, ToSymbol
from argon_lang.program.paths import name_of
from argon_lang.program.types import UNKNOWN, Type
from argon_lang.program.view import Unit
from argon_lang.quick import quick
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View, need

Functions = Mapping[str, Function]


@quick
@dataclass(frozen=True, slots=True)
class Column:
    """A head column: its term under construction, its name for the schema, its type, its filter type if any."""

    term: Term
    name: str
    type: Type
    filter: Type | None = None
    node: View | None = None


def lower_derive(unit: Unit, root: nodes.DeriveDecl, functions: Functions, heads: tuple[Type, ...] = ()) -> Fragment:
    """A clause; without a body it is a ground fact of the predicate. `heads` are what a trait asks for in its columns,
    which bind as atoms of the body do."""
    draft = Draft(Reading(unit, in_rule=True, functions=functions), functions)
    columns = head_columns(need(root.head), draft)
    body = _body(draft, root, root.body, columns, heads)
    key = derived_key(declared_path(unit, root.name), len(columns))
    default, attacks = default_site(root, draft), attacks_of(root, draft)
    rule, names = canonical_rule(key, [column.term for column in columns], body.literals, "clause")
    defeasible: tuple[Defeasible, ...] = ()
    if default is not None or attacks:
        defeasible = (Defeasible(rule.id, default, label_of(root), names.apply(attacks)),)
    trace = trace_of(rule, names, draft, root, columns)
    part = draft.reading.with_added(Module("", "", rules=(rule,)))
    return Fragment(unit.id, part, (trace,), defeasible=defeasible)


def lower_check(unit: Unit, root: nodes.CheckDecl, functions: Functions, asked: tuple[Type, ...] = ()) -> Fragment:
    """A check: its violation's key is the head, then come the other variables that the report reads. `asked` is what
    a trait asks for."""
    draft = Draft(Reading(unit, in_rule=True, functions=functions), functions)
    columns = head_columns(need(root.head), draft)
    body = _body(draft, root, root.body, columns, asked)
    report = settled(lower_expr(need(root.report).value, draft.reading), draft.reading)
    heads = {column.term.name for column in columns if isinstance(column.term, Var)}
    all_columns = [*columns, *(local_column(name, draft) for name in free_locals(report) if name not in heads)]
    path = declared_path(unit, root.name)
    terms = [column.term for column in all_columns]
    rule, names = canonical_rule(check_key(path), terms, body.literals, "check")
    check = Check(path, len(columns), rule, names.apply(report), unit.standpoint)
    trace = trace_of(rule, names, draft, root, all_columns)
    shape = Predicate(rule.key, "check", trace.columns)
    return Fragment(
        unit.id,
        draft.reading.with_added(Module("", "", predicates=(shape,), checks=(check,))),
        (trace, *draft.reading.folds),
    )


def _body(
    draft: Draft, root: View, written: nodes.Body | None, columns: Sequence[Column], heads: tuple[Type, ...]
) -> Conjunction:
    atoms = written.atoms if written else []
    body = open_body(draft, root, atoms)
    for column, asked in zip(columns, heads, strict=False):
        add_membership(need(column.node), column.term, asked, body)
    add_atoms(atoms, body)
    plain = len(body.literals)
    for column in columns:
        if column.filter is not None:
            add_membership(need(column.node), column.term, column.filter, body)
    draft.filters = len(body.literals) - plain
    return body


def default_site(root: nodes.DeriveDecl, draft: Draft) -> int | None:
    """The site of a clause's `#[default]`."""
    attribute = default_of(root)
    return None if attribute is None else draft.site(attribute)


def attacks_of(root: nodes.DeriveDecl, draft: Draft) -> tuple[Attack, ...]:
    """What the clause's `#[defeats]` attack, in the draft's variables. Raises NotLowered."""
    found = []
    for target in targets(root):
        meaning = draft.reading.meaning(target.path)
        if not isinstance(meaning, ToSymbol) or meaning.arity is None:
            raise NotLowered(target.path, target.path.text)
        terms = tuple(None if isinstance(each, nodes.Wildcard) else _target_term(each, draft) for each in target.args)
        key = derived_key(meaning.path, meaning.arity)
        found.append(Attack(key, target.label_name, terms, draft.site(target.attribute)))
    return tuple(found)


def _target_term(node: View, draft: Draft) -> Term:
    meaning = draft.reading.meaning(node)
    if isinstance(meaning, ToBinding):
        return Var(draft.local(meaning.id))
    value = constant(lower_expr(node, draft.reading))
    if value is None:
        raise NotLowered(node, node.text)
    return Const(value.value)


def declared_path(unit: Unit, name: nodes.Name | None) -> str:
    """Canonical path of what the item declares."""
    return f"{unit.module}::{need(name_of(name))}{unit.suffix}"


# -- heads ------------------------------------------------------------------------------------------------------------


def head_columns(head: nodes.HeadParams, draft: Draft) -> list[Column]:
    """The columns of a rule's head."""
    return [_head_column(param, index, draft) for index, param in enumerate(head.params)]


def _head_column(param: View, index: int, draft: Draft) -> Column:
    reading = draft.reading
    if isinstance(param, nodes.HeadVar):
        meaning = reading.meaning(param, param.name)
        binding = reading.binding_at(param.name, param)
        if binding is not None and (meaning is None or isinstance(meaning, ToBinding)):
            written = reading.written_type(param.type) if param.type else None
            term = Var(draft.local(binding.id))
            return Column(term, binding.name, written or binding.type, written, param)
        param = need(param.name)
    value = _head_value(param, draft)
    return Column(Const(value.value), str(index), reading.type_of(param), None, param)


def _head_value(param: View, draft: Draft) -> ir.Lit:
    if isinstance(param, nodes.Name):
        expr = named_value(param, draft.reading.meaning(param, param.parent), draft.reading)
    else:
        expr = lower_expr(param, draft.reading)
    value = constant(expr)
    if value is None:
        raise NotLowered(param, param.text)
    return value


def local_column(name: str, draft: Draft) -> Column:
    """A column that carries one of the item's variables."""
    binding = draft.reading.binding(int(name[1:])) if is_local(name) else None
    return Column(Var(name), draft.show(name), _type(binding))


def _type(binding: Binding | None) -> Type:
    return binding.type if binding else UNKNOWN


# -- results ----------------------------------------------------------------------------------------------------------


def trace_of(rule: Rule, names: Renaming, draft: Draft, root: View, columns: Sequence[Column]) -> Trace:
    """How to get back from a rule to the text of its item."""
    return Trace(
        rule=rule.id,
        key=rule.key,
        item=draft.reading.unit.id,
        name=need(name_of(getattr(root, "name", None))),
        start=root.start,
        end=root.end,
        names=tuple(sorted((new, draft.show(old)) for old, new in names.given.items())),
        sites=tuple(draft.spans),
        filters=draft.filters,
        columns=tuple((column.name, column.type) for column in columns),
        locals=tuple(
            sorted((new, int(old[1:])) for old, new in names.given.items() if old[1:].isdigit() and old[0] == "$")
        ),
    )
