"""Where a field's rows are stored, and under which relation a tuple is known.

A subtype that narrows a field declares it anew, yet it is the same field of the same individual: its rows are under
the key of the topmost declaration, so that a read through the supertype finds them. A field whose type has a type
parameter is stored under each instance of its generic concept, where it has one type; of the generic one it is a view.
"""

from __future__ import annotations

from argon_lang.ir.names import field_key
from argon_lang.ir.tuples import tuple_root
from argon_lang.program.instances import generic_of, is_instance
from argon_lang.program.model import Declarations, FieldSig
from argon_lang.program.types import Type


def storage_key(declarations: Declarations, owner: str, name: str) -> str:
    """Predicate key of the field `name` that the concept or relation `owner` declares."""
    return field_key(min(declaring_tops(declarations, owner, name)), name)


def declaring_tops(declarations: Declarations, owner: str, name: str) -> list[str]:
    """The topmost of `owner` and its supers that declare the field; several where unrelated ones do."""
    found = [path for path in declarations.supers(owner) if _declares(declarations, path, name)] or [owner]
    typed = {generic_of(path) for path in found if is_instance(path)}
    found = [path for path in found if path not in typed]
    return [path for path in found if not any(_above(declarations, other, path) for other in found)]


def _above(declarations: Declarations, upper: str, lower: str) -> bool:
    return upper != lower and upper in declarations.supers(lower)


def _declares(declarations: Declarations, path: str, name: str) -> bool:
    declared = declarations.concept(path) or declarations.relation(path)
    return declared is not None and any(each.name == name for each in declared.fields)


def field_of(declarations: Declarations, owner: Type, name: str) -> tuple[FieldSig, str] | None:
    """The field `name` of a concept or relation type with its predicate key; None when there is none."""
    sig = declarations.field(owner, name)
    if sig is None:
        return None
    return sig, storage_key(declarations, sig.owner, sig.name)


def tuple_relation(declarations: Declarations, relation: str) -> str:
    """The relation that identifies the tuples of `relation`."""

    def supers(path: str) -> tuple[str, ...]:
        sig = declarations.relation(path)
        return sig.supers if sig else ()

    return tuple_root(relation, supers)


def field_owner(key: str) -> str:
    """The concept or relation under whose name a field's rows are stored."""
    return key.rpartition(".")[0]
