"""Does a stored value belong where it stands? The memberships and live tuples that a declared type asks for."""

from __future__ import annotations

from collections.abc import Iterator

from argon_lang.ir.names import asserted
from argon_lang.ir.values import Entity, MapValue, Row, TupleValue, Value
from argon_lang.program.types import Applied, ListOf, Named, OptionOf, SetOf, Type
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.schema import Schema


def is_member(reading: Reading, value: Value, ty: Type) -> bool:
    """Does a value belong to a type as far as memberships and live tuples go? True for plain data."""
    match ty:
        case OptionOf(inner):
            return value is None or is_member(reading, value, inner)
        case ListOf(element) | SetOf(element):
            return isinstance(value, tuple | frozenset) and all(is_member(reading, part, element) for part in value)
        case Applied("Map", (key, part)):
            entries = value.entries if isinstance(value, MapValue) else frozenset()
            return all(is_member(reading, a, key) and is_member(reading, b, part) for a, b in entries)
        case Named("concept", path):
            return isinstance(value, Entity) and belongs(reading, path, (value,))
        case Named("relation", path):
            return isinstance(value, TupleValue) and belongs(reading, path, value.ends)
        case _:
            return True


def may_turn_out(reading: Reading, value: Value, ty: Type) -> bool:
    """Is it unknown whether a value belongs to an open concept (semantics S3.3)?"""
    match ty:
        case OptionOf(inner):
            return may_turn_out(reading, value, inner)
        case Named("concept", path):
            concept = reading.served.schema.concepts.get(path)
            return concept is not None and concept.open and (value,) in reading.model.doubted(path)
        case _:
            return False


def belongs(reading: Reading, path: str, row: Row) -> bool:
    """Does a row belong to a concept or relation? Only an `iff` type needs derived facts."""
    if path in reading.served.schema.derived:
        return reading.model.holds(path, row)
    return asserted_under(reading, path, row)


def asserted_under(reading: Reading, path: str, row: Row) -> bool:
    """Is a row asserted under a concept or relation, or under one below it?"""
    return any(reading.base.holds(asserted(below), row) for below in reading.served.schema.descendants(path))


def types_of_subject(reading: Reading, subject: Value) -> Iterator[str]:
    """The concepts under which an individual is asserted, or the relations under which a tuple is."""
    base, schema = reading.base, reading.served.schema
    match subject:
        case Entity():
            yield from (path for path in schema.concepts if base.holds(asserted(path), (subject,)))
            yield from (path for path in schema.derived if reading.model.holds(path, (subject,)))
        case TupleValue(relation, ends):
            same = (path for path in schema.relations if schema.tuple_root(path) == relation)
            yield from (path for path in same if base.holds(asserted(path), ends))


def rooted(schema: Schema, value: Value) -> Value:
    """A caller's value with every relation tuple in it under the name by which tuples are known (language §3.3)."""
    match value:
        case TupleValue(relation, ends):
            return TupleValue(schema.tuple_root(relation), tuple(rooted(schema, end) for end in ends))
        case tuple():
            return tuple(rooted(schema, part) for part in value)
        case frozenset():
            return frozenset(rooted(schema, part) for part in value)
        case MapValue(entries):
            return MapValue(frozenset((rooted(schema, key), rooted(schema, part)) for key, part in entries))
        case _:
            return value
