"""How rows and individuals are shown: labels, facts as text, wire values, and the stamp that every answer carries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from argon_lang.engine.display import display
from argon_lang.ir.module import Module, Span
from argon_lang.ir.names import asserted, attacked_columns, attacked_key, attacked_label
from argon_lang.ir.rules import Const, Predicate
from argon_lang.ir.values import Entity, Row, StructValue, TupleValue, Value
from argon_lang.ir.wire import Wire, declared, to_wire
from argon_lang.program.reflection import KEYS
from argon_lang.program.types import Type, last_name, show
from argon_lang.runtime.base import Base
from argon_lang.runtime.envelopes import AsOf, Column, Json, Place, Position
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.schema import Schema, ambiguous, matching, not_found


@dataclass(frozen=True, slots=True)
class Labels:
    """Names for individuals in one state: a declared one by its short name, a minted one with its concept."""

    schema: Schema
    base: Base

    def of(self, entity: Entity) -> str:
        """`ada`; `Invoice #3.1`."""
        if not entity.id.startswith("#"):
            return entity.id.rsplit("::", 1)[-1]
        concept = self.concept(entity)
        return f"{concept.rsplit('::', 1)[-1]} {entity.id}" if concept else entity.id

    def concept(self, entity: Entity) -> str | None:
        """The most specific concept that an individual is asserted under."""
        held = [path for path in self.schema.concepts if self.base.holds(asserted(path), (entity,))]
        return max(held, key=lambda path: (len(self.schema.ancestors(path)), path), default=None)

    def wire(self, value: Value, ty: Type) -> Json:
        """A value in wire form, individuals with their labels."""
        return to_wire(value, ty, Wire(label=self.of))

    def row(self, row: Row, types: Iterable[Type]) -> list[Json]:
        """A row in wire form."""
        return [self.wire(value, ty) for value, ty in zip(row, types, strict=True)]

    def text(self, value: Value) -> str:
        """A value as people read it in a fact; `_` stands for any."""
        match value:
            case None:
                return "_"
            case Entity():
                return self.of(value).rsplit(" ", 1)[-1]
            case str():
                return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
            case TupleValue(relation, ends):
                return f"{relation.rsplit('::', 1)[-1]}({', '.join(map(self.text, ends))})"
            case tuple():
                return f"[{', '.join(map(self.text, value))}]"
            case StructValue(path, fields):
                inner = ", ".join(f"{name}: {self.text(part)}" for name, part in fields)
                return f"{path.rsplit('::', 1)[-1]} {{ {inner} }}"
            case _:
                return display(value)

    def fact(self, key: str, row: Row) -> str:
        """A row of any predicate key as an author would write it: `lets(ada, loft)`, `ada.name == "Ada"`."""
        if key.endswith("-"):
            return f"not_fact {self.fact(key[:-1], row)}"
        if "~" in key:
            return self.attack(key, row)
        field = self.schema.fields.get(key) or self.schema.views.get(key)
        if field is not None:
            return f"{self.text(row[0])}.{field.name} == {self.text(row[1])}"
        check = key.endswith("!")
        path = key.removesuffix("!").removesuffix("^").removesuffix("?")
        name = last_name(path).rpartition("/")[0] or last_name(path)
        shown = row[: self.schema.checks[path].arity] if check and path in self.schema.checks else row
        return f"{name}({', '.join(map(self.text, shown))})"

    def attack(self, key: str, row: Row) -> str:
        """`defeats(flies.usual(pingu))`: an attack on a default clause, as its author writes it."""
        of = attacked_key(key)
        arity = int(of.rpartition("/")[2])
        values = dict(zip(attacked_columns(key, arity), row, strict=True))
        name, label = of.rsplit("::", 1)[-1].rpartition("/")[0], attacked_label(key)
        target = f"{name}.{label}" if label else name
        return f"defeats({target}({', '.join(self.text(values.get(index)) for index in range(arity))}))"


def labels_of(reading: Reading) -> Labels:
    """The labels of a reading's state."""
    return Labels(reading.served.schema, reading.base)


def wire_of(reading: Reading) -> Wire:
    """How a caller's JSON is read in a state: the module's plain data, individuals by short name."""
    schema = reading.served.schema
    return Wire(declared(schema.module), labels_of(reading).of, schema.individual_id, partial(_type_id, schema.module))


def _type_id(module: Module, name: str) -> str:
    """The path of a concept, relation, metatype, metarel or trait by path or short name. Raises NOT_FOUND, OE0102."""
    paths = {each.path for each in module.concepts} | {each.path for each in module.relations}
    paths |= {each.metatype for each in module.concepts} | {each.metarel for each in module.relations}
    heads = (term for rule in module.rules if rule.key in KEYS for term in rule.terms)
    paths |= {term.value.id for term in heads if isinstance(term, Const) and isinstance(term.value, Entity)}
    found = [name] if name in paths else matching(name, paths)
    if len(found) > 1:
        raise ambiguous(name, found)
    if not found:
        raise not_found("type", name, paths)
    return found[0]


def columns_of(shape: Predicate) -> list[Column]:
    """A predicate's columns in wire form."""
    return [Column(name=name, type=show(ty)) for name, ty in shape.columns]


def types_of(shape: Predicate) -> list[Type]:
    """A predicate's column types."""
    return [ty for _, ty in shape.columns]


def as_of(reading: Reading) -> AsOf:
    """The read instant in wire form."""
    return AsOf(valid=iso(reading.point.valid_at), tx=reading.point.tx)


def iso(instant: datetime) -> str:
    """An instant as ISO 8601 in UTC, `Z` at its end."""
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


def place_of(span: Span) -> Place:
    """A source span in wire form."""
    return Place(
        file=span.file,
        start=Position(line=span.line, character=span.character),
        end=Position(line=span.end_line, character=span.end_character),
    )
