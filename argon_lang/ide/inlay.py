"""Hints between the words: the types that inference gave to what was written without one."""

from __future__ import annotations

from dataclasses import dataclass

from argon_lang.problems import ItemId, Location
from argon_lang.program.model import Binding
from argon_lang.program.types import Unknown, show
from argon_lang.queries.database import Database
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Item


@dataclass(frozen=True, slots=True)
class Hint:
    """`text` stands behind the name at `location`; `insert` is what to write there to make it so (empty: nothing)."""

    location: Location
    text: str
    insert: str = ""


def hints(db: Database, file: str, start: int, end: int) -> tuple[Hint, ...]:
    """The hints of a range of a file: the type of each local where it first occurs, unless it is written there."""
    document = db.documents().get(file)
    if document is None:
        return ()
    found: list[Hint] = []
    for item, base, tree in zip(db.items(file), document.starts, document.items, strict=True):
        if base < end and base + len(tree.text) > start:
            found += _of_item(db, item, tree, base)
    return tuple(each for each in found if start <= each.location.start < end)


def _of_item(db: Database, item: ItemId, tree: Item, base: int) -> list[Hint]:
    written = _typed_places(tree)
    listed = [each for each in db.inference(item).bindings if each.kind in ("param", "variable", "let", "pattern")]
    shown = [each for each in listed if each.start not in written and not isinstance(each.type, Unknown)]
    return [_hint(each, tree, item.file, base) for each in shown if each.start < each.end]


def _hint(binding: Binding, tree: Item, file: str, base: int) -> Hint:
    text = f": {show(binding.type)}"
    location = Location(file, base + binding.start, base + binding.end)
    return Hint(location, text, text if binding.start in _annotatable(tree) else "")


def _annotatable(tree: Item) -> set[int]:
    """Where `: T` may be written behind a name."""
    found = set()
    for each in tree.root.descendants():
        if isinstance(each, nodes.LetStmt | nodes.HeadVar) and each.type is None and each.name is not None:
            found.add(each.name.start)
    return found


def _typed_places(tree: Item) -> set[int]:
    """Where the names stand that have their type beside them: `x: T` in a head, a parameter, a `let`, an atom."""
    found = set()
    for each in tree.root.descendants():
        match each:
            case nodes.LetStmt(type=written, name=nodes.Name() as name) if written is not None:
                found.add(name.start)
            case nodes.HeadVar(type=written, name=nodes.Name() as name) if written is not None:
                found.add(name.start)
            case nodes.Param(name=nodes.Name() as name):
                found.add(name.start)
            case nodes.TypeAtom():
                found.add(each.start)
    return found
