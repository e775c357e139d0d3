"""Defaults, put in place when the whole program is known (language §3.2, §3.7).

A struct literal that leaves a field out calls `default_path(struct, field)`; here the declared default takes its place.
A declared fact that leaves a field out gets the default of the nearest declaration as a row, valid as long as the
membership, unless some fact gives that individual the field. A fact has no transaction, so only a constant default
applies to it; one that reads the state or the clock has to be written in the fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.constants import as_type, constant
from argon_lang.ir.lower.expr import default_path
from argon_lang.ir.lower.keys import field_owner
from argon_lang.ir.lower.walk import rebuild
from argon_lang.ir.module import Concept, Fact, Field, Relation, Struct
from argon_lang.ir.names import asserted
from argon_lang.ir.values import TupleValue, Value

T = TypeVar("T")
Defaults = Mapping[str, ir.Expr]
_NESTING = 64


def read_defaults(structs: Iterable[Struct], concepts: Iterable[Concept]) -> dict[str, ir.Expr]:
    """Default expressions by their path: of the fields of structs, and of concepts, where reads ask for them."""
    fields = (
        *((struct.path, name, default) for struct in structs for name, _, default in struct.fields),
        *((concept.path, each.name, each.default) for concept in concepts for each in concept.fields),
    )
    return {default_path(owner, name): default for owner, name, default in fields if default is not None}


def put_defaults(part: T, defaults: Defaults) -> T:
    """`part` with every call of a default replaced by it. Raises CyclicDefault."""
    for _ in range(_NESTING):
        changed = rebuild(part, lambda node: _put(node, defaults))
        if changed is part:
            return part
        part = changed
    raise CyclicDefault


class CyclicDefault(Exception):
    """Raised when the default of a struct's field needs itself."""


def _put(node: Any, defaults: Defaults) -> Any:
    return defaults.get(node.path, node) if isinstance(node, ir.CallFn) else node


# -- declared facts ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unfilled:
    """A declared fact leaves out a field whose default is no constant."""

    fact: Fact
    field: str


@dataclass(frozen=True, slots=True)
class _Owner:
    """What a fact asserts membership in: its fields by name, the nearest declaration's."""

    is_relation: bool
    fields: Mapping[str, Field]


def fill_facts(
    facts: Iterable[Fact], concepts: Iterable[Concept], relations: Iterable[Relation], below: Iterable[Fact] = ()
) -> tuple[list[Fact], list[Unfilled]]:
    """The rows that defaults add to declared facts, and the facts that need a value written.

    What the facts `below` give needs no default.
    """
    listed = list(facts)
    given = {(fact.key, fact.row[0]) for fact in (*listed, *below)}
    owners = _owners(concepts, relations)
    added: list[Fact] = []
    unfilled: list[Unfilled] = []
    for fact in listed:
        owner = owners.get(fact.key)
        for field in owner.fields.values() if owner else ():
            subject = TupleValue(field_owner(field.key), fact.row) if owner and owner.is_relation else fact.row[0]
            if field.default is not None and (field.key, subject) not in given:
                values = _values(field)
                if values is None:
                    unfilled.append(Unfilled(fact, field.name))
                else:
                    added += [Fact(field.key, (subject, value), fact.start, fact.end) for value in values]
    return added, unfilled


def _values(field: Field) -> tuple[Value, ...] | None:
    """The elements of a constant default; None when it is none."""
    found = constant(field.default) if field.default is not None else None
    if found is None:
        return None
    if field.many and isinstance(found.value, tuple):
        return tuple(as_type(each, field.type) for each in dict.fromkeys(found.value))
    return () if found.value is None else (as_type(found.value, field.type),)


def _owners(concepts: Iterable[Concept], relations: Iterable[Relation]) -> dict[str, _Owner]:
    declared: dict[str, Concept | Relation] = {}
    declared.update((each.path, each) for each in concepts)
    declared.update((each.path, each) for each in relations)
    return {
        asserted(path): _Owner(isinstance(each, Relation), _inherited(path, declared))
        for path, each in declared.items()
    }


def _inherited(path: str, declared: Mapping[str, Concept | Relation]) -> dict[str, Field]:
    """All fields by name, the nearest declaration's first; breadth first, as `Declarations.fields` has them."""
    fields: dict[str, Field] = {}
    queue = [path]
    for at in queue:
        owner = declared.get(at)
        if owner is not None:
            for field in owner.fields:
                fields.setdefault(field.name, field)
            queue += [above for above in owner.supers if above not in queue]
    return fields
