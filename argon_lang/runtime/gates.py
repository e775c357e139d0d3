"""The construction gates of a write (semantics S7.2, S7.4): what must hold of the rows themselves, before any check.

They look at what the transaction touched, at each instant that it wrote, and refuse with a catalog code:
OE0229 (an endpoint or field value that is not what its declaration needs), OE0632 (too many values at one end, too many
or too few elements of a bounded field), OE0244 (a membership that something live still needs).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime

from argon_lang.engine.display import display
from argon_lang.ir.module import Concept, Field, Relation
from argon_lang.ir.names import asserted
from argon_lang.ir.values import Entity, Row, TupleValue, Value
from argon_lang.problems import args
from argon_lang.program.types import ListOf, Named, OptionOf, Type, show
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.schema import Schema
from argon_lang.runtime.work import GateRefusal, Work


def enforce(work: Work) -> None:
    """Raise GateRefusal when the working state breaks a gate at an instant that the transaction wrote."""
    for instant in sorted(work.instants):
        reading = work.reading_at(instant)
        _enforce_rows(work, reading, instant)
        _enforce_dropped(work, reading, instant)


def _enforce_rows(work: Work, reading: Reading, instant: datetime) -> None:
    schema = work.served.schema
    for key, row, begin in work.asserted:
        if (begin is not None and begin > instant) or row not in reading.base.get(key, {}):
            continue
        owner = key.removesuffix("^")
        if (relation := schema.relations.get(owner)) is not None and key.endswith("^"):
            _endpoints(reading, relation, row)
            for path in schema.ancestors(relation.path):
                _bounds(reading, schema.relations[path], row)
        elif (field := schema.fields.get(key)) is not None:
            _field_value(reading, field, row)


def is_member(reading: Reading, value: Value, ty: Type) -> bool:
    """Does a value belong to a type as far as memberships and live tuples go? True for plain data."""
    match ty:
        case OptionOf(inner):
            return value is None or is_member(reading, value, inner)
        case ListOf(element):
            return isinstance(value, tuple) and all(is_member(reading, part, element) for part in value)
        case Named("concept", path):
            return isinstance(value, Entity) and reading.model.holds(path, (value,))
        case Named("relation", path):
            return isinstance(value, TupleValue) and reading.model.holds(path, value.ends)
        case _:
            return True


def _endpoints(reading: Reading, relation: Relation, row: Row) -> None:
    for (name, ty), value in zip(relation.ends, row, strict=True):
        if not is_member(reading, value, ty):
            raise _not_a(value, ty, relation.path, name)


def _field_value(reading: Reading, field: Field, row: Row) -> None:
    subject, value = row
    if not is_member(reading, value, field.type):
        raise _not_a(value, field.type, field.key.rpartition(".")[0], field.name)
    if field.many and field.high is not None:
        count = len(reading.field(field.key, subject))
        if count > field.high:
            raise GateRefusal("OE0632", args(of=display(subject), name=field.name, expected=field.high, found=count))


def _not_a(value: Value, ty: Type, owner: str, endpoint: str) -> GateRefusal:
    return GateRefusal(
        "OE0229", args(name=display(value), expected=show(ty), of=owner.rsplit("::", 1)[-1], endpoint=endpoint)
    )


def _bounds(reading: Reading, relation: Relation, row: Row) -> None:
    """Upper bounds: distinct values of endpoint i for one combination of the others (language §3.3)."""
    for index, (_, high) in enumerate(relation.bounds):
        if high is None:
            continue
        bound = {i: value for i, value in enumerate(row) if i != index}
        found = {other[index] for other in reading.model.lookup(relation.path, bound)}
        if len(found) > high:
            name = relation.ends[index][0]
            short = relation.path.rsplit("::", 1)[-1]
            raise GateRefusal("OE0632", args(of=short, name=name, expected=high, found=len(found)))


def _enforce_dropped(work: Work, reading: Reading, instant: datetime) -> None:
    """A membership that ended must not be needed by a live tuple or field (OE0244)."""
    for concept, entity, begin in work.dropped:
        if begin > instant:
            continue
        needing = list(_needing(reading, work.served.schema, concept, entity))
        if needing:
            shown = ", ".join(sorted(set(needing))[:3])
            short = concept.rsplit("::", 1)[-1]
            raise GateRefusal(
                "OE0244",
                args(name=display(entity), of=short, count=len(needing), kind=_kind(needing), candidates=shown),
            )


def _kind(needing: list[str]) -> str:
    return "tuples and fields" if len(needing) > 1 else "tuple or field"


def _needing(reading: Reading, schema: Schema, concept: str, entity: Entity) -> Iterator[str]:
    """The live tuples and field values in which the individual stands at a place that it may no longer hold."""
    for relation in schema.relations.values():
        for index, (_, ty) in enumerate(relation.ends):
            if _lost(reading, ty, concept, schema, entity):
                rows = reading.base.get(asserted(relation.path), {})
                yield from (_shown(relation.path, row) for row in rows if row[index] == entity)
    for field in schema.fields.values():
        if _lost(reading, field.type, concept, schema, entity):
            yield from (display(row[0]) for row in reading.base.get(field.key, {}) if row[1] == entity)


def _lost(reading: Reading, ty: Type, concept: str, schema: Schema, entity: Entity) -> bool:
    match ty:
        case OptionOf(inner):
            return _lost(reading, inner, concept, schema, entity)
        case Named("concept", path):
            return path in schema.ancestors(concept) and not reading.model.holds(path, (entity,))
        case _:
            return False


def _shown(path: str, row: Row) -> str:
    return f"{path.rsplit('::', 1)[-1]}({', '.join(map(display, row))})"


def describe_concept(schema: Schema, concepts: Iterable[str]) -> str | None:
    """The most specific of some concepts an individual belongs to; None of none."""
    counts: Counter[str] = Counter({path: len(schema.ancestors(path)) for path in concepts})
    best: Concept | None = schema.concepts.get(max(sorted(counts), key=counts.__getitem__)) if counts else None
    return best.path if best is not None else None
