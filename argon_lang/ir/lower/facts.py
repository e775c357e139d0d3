"""Declared facts (language §3.7): rows of asserted and field keys with the interval in which they are valid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.constants import as_type, constant
from argon_lang.ir.lower.defaults import put_defaults
from argon_lang.ir.lower.expr import field_values, lower_expr, predicate_key
from argon_lang.ir.lower.fragment import Fragment, Summary
from argon_lang.ir.lower.keys import field_of, field_owner
from argon_lang.ir.lower.reading import NotLowered, Reading, subject_of
from argon_lang.ir.lower.walk import parts
from argon_lang.ir.module import DEFAULT, Claim, Fact, Function, Module
from argon_lang.ir.names import asserted
from argon_lang.ir.values import Entity, Row, TupleValue, Value
from argon_lang.program.model import ToSymbol
from argon_lang.program.types import UNKNOWN, ListOf, Named, OptionOf, Type
from argon_lang.program.view import Unit
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View, need


def lower_fact(unit: Unit, root: nodes.FactDecl, functions: Mapping[str, Function]) -> Fragment:
    """The rows of one `fact`, and the individuals that it names. Raises NotLowered where a value is no constant.

    While a struct's default that a value needs is not among `functions`, the fragment is empty but for that need.
    """
    reading = Reading(unit)
    defaults = {path: each.body for path, each in functions.items()}
    values = {name: put_defaults(value, defaults) for name, value in field_values(root.fields, reading).items()}
    missing = {part.path for part in parts(tuple(values.values())) if isinstance(part, ir.CallFn)}
    if missing:
        return Fragment(unit.id, needs=Summary(calls=frozenset(missing)))
    args = need(root.args).args
    if root.negative and (key := predicate_key(reading.meaning(root.predicate), len(args))) is not None:
        return _denied(unit, root, key, values, reading)
    owner = fact_subject(root, reading)
    row = tuple(
        as_type(constant_value(arg, reading), type_)
        for arg, type_ in zip(args, column_types(owner, len(args), reading), strict=True)
    )
    start, end = _instant(root.at, reading), _instant(root.until, reading)
    facts = [Fact(asserted(owner.path), row, start, end)]
    for name, value in values.items():
        facts += _field_rows(root, row, owner, name, value, start, end, reading)
    individuals = tuple((value.id, value) for value in row if isinstance(value, Entity))
    if unit.standpoint != DEFAULT:
        claims = tuple(Claim(fact, unit.standpoint) for fact in facts)
        return Fragment(unit.id, Module("", "", individuals=individuals, claims=claims))
    return Fragment(unit.id, Module("", "", individuals=individuals, facts=tuple(facts)))


def _denied(unit: Unit, root: nodes.FactDecl, key: str, values: Mapping[str, ir.Expr], reading: Reading) -> Fragment:
    """A strong negative: of a closed or derived row, and of the field values that it names."""
    args, meaning = need(root.args).args, reading.meaning(root.predicate)
    types: tuple[Type, ...] = (UNKNOWN,) * len(args)
    owner = None
    if isinstance(meaning, ToSymbol) and meaning.kind == "predicate":
        sig = reading.declarations.callable("predicate", meaning.path, meaning.arity)
        types = tuple(each.type for each in sig.params) if sig is not None else types
    else:
        owner = fact_subject(root, reading)
        types = column_types(owner, len(args), reading)
    row = tuple(as_type(constant_value(arg, reading), type_) for arg, type_ in zip(args, types, strict=True))
    start, end = _instant(root.at, reading), _instant(root.until, reading)
    facts = [Fact(key, row, start, end)]
    for name, value in values.items():
        facts += _field_rows(root, row, need(owner), name, value, start, end, reading)
    individuals = tuple((value.id, value) for value in row if isinstance(value, Entity))
    claims = tuple(Claim(fact, unit.standpoint, against=True) for fact in facts)
    return Fragment(unit.id, Module("", "", individuals=individuals, claims=claims))


def fact_subject(root: nodes.FactDecl, reading: Reading) -> Named:
    """The concept or relation that a fact is about."""
    return subject_of(need(root.predicate), reading)


def column_types(owner: Named, count: int, reading: Reading) -> tuple[Type, ...]:
    """The types of the arguments of a fact."""
    relation = reading.declarations.relation(owner.path) if owner.kind == "relation" else None
    return tuple(end.type for end in relation.ends) if relation else (owner,) * count


def constant_value(node: View, reading: Reading) -> Value:
    """The value of a constant expression. Raises NotLowered."""
    found = constant(lower_expr(node, reading))
    if found is None:
        raise NotLowered(node, node.text, "a literal")
    return found.value


def _field_rows(
    root: nodes.FactDecl,
    row: Row,
    owner: Named,
    name: str,
    value: ir.Expr,
    start: datetime | None,
    end: datetime | None,
    reading: Reading,
) -> list[Fact]:
    found, given = field_of(reading.declarations, owner, name), constant(value)
    if found is None or given is None:
        raise NotLowered(root.fields, name, "a literal")
    sig, key = found
    subject = row[0] if owner.kind == "concept" else TupleValue(field_owner(key), row)
    return [Fact(key, (subject, each), start, end) for each in field_elements(as_type(given.value, sig.type), sig.type)]


def field_elements(value: Value, type_: Type) -> Iterable[Value]:
    """What a field's rows hold: each element of a many field, nothing where an optional one is absent."""
    inner = type_.inner if isinstance(type_, OptionOf) else type_
    if isinstance(inner, ListOf) and isinstance(value, tuple):
        return dict.fromkeys(value)
    return () if value is None else (value,)


def _instant(clause: nodes.AtClause | nodes.UntilClause | None, reading: Reading) -> datetime | None:
    """The instant of `at` or `until`; a Date is midnight UTC."""
    if clause is None:
        return None
    value = constant_value(need(clause.value), reading)
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    raise NotLowered(clause, clause.text, "a date")
