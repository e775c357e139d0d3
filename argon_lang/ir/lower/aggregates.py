"""Aggregates (language §3.10): a literal in a rule's body, elsewhere an expression over the rows of its own rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.atoms import add_atoms, open_body
from argon_lang.ir.lower.canonical import canonical_rule
from argon_lang.ir.lower.expr import HANDLERS, lower_expr
from argon_lang.ir.lower.flatten import Conjunction, Draft, is_local
from argon_lang.ir.lower.fragment import Trace
from argon_lang.ir.lower.reading import NotLowered, Reading
from argon_lang.ir.lower.values import listed
from argon_lang.ir.lower.walk import Held, parts, rebuild
from argon_lang.ir.module import GroupFold
from argon_lang.ir.names import AGGREGATE
from argon_lang.ir.rules import Aggregate, Bind, Const, Each, Literal, Match, Term, Var
from argon_lang.program.aggregate_parts import Aggregate as Node
from argon_lang.program.aggregate_parts import parts_of, ranges_over_rows
from argon_lang.program.model import Binding, ToBinding
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import need

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Ranged:
    """What an aggregate ranges over, under construction."""

    own: tuple[Term, ...]
    value: Term
    body: tuple[Literal, ...]


def settled(part: T, reading: Reading) -> T:
    """`part`, state expressions of a rule's item, with its aggregates as expressions over rules of their own."""
    return rebuild(part, lambda each: each.fold(each.node, reading) if isinstance(each, Held) else each)


def _aggregate(node: Node, reading: Reading) -> ir.Expr:
    if reading.grouped is not None and ranges_over_rows(node):
        name, value = f"group{len(reading.grouped)}", lower_expr(parts_of(node).value, reading)
        reading.grouped.append(GroupFold(name, need(node.op).text, value, reading.type_of(node)))
        return ir.Local(name)
    return cast(ir.Expr, Held(node, _take, _fold)) if reading.in_rule else _fold(node, reading)


HANDLERS.update({nodes.AggregateCall: _aggregate, nodes.AggregateBlock: _aggregate})


def _take(node: Any, body: Conjunction, name: str | None) -> ir.Expr:
    """Add the literal of an aggregate to a rule's body, bound to `name` or to a variable of its own."""
    found, op = _ranged(node, body), need(node.op).text
    var = name or body.draft.fresh(" ".join(node.text.split()))
    type_ = body.draft.reading.type_of(node)
    body.add(Aggregate(var, op, found.own, found.value, found.body, type_, body.draft.site(node)))
    return ir.Local(var)


def _fold(node: Any, reading: Reading) -> ir.Expr:
    """The aggregate as an expression: its rule's inputs are the locals that are visible where it stands."""
    draft = Draft(replace(reading, in_rule=True), reading.functions)
    found = _ranged(node, Conjunction(draft, node))
    terms = [*found.own, found.value]
    inputs = [name for name in locals_in((*terms, found.body)) if not _is_own(reading.binding(int(name[1:])), node)]
    rule, names = canonical_rule(AGGREGATE, terms, found.body, "aggregate", inputs)
    type_ = reading.type_of(node)
    columns = (*((draft.show(each.name), reading.binding(int(each.name[1:])).type) for each in _variables(found.own)),)
    reading.folds.append(
        Trace(
            rule=rule.id,
            key=rule.key,
            item=reading.unit.id,
            name=need(node.op).text,
            start=node.start,
            end=node.end,
            names=tuple(sorted((new, draft.show(old)) for old, new in names.given.items())),
            sites=tuple(draft.spans),
            filters=0,
            columns=(*columns, ("value", type_)),
            locals=tuple(sorted((new, int(old[1:])) for old, new in names.given.items() if is_local(old))),
        )
    )
    args = tuple(ir.Local(reading.local(int(name[1:]))) for name in inputs)
    return ir.Fold(need(node.op).text, rule, args, type_)


def _variables(terms: Iterable[Term]) -> list[Var]:
    return [term for term in terms if isinstance(term, Var)]


def locals_in(whole: object) -> list[str]:
    """The item's locals in literals and terms, by first occurrence."""
    found = []
    for part in parts(whole):
        match part:
            case Var(name) | ir.Local(name) | Bind(name) | Each(name) if is_local(name):
                found.append(name)
    return list(dict.fromkeys(found))


def _is_own(binding: Binding, node: Node) -> bool:
    """Is the local introduced inside the aggregate?"""
    return node.item.node_firsts[node.index] <= binding.scope <= node.index


# -- what it ranges over ----------------------------------------------------------------------------------------------


def _ranged(node: Node, around: Conjunction) -> _Ranged:
    draft, written = around.draft, parts_of(node)
    inner = open_body(draft, node, written.atoms, around)
    if written.source is not None:
        _source(written.source, inner)
    add_atoms(written.atoms, inner)
    bindings = draft.reading.unit.inference.bindings
    own = tuple(Var(draft.local(each.id)) for each in bindings if each.scope == node.index)
    value: Term = Const(True)
    if written.value is not None:
        value = inner.term(lower_expr(written.value, draft.reading), written.value)
    elif need(node.op).text != "count":
        (value,) = own
    block = isinstance(node, nodes.AggregateBlock)
    distinct = block and need(node.op).text != "collect" and (written.value is not None or value != Const(True))
    return _Ranged(() if distinct else own, value, tuple(inner.literals))


def _source(source: nodes.ForSource, body: Conjunction) -> None:
    """`for x in xs`: x is each element of a list, each value of a many field."""
    draft, name = body.draft, need(source.name)
    meaning = draft.reading.meaning(name)
    if not isinstance(meaning, ToBinding):
        raise NotLowered(source, source.text)
    local, xs = draft.local(meaning.id), need(source.source)
    collection = lower_expr(xs, draft.reading)
    if isinstance(collection, ir.GetField) and collection.many:
        base = body.subject(body.term(collection.base, xs), collection.key, xs)
        body.add(Match(collection.key, (base, Var(local)), draft.site(source)))
        return
    items = listed(xs, collection, draft.reading)
    body.add(Each(local, body.flat(items, xs), draft.site(source)))
