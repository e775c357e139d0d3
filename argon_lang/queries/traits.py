"""The impls of each trait, and the groups that leave nothing of a concept over, as queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from argon_lang.problems import ItemId
from argon_lang.program.model import GroupSig, ImplSig
from argon_lang.queries import program

if TYPE_CHECKING:
    from argon_lang.queries.database import Database

Impls = tuple[tuple[ItemId, ImplSig], ...]
Groups = tuple[tuple[str, ...], ...]


def implementing(db: Database, _: None) -> tuple[ItemId, ...]:
    """The items that are an `impl`, in the order of the program; one in a standpoint is none."""
    found = db.memory.get(program.modules, None).modules
    items = [(path, shape.id) for path, each in found.items() for shape in each.shapes if shape.declared.implements]
    return tuple(item for path, item in items if db.memory.get(program.standpoint_of, path) is None)


def impl_index(db: Database, _: None) -> Mapping[str, Impls]:
    """Every `impl` of each trait."""
    found: dict[str, list[tuple[ItemId, ImplSig]]] = {}
    for item in db.memory.get(implementing, None):
        for each in db.memory.get(program.signature, item):
            if isinstance(each, ImplSig):
                found.setdefault(each.trait, []).append((item, each))
    return {trait: tuple(impls) for trait, impls in found.items()}


def impls_of(db: Database, trait: str) -> Impls:
    """Every `impl` of one trait."""
    return db.memory.get(impl_index, None).get(trait, ())


def complete_index(db: Database, _: None) -> Mapping[str, Groups]:
    """The members of every group that leaves nothing of its whole over, by the whole."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for item in db.memory.get(program.dividing, None):
        for each in db.memory.get(program.signature, item):
            if isinstance(each, GroupSig) and each.complete and each.whole is not None:
                found.setdefault(each.whole, []).append(each.members)
    return {whole: tuple(members) for whole, members in found.items()}


def complete_groups(db: Database, whole: str) -> Groups:
    """The members of each group that leaves nothing of one concept over."""
    return db.memory.get(complete_index, None).get(whole, ())
