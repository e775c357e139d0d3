"""The construction gates of a write (semantics S7.2, S7.4): what must hold of the rows themselves, before any check.

They look at what the transaction touched, at each instant that it wrote and at the boundaries between, and refuse with
a catalog code: OE0229 (an endpoint, or the owner or value of a field, is not what its declaration needs), OE0202 (a
value that a narrowed field does not take), OE0632 (too many values at one end, too many or too few of a field), OE0244
(a membership or tuple that something live still needs).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from argon_lang.engine.display import display
from argon_lang.ir.module import Field, Relation
from argon_lang.ir.names import asserted
from argon_lang.ir.values import Entity, Row, TupleValue, Value
from argon_lang.problems import args
from argon_lang.program.types import Named, OptionOf, Type, show
from argon_lang.runtime.axioms import axioms, lapsed
from argon_lang.runtime.fitting import is_member, may_turn_out, types_of_subject
from argon_lang.runtime.forms import fits
from argon_lang.runtime.reading import Reading, field_subject
from argon_lang.runtime.schema import Schema, field_owner
from argon_lang.runtime.work import GateRefusal, Work

Gate = Callable[[Reading], None]
"""Raises GateRefusal when a state breaks it."""


def enforce(work: Work, reading: Reading, before: Callable[[], Reading] | None = None) -> None:
    """Raise GateRefusal when the state of `reading`, one of the transaction's, breaks a gate.

    With `before`, the same state without the transaction, not when that breaks the gate already.
    """
    for gate in (*axioms(work), *_gates(work, reading)):
        try:
            gate(reading)
        except GateRefusal:
            if before is None or not _breaks(gate, before()):
                raise


def _breaks(gate: Gate, reading: Reading) -> bool:
    try:
        gate(reading)
    except GateRefusal:
        return True
    return False


def _gates(work: Work, reading: Reading) -> Iterator[Gate]:
    """What the transaction touched, each with the gate that it is to pass."""
    judged: list[tuple[Callable[..., None], Iterable[tuple[str, Any]]]] = [
        (_Gates.relation_tuple, work.asserted),
        (_Gates.field, _fields(work)),
        (_Gates.dropped, (*work.dropped, *lapsed(work, reading))),
    ]
    for gate, touched in judged:
        yield from (partial(_pass, work, gate, *each) for each in touched)


def _pass(work: Work, gate: Callable[..., None], path: str, what: Any, reading: Reading) -> None:
    gate(_Gates(work.served.schema, reading, work.doubts), path, what)


def _fields(work: Work) -> dict[tuple[str, Value], None]:
    """The fields to judge, by key and subject: those whose values changed, and all of what was constructed."""
    found = dict(work.touched)
    for owner, subject in work.constructed:
        for field in work.served.schema.fields_of(owner).values():
            found[field.key, field_subject(field.key, subject)] = None
    return found


@dataclass(frozen=True, slots=True)
class _Gates:
    """The gates at one instant."""

    schema: Schema
    reading: Reading
    doubts: dict[tuple[str, Row], tuple[Value, str, Type]]

    def relation_tuple(self, key: str, row: Row) -> None:
        """A live relation tuple: endpoints (OE0229), upper bounds of its relation and of those above it (OE0632)."""
        relation = self.schema.relations.get(key.removesuffix("^"))
        if relation is None or not key.endswith("^") or not self.reading.base.holds(key, row):
            return
        for (name, ty), value in zip(relation.ends, row, strict=True):
            if not is_member(self.reading, value, ty):
                self.unless_unknown(value, ty, relation.path, name, key.removesuffix("^"), row)
        for path in self.schema.ancestors(relation.path):
            self.bounds(self.schema.relations[path], row)

    def unless_unknown(self, value: Value, ty: Type, owner: str, endpoint: str, key: str, row: Row) -> None:
        """OE0229, or a remark where an open world leaves it unknown."""
        if not may_turn_out(self.reading, value, ty):
            raise _not_a(value, ty, owner, endpoint)
        self.doubts[key, row] = (value, owner, ty)

    def bounds(self, relation: Relation, row: Row) -> None:
        """Distinct values of endpoint i for one combination of the others (language §3.3)."""
        for index, (_, high) in enumerate(relation.bounds):
            bound = {i: value for i, value in enumerate(row) if i != index}
            found = self.reading.model.lookup(relation.path, bound) if high is not None else ()
            if high is not None and len(found) > high:
                raise _count(_short(relation.path), relation.ends[index][0], f"at most {high}", len(found))

    def field(self, key: str, subject: Value) -> None:
        """The values of one field of one subject: who has them, how many they are, what each is."""
        values = self.reading.field(key, subject)
        owner = self.schema.owner_type(key)
        if not is_member(self.reading, subject, owner):
            if values:
                raise _not_a(subject, owner, owner.path, self.schema.fields[key].name)
            return
        for field in self.declarations(key, subject):
            self.amount(field, subject, len(values))
            for value in values:
                self.value(field, subject, value)

    def declarations(self, key: str, subject: Value) -> list[Field]:
        """The field as each most specific type of the subject declares it; subtypes may narrow it."""
        found = [self.schema.fields[key]]
        for path in types_of_subject(self.reading, subject):
            declared = self.schema.fields_of(path).get(found[0].name)
            if declared is not None and declared.key == key and declared not in found:
                found.append(declared)
        return found

    def amount(self, field: Field, subject: Value, count: int) -> None:
        """OE0632; a plain field takes one value, a many field as many as its bounds say."""
        high = field.high if field.many else 1
        if high is not None and count > high:
            raise _count(display(subject), field.name, f"at most {high}", count)
        if field.many and count < field.low:
            raise _count(display(subject), field.name, f"at least {field.low}", count)

    def value(self, field: Field, subject: Value, value: Value) -> None:
        """OE0202 for the form of a value, OE0229 for its memberships."""
        if not fits(self.schema, value, field.type):
            raise GateRefusal("OE0202", args(expected=show(field.type), found=display(value)))
        if not is_member(self.reading, value, field.type):
            owner = field_owner(field.key)
            self.unless_unknown(value, field.type, owner, field.name, field.key, (subject, value))

    def dropped(self, path: str, value: Entity | TupleValue) -> None:
        """A membership or tuple that ended must not be needed by a live tuple or field (OE0244)."""
        needing = list(self.needing(path, value))
        if needing:
            kind = "tuples and fields" if len(needing) > 1 else "tuple or field"
            shown = ", ".join(sorted(set(needing))[:3])
            values = args(name=display(value), of=_short(path), count=len(needing), kind=kind, candidates=shown)
            raise GateRefusal("OE0244", values)

    def needing(self, path: str, value: Value) -> Iterator[str]:
        """The live tuples and fields in which the value stands at a place that it may no longer hold."""
        model = self.reading.model
        for relation in self.schema.relations.values():
            for index, (_, ty) in enumerate(relation.ends):
                if self.lost(path, value, ty):
                    rows = model.lookup(asserted(relation.path), {index: value})
                    yield from (f"{_short(relation.path)}({', '.join(map(display, row))})" for row in rows)
        for key, field in self.schema.fields.items():
            if self.lost(path, value, field.type):
                yield from (f"{display(row[0])}.{field.name}" for row in model.lookup(key, {1: value}))

    def lost(self, path: str, value: Value, ty: Type) -> bool:
        """Did the value belong to this type by what ended, and does it no more?"""
        match ty:
            case OptionOf(inner):
                return self.lost(path, value, inner)
            case Named("concept" | "relation", wanted):
                return wanted in self.schema.ancestors(path) and not is_member(self.reading, value, ty)
            case _:
                return False


def _not_a(value: Value, ty: Type, owner: str, endpoint: str) -> GateRefusal:
    return GateRefusal("OE0229", args(name=display(value), expected=show(ty), of=_short(owner), endpoint=endpoint))


def _count(of: str, name: str, expected: str, found: int) -> GateRefusal:
    return GateRefusal("OE0632", args(of=of, name=name, expected=expected, found=found))


def _short(path: str) -> str:
    return path.rsplit("::", 1)[-1]
