"""What is in doubt because something that it rests on is in error: the gates pass it over.

One mistake gives one diagnostic. A rule that reads a relation whose declaration is in error is not in error itself, but
nothing that a gate could find in it would be news.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from argon_lang.problems import ItemId, Problem
from argon_lang.program.model import Resolution, ToSymbol, ToType, ToVariant
from argon_lang.program.types import Named
from argon_lang.queries import program
from argon_lang.queries.name_checks import name_problems

if TYPE_CHECKING:
    from argon_lang.queries.database import Database


def is_error(problem: Problem) -> bool:
    """Does the problem block a build? (A lint level that makes an error of a warning puts nothing in doubt.)"""
    return problem.code[1:2] == "E"


def signature_error(db: Database, item: ItemId) -> bool:
    """Is what the item declares, beside its body, in error?"""
    found = program.tree(db, item)
    if found is None or program.has_error(found):
        return True
    found_ = (*name_problems(db, item), *db.memory.get(program.read, item).problems)
    return any(map(is_error, found_)) or any(map(is_error, program.conformance_of(db, item)))


def own_paths(db: Database, item: ItemId) -> frozenset[str]:
    """The canonical paths that an item declares."""
    found, module = program.tree(db, item), db.memory.get(program.module_of, item)
    if found is None or module is None:
        return frozenset()
    declared = db.declared(found)
    provided = (f"{declared.name}::{name}" for _, name, _ in declared.provides)
    written = (
        declared.name,
        *provided,
        *declared.members,
        *declared.individuals,
        *(leaf.name for leaf in declared.imports),
    )
    return frozenset(f"{module}::{name}" for name in written if name is not None)


def signature_paths(db: Database, item: ItemId) -> frozenset[str]:
    """The canonical paths that an item's signature names."""
    found = (_path(use.meaning) for use in db.memory.get(program.read, item).uses)
    return frozenset(path for path in found if path is not None)


def _path(meaning: Resolution) -> str | None:
    match meaning:
        case ToSymbol(_, path):
            return path
        case ToType(Named(_, path)):
            return path
        case ToVariant(enum, _):
            return enum
        case _:
            return None


def doubtful(db: Database, _: None) -> frozenset[str]:
    """The canonical paths of what is declared in error, and of what names such a thing in its signature."""
    wrong = db.memory.get(wrong_items, None)
    if not wrong:
        return frozenset()
    users = db.memory.get(signature_users, None)
    found: dict[str, None] = {}
    pending = list(wrong)
    for item in pending:
        for path in db.memory.get(own_paths, item):
            if path not in found:
                found[path] = None
                pending += users.get(path, ())
    return frozenset(found)


def wrong_items(db: Database, _: None) -> tuple[ItemId, ...]:
    """The items that declare something in error."""
    return tuple(item for item in considered(db) if db.memory.get(signature_error, item))


def considered(db: Database) -> Iterable[ItemId]:
    """The items that a module reaches; of a narrowed database those of the part that is asked about."""
    placed: Mapping[ItemId, str] = db.memory.get(program.placement, None)
    part = program.part(db)
    return placed if part is None else [item for item in placed if item in part]


def signature_users(db: Database, _: None) -> Mapping[str, tuple[ItemId, ...]]:
    """The items whose signatures name each canonical path."""
    found: dict[str, list[ItemId]] = {}
    for item in considered(db):
        for path in db.memory.get(signature_paths, item):
            found.setdefault(path, []).append(item)
    return {path: tuple(items) for path, items in found.items()}


def items_in_doubt(db: Database, _: None) -> frozenset[ItemId]:
    """The items that name something that is in doubt; once anything is, those too that name what is not supported."""
    doubts = db.memory.get(doubtful, None)
    if not doubts:
        return frozenset()
    named = ((item, db.memory.get(program.mentioned, item)) for item in considered(db))
    return frozenset(item for item, each in named if each.unsupported or not doubts.isdisjoint(each.paths))


def in_doubt(db: Database, item: ItemId) -> bool:
    """Does an item name something that is in doubt?"""
    return db.memory.contains(items_in_doubt, item)
