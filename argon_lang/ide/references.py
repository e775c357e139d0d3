"""Every place where one thing is named, in one file or in the whole package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from argon_lang.ide.names import Occurrence, located, occurrence_at, occurrences, symbol_meaning
from argon_lang.problems import ItemId, Location
from argon_lang.program.model import (
    Resolution,
    Symbol,
    ToBinding,
    ToEnd,
    ToField,
    ToIntrinsic,
    ToSymbol,
    ToType,
    ToVariant,
)
from argon_lang.program.types import show
from argon_lang.queries.database import Database


def references(db: Database, file: str, offset: int, *, declaration: bool = True) -> tuple[Location, ...]:
    """The uses of what stands at an offset, in the order of files and text; with its declarations if wanted."""
    found = occurrence_at(db, file, offset)
    if found is None:
        return ()
    items = [found.item] if isinstance(found.meaning, ToBinding) else all_items(db)
    return _locations(db, items, found.meaning, declaration)


def references_to(db: Database, symbol: Symbol, *, declaration: bool = True) -> tuple[Location, ...]:
    """The uses of a symbol in the package."""
    return _locations(db, all_items(db), symbol_meaning(symbol), declaration)


def highlights(db: Database, file: str, offset: int) -> tuple[tuple[Location, bool], ...]:
    """The places in the same file that name what stands at an offset; whether each declares it."""
    found = occurrence_at(db, file, offset)
    if found is None:
        return ()
    items = [found.item] if isinstance(found.meaning, ToBinding) else db.items(file)
    named = [(each, db.locate(each.place)) for each in _named(db, items, found.meaning)]
    return tuple((location, each.declares) for each, location in named if location is not None)


def all_items(db: Database) -> list[ItemId]:
    """Every item of the package and of its path dependencies, by file and place."""
    return [item for file in sorted(db.files()) for item in db.items(file)]


def _locations(db: Database, items: Iterable[ItemId], meaning: Resolution, declaration: bool) -> tuple[Location, ...]:
    found = _named(db, items, meaning)
    places = [each.place for each in found if declaration or not each.declares]
    return tuple(sorted(located(db, places), key=lambda each: (each.file, each.start)))


def _named(db: Database, items: Iterable[ItemId], meaning: Resolution) -> list[Occurrence]:
    """The occurrences with a meaning. Items whose text lacks every name of it are not looked into."""
    found = (each for item in _naming(db, items, meaning) for each in occurrences(db, item))
    return [each for each in found if each.meaning == meaning]


def items_naming(db: Database, meaning: Resolution) -> Iterator[ItemId]:
    """The items of the package that may name a thing: their text has one of its names."""
    return _naming(db, all_items(db), meaning)


def _naming(db: Database, items: Iterable[ItemId], meaning: Resolution) -> Iterator[ItemId]:
    names = _written_names(db, meaning)
    for file, listed in groupby(items, key=lambda item: item.file):
        if _may_hold(db.text(file) or "", names):
            trees = ((item, db.tree(item)) for item in listed)
            yield from (item for item, tree in trees if tree is not None and _may_hold(tree.text, names))


def _may_hold(text: str, names: Iterable[str]) -> bool:
    """Whether a text may hold one of some names: letters beyond ASCII have several spellings."""
    return not text.isascii() or any(name in text for name in names)


def _written_names(db: Database, meaning: Resolution) -> set[str]:
    """The names that a thing is written by: its own, and those that some `use … as` gives it."""
    match meaning:
        case ToField(_, _, name) | ToVariant(_, name) | ToIntrinsic(name):
            return {name}
        case ToEnd(path, index):
            relation = db.declarations.relation(path)
            return {relation.ends[index].name} if relation is not None else set()
        case ToType(type_):
            return {show(type_)}
        case ToSymbol(_, path, _):
            name = path.rsplit("::", 1)[-1]
            anchors = {"self", "super", "pkg"} if meaning.kind == "module" else set()
            return {name, *anchors, *_aliases(db, name)}
        case _:
            return {""}


def _aliases(db: Database, name: str) -> set[str]:
    files = (file for file in sorted(db.files()) if _may_hold(db.text(file) or "", (name,)))
    trees = (db.tree(item) for file in files for item in db.items(file))
    imports = (each for tree in trees if tree is not None for each in db.declared(tree).imports)
    return {each.name for each in imports if each.name is not None and each.segments[-1:] == (name,)}
