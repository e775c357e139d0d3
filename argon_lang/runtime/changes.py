"""Changes of base facts: as statements to run, and as the text that one may paste into `argon mutate --eval` (S6.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from argon_lang.engine.display import display
from argon_lang.engine.order import SortKey, row_key
from argon_lang.ir.expr import Expr, Lit
from argon_lang.ir.statements import (
    DeleteMembership,
    DeleteTuple,
    InsertElement,
    InsertMembership,
    InsertTuple,
    Refute,
    Statement,
    Update,
)
from argon_lang.ir.values import Entity, EnumValue, Money, Row, TupleValue, Value
from argon_lang.runtime.schema import Schema
from argon_lang.runtime.shown import Labels

Op = Literal["insert", "delete", "set", "add", "drop", "refute"]
_EACH = "each_tuple"


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `insert`, `delete`: a membership or tuple (asserted key). `set`, `add`, `drop`: a field's value, of a
    plain field or one of many. `refute`: what is said against a row of any key. `given` are the fields that an insert
    must supply, by key.
    """

    op: Op
    key: str
    row: Row
    given: tuple[tuple[str, Value], ...] = ()

    @property
    def order(self) -> tuple[str, str, SortKey]:
        """Its place among others."""
        return self.op, self.key, row_key(self.row)

    @property
    def values(self) -> tuple[Value, ...]:
        """All values in it."""
        return (*self.row, *(value for _, value in self.given))

    @property
    def path(self) -> str:
        """The concept, relation or field that it is about."""
        return self.key.removesuffix("^")


class Unwritable(Exception):
    """A value that has no literal, or one that would have to be invented."""


# -- as statements ----------------------------------------------------------------------------------------------------


def statement(schema: Schema, change: Change) -> Statement:
    """The change as a statement that runs."""
    values = tuple(map(Lit, change.row))
    given = tuple((key, Lit(value)) for key, value in change.given)
    match change.op:
        case "insert" if change.path in schema.relations:
            return InsertTuple(change.path, values, given, None, None, None)
        case "insert":
            return InsertMembership(values[0], change.path, given, None, None, None)
        case "delete" if change.path in schema.relations:
            return DeleteTuple(change.path, values, None)
        case "delete":
            return DeleteMembership(values[0], change.path, None)
        case "add":
            return InsertElement(values[1], values[0], change.key)
        case "set":
            return _update(schema, change, "=", values)
        case "drop":
            return _update(schema, change, "-=", values)
        case "refute":
            return Refute(change.key, values, None)


def _update(schema: Schema, change: Change, operator: str, values: tuple[Expr, ...]) -> Update:
    owner = schema.owner_type(change.key).path
    return Update(_EACH, values[0], owner, ((change.key, operator, values[1]),), None, None)


# -- as text ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """Statements to paste, and the arguments of the individuals that no name of the language reaches."""

    source: str
    args: Mapping[str, str]


def text_of(labels: Labels, changes: tuple[Change, ...], *, by_argument: bool) -> Text:
    """The changes as one text; `by_argument` hands in declared individuals too. Raises Unwritable."""
    names: dict[Entity, str] = {}
    params: list[str] = []
    for entity in dict.fromkeys(each for change in changes for value in change.values for each in _individuals(value)):
        if entity.id.startswith("#") or by_argument:
            concept = labels.concept(entity)
            if concept is None:
                raise Unwritable
            short = concept.rsplit("::", 1)[-1]
            names[entity] = f"{short.lower()}_{len(names) + 1}"
            params.append(f"{names[entity]}: {short}")
    written = [words(labels.schema, change, names) for change in changes]
    if not names:
        return Text(" ".join(written), {})
    source = f"mutate suggested({', '.join(params)}) {{ {' '.join(written)} }}"
    return Text(source, {name: entity.id for entity, name in names.items()})


def words(schema: Schema, change: Change, names: Mapping[Entity, str]) -> str:
    """One change as a statement of the language. Raises Unwritable."""
    name = _short(change.path.rpartition("/")[0] or change.path)
    ends = ", ".join(literal(value, names) for value in change.row)
    given = ", ".join(f"{schema.fields[key].name}: {literal(value, names)}" for key, value in change.given)
    more = f" {{ {given} }}" if given else ""
    match change.op:
        case "insert" if change.path in schema.relations:
            return f"insert {name}({ends}){more};"
        case "insert":
            return f"insert iof({ends}, {name}){more};"
        case "delete" if change.path in schema.relations:
            return f"delete {name}({ends});"
        case "delete":
            return f"delete iof({ends}, {name});"
        case "refute":
            return f"refute {name}({ends});"
        case _:
            return _field_words(schema, change, names)


def _field_words(schema: Schema, change: Change, names: Mapping[Entity, str]) -> str:
    subject, value = change.row
    field = schema.fields[change.key].name
    if change.op == "add" and isinstance(subject, Entity):
        return f"insert {literal(value, names)} into {literal(subject, names)}.{field};"
    operator = {"set": "=", "add": "+=", "drop": "-="}[change.op]
    sets = f"set {{ {field} {operator} {literal(value, names)} }}"
    if not isinstance(subject, TupleValue):
        return f"update {literal(subject, names)} {sets};"
    ends = zip(schema.relations[subject.relation].ends, subject.ends, strict=True)
    where = " && ".join(f"{_EACH}.{name} == {literal(end, names)}" for (name, _), end in ends)
    return f"update {_EACH}: {_short(subject.relation)} {sets} where {where};"


def literal(value: Value, names: Mapping[Entity, str]) -> str:
    """A value as one writes it. Raises Unwritable."""
    match value:
        case Entity():
            return names.get(value) or _short(value.id)
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        case bool() | int() | Decimal() | Fraction() | Money():
            return display(value)
        case datetime():
            return f"#{value.astimezone(UTC).isoformat().replace('+00:00', 'Z')}#"
        case date():
            return f"#{value.isoformat()}#"
        case EnumValue(path, variant, payload) if not any(isinstance(each, tuple) for each in payload):
            inner = ", ".join(literal(each, names) for each in payload)
            return f"{_short(path)}::{variant}" + (f"({inner})" if payload else "")
        case _:
            raise Unwritable


def _individuals(value: Value) -> Iterator[Entity]:
    if isinstance(value, Entity):
        yield value
    elif isinstance(value, TupleValue):
        for end in value.ends:
            yield from _individuals(end)


def _short(path: str) -> str:
    return path.rsplit("::", 1)[-1]
