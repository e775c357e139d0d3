"""What stands above a declaration: run it, who names it, what declared facts violate of it.

A lens is found by looking at names alone; its words may take a search of the package, and are asked for one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from argon_lang.ide.names import own_symbol
from argon_lang.ide.references import references_to
from argon_lang.problems import ItemId, Location, Place
from argon_lang.program.model import Symbol
from argon_lang.program.name_problems import name_span
from argon_lang.queries.database import Database
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Item

Kind = Literal["test", "query", "uses", "violations", "rows"]
NAMED = frozenset({"predicate", "concept", "relation", "fn", "query", "mutation", "struct", "enum", "trait"})
"""What is worth the number of its uses."""

COUNTED = frozenset({"predicate", "concept", "relation", "check"})
"""What has rows in a store."""

_VIOLATED = frozenset({"OE1354", "OW1355", "OI1356"})


@dataclass(frozen=True, slots=True)
class Lens:
    """One thing to say or do above the declaration of a symbol; `location` is its name's."""

    kind: Kind
    symbol: Symbol
    location: Location


def lenses(db: Database, file: str) -> tuple[Lens, ...]:
    """The lenses of a file in the order of the text; of a predicate at its first clause."""
    return tuple(each for item in db.items(file) for each in _of_item(db, item))


def _of_item(db: Database, item: ItemId) -> Iterator[Lens]:
    tree = db.tree(item)
    symbol = _symbol(db, item, tree) if tree is not None else None
    if tree is None or symbol is None or symbol.items[0] != item:
        return
    location = db.locate(Place(item, *name_span(tree)))
    if location is not None:
        yield from (Lens(kind, symbol, location) for kind in _kinds(symbol, tree))


def _symbol(db: Database, item: ItemId, tree: Item) -> Symbol | None:
    """What an item declares. Nothing can name a test, so no table of symbols has it."""
    module = db.module_of(item)
    if isinstance(tree.root, nodes.TestDecl) and tree.root.title is not None and module is not None:
        return Symbol("test", f"{module}::{tree.root.title.text[1:-1]}", module, "private", (item,))
    return own_symbol(db, item, tree)


def _kinds(symbol: Symbol, tree: Item) -> Iterator[Kind]:
    if symbol.kind == "test":
        yield "test"
    if isinstance(tree.root, nodes.QueryDecl) and not (tree.root.params is not None and tree.root.params.params):
        yield "query"
    if symbol.kind in NAMED:
        yield "uses"
    if symbol.kind == "check":
        yield "violations"
    if symbol.kind in COUNTED:
        yield "rows"


def uses(db: Database, symbol: Symbol) -> tuple[str, tuple[Location, ...]]:
    """Clauses and uses in words, and where the uses are."""
    found = references_to(db, symbol, declaration=False)
    clauses = (counted(len(symbol.items), "clause"),) if symbol.kind == "predicate" else ()
    return ", ".join((*clauses, counted(len(found), "use"))), found


def violations(db: Database, symbol: Symbol) -> str | None:
    """How often declared facts violate a check, in words; None when it is not known.

    It is not known while anything else is an error, for only facts of a sound program are judged, nor where the package
    hides a code under which violations are told.
    """
    levels = dict(db.package.lints)
    found = db.diagnostics()
    hidden = any(levels.get(code) == "off" for code in _VIOLATED)
    if hidden or any(each.severity == "error" and each.code not in _VIOLATED for each in found):
        return None
    item = symbol.items[0]
    at = {each for each in found if each.code in _VIOLATED and _stands_in(db, each.location, item)}
    return f"{counted(len(at), 'violation')} by declared facts"


def _stands_in(db: Database, location: Location, item: ItemId) -> bool:
    found = db.item_at(location.file, location.start) if location.file == item.file else None
    return found is not None and found[0] == item


def counted(count: int, word: str) -> str:
    """`1 use`, `2 uses`."""
    return f"{count} {word}{'s' * (count != 1)}"
