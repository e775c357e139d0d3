"""Private items that nothing uses (OW0109), as queries: who may see an item is few, so only those are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from argon_lang.problems import Edit, Fix, ItemId, Note, Problem, args
from argon_lang.program.defeat import targets
from argon_lang.program.findings import kind_word
from argon_lang.program.model import Symbol
from argon_lang.program.name_problems import name_span
from argon_lang.queries import program
from argon_lang.queries.doubts import is_error, own_paths
from argon_lang.queries.problems_of import faulty, item_problems
from argon_lang.syntax import nodes

if TYPE_CHECKING:
    from argon_lang.queries.database import Database

_USED_BY_NAME = frozenset(("module", "standpoint", "query", "check", "mutation", "test", "individual", "unsupported"))
"""Kinds that serve without being named in the program, or of which something else is said."""


def unused_items(db: Database, file: str) -> tuple[tuple[ItemId, Problem], ...]:
    """The private items of one file that nothing uses, each with its warning."""
    items = (shape.id for shape in program.shapes_in_part(db, file) if shape.declared.visibility == "private")
    found = ((item, db.memory.get(unused, item)) for item in items)
    return tuple((item, problem) for item, problem in found if problem is not None)


def unused(db: Database, item: ItemId) -> Problem | None:
    """OW0109 of the first item that declares something private, outside of a root module, which nothing names."""
    tree, module = program.tree(db, item), db.memory.get(program.module_of, item)
    if tree is None or module is None or "::" not in db.memory.get(program.home, module).removeprefix("std::"):
        return None
    symbol = next((each for each in _declared(db, item, module) if each.items[0] == item), None)
    if symbol is None or symbol.kind in _USED_BY_NAME or symbol.visibility != "private":
        return None
    if db.memory.get(in_error, None) or symbol.path in db.memory.get(named_within, db.memory.get(program.home, module)):
        return None
    values = args(kind=kind_word(symbol), name=symbol.name)
    if any(_attacks(db, each) for each in symbol.items):
        return None
    root = tree.root
    fix = Fix("remove", (Edit(root.start, root.end, ""),), args(name=symbol.name), safe=False)
    fixes = (fix,) if len(symbol.items) == 1 else ()
    return Problem("OW0109", *name_span(tree), values, (), (Note("publish"),), fixes)


def _attacks(db: Database, item: ItemId) -> bool:
    """Is it a clause that defeats others? Then it serves without being named."""
    tree = program.tree(db, item)
    return tree is not None and isinstance(tree.root, nodes.DeriveDecl) and any(targets(tree.root))


def _declared(db: Database, item: ItemId, module: str) -> tuple[Symbol, ...]:
    tree = program.tree(db, item)
    name = db.declared(tree).name if tree is not None else None
    return db.memory.get(program.symbols_at, f"{module}::{name}") if name is not None else ()


def items_within(db: Database, module: str) -> tuple[ItemId, ...]:
    """The items of a module and of those inside it: all that may name what is private to it."""
    found = db.memory.get(program.modules, None).modules
    inside = (each for path, each in found.items() if path == module or path.startswith(f"{module}::"))
    return tuple(shape.id for each in inside for shape in each.shapes)


def named_within(db: Database, module: str) -> frozenset[str]:
    """The canonical paths that the items of a module, or of one inside it, name beside their own."""
    found: set[str] = set()
    for item in db.memory.get(items_within, module):
        found |= db.memory.get(named, item)
    return frozenset(found)


def named(db: Database, item: ItemId) -> frozenset[str]:
    """The canonical paths that an item names, without those that it declares."""
    tree = program.tree(db, item)
    if tree is None:
        return frozenset()
    paths = frozenset(db.memory.get(program.mentioned, item).paths)
    if isinstance(tree.root, nodes.UseDecl):
        imports = db.memory.get(program.imports_of, item).values()
        return paths | {symbol.path for each in imports for symbol in each.lookup.symbols}
    return paths - db.memory.get(own_paths, item)


def in_error(db: Database, _: None) -> bool:
    """Is something in error? Then what seems unused may only be misspelt, or out of reach, where it is used."""
    return any(db.memory.get(file_in_error, file) for file in db.memory.get(program.modules, None).files)


def file_in_error(db: Database, file: str) -> bool:
    """Is some item of a file in error, before the gates over the whole program?"""
    if program.broken(db, file):
        return True
    return any(is_error(each) for item in db.memory.get(faulty, file) for each in db.memory.get(item_problems, item))
