"""The program as the gates and the lowering see it: implements `program.view.ProgramView` over the queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from argon_lang.ir.lower.lower import lower
from argon_lang.ir.module import DEFAULT, Module
from argon_lang.problems import ItemId, Location, Place
from argon_lang.program.model import Declarations, Symbol
from argon_lang.program.view import PackageInfo, Unit
from argon_lang.queries import program
from argon_lang.queries.doubts import in_doubt, is_error
from argon_lang.queries.problems_of import item_problems
from argon_lang.syntax import nodes

if TYPE_CHECKING:
    from argon_lang.queries.database import Database

T = TypeVar("T")
_WITHOUT_MEANING = (nodes.UseDecl, nodes.ModDecl, nodes.CloseBrace, nodes.EndOfFile, nodes.FileAttribute)


def unit(db: Database, item: ItemId) -> Unit | None:
    """One item with everything that its meaning rests on; None when no module reaches it or it has no meaning."""
    found, module = program.tree(db, item), db.memory.get(program.module_of, item)
    if found is None or module is None or isinstance(found.root, _WITHOUT_MEANING):
        return None
    return Unit(
        item,
        module,
        found,
        symbols_of(db, item),
        db.memory.get(program.signature, item),
        db.memory.get(program.inference, item),
        db.scope(module),
        db.declarations,
        sound(db, item),
        db.memory.get(program.standpoint_of, module) or DEFAULT,
        program.open_world(db, module),
    )


def sound(db: Database, item: ItemId) -> bool:
    """Is nothing of the item in error, nor of what it names, before the gates over the whole program?"""
    found = program.tree(db, item)
    if found is None or program.has_error(found):
        return False
    return not any(map(is_error, db.memory.get(item_problems, item))) and not in_doubt(db, item)


def symbols_of(db: Database, item: ItemId) -> tuple[Symbol, ...]:
    """What an item declares: its own name, the subtypes of a concept, the individuals of a fact."""
    found, module = program.tree(db, item), db.memory.get(program.module_of, item)
    if found is None or module is None:
        return ()
    declared = db.declared(found)
    covered = declared.members if declared.kind == "concept" else ()
    around = db.memory.get(program.home, module) if declared.individuals else module
    paths = [f"{module}::{name}" for name in (declared.name, *covered) if name is not None]
    paths += [f"{around}::{name}" for name in declared.individuals]
    listed = [each for path in paths for each in db.memory.get(program.symbols_at, path)]
    return tuple(each for each in listed if item in each.items)


def unit_ids(db: Database, _: None) -> tuple[ItemId, ...]:
    """The items of `units` that belong to this database's packages, in order."""
    tree = db.memory.get(program.modules, None)
    placed = db.memory.get(program.placement, None)
    ids = [shape.id for file in tree.files for shape in program.file_shapes(db, file) or ()]
    part = program.part(db)
    return tuple(item for item in ids if item in placed and (part is None or item in part))


def units(db: Database, _: None) -> tuple[Unit, ...]:
    """Every item with meaning, std packages first."""
    own = (db.memory.get(unit, item) for item in db.memory.get(unit_ids, None))
    below = db.base.ask(units, None) if db.base is not None else ()
    return (*below, *(each for each in own if each is not None))


def derived(db: Database, key: tuple[Callable[[Unit], Any], ItemId]) -> Any:
    """`function(unit)`, remembered per item."""
    function, item = key
    found = db.memory.get(unit, item)
    if found is None:
        raise KeyError(item)
    return function(found)


def lowered(db: Database, _: None) -> Module:
    """The lowered module of a program without errors."""
    return lower(View(db))


class View:
    """Implements `ProgramView`; good for the revision in which it was made."""

    __slots__ = ("_db",)

    def __init__(self, db: Database) -> None:
        self._db = db

    @property
    def package(self) -> PackageInfo:
        """The package's options."""
        found: PackageInfo = self._db.memory.input("package")
        return found

    @property
    def declarations(self) -> Declarations:
        """Every signature."""
        return self._db.declarations

    def units(self) -> tuple[Unit, ...]:
        """Every item with meaning: std packages by path, then files by name, items in the order of the text."""
        return self._db.memory.get(units, None)

    def unit(self, item: ItemId) -> Unit | None:
        """One of `units()`."""
        return self._owner(item).ask(unit, item)

    def caps(self) -> Mapping[str, tuple[str, ItemId]]:
        """The tier by which each module is capped, and the item that says so."""
        return self._db.memory.get(program.caps, None)

    def derive(self, function: Callable[[Unit], T], item: ItemId) -> T:
        """`function(unit(item))`, remembered. Raises KeyError when there is no such item."""
        owner = self._owner(item)
        found: T = (self._db.memory.get if owner is self._db else owner.ask)(derived, (function, item))
        return found

    def locate(self, item: ItemId, start: int, end: int) -> Location:
        """An item-relative span as an absolute one. Raises KeyError when there is no such item."""
        found = self._db.locate(Place(item, start, end))
        if found is None:
            raise KeyError(item)
        return found

    def source(self, file: str) -> str:
        """The text of a file. Raises KeyError when there is no such file."""
        text = self._db.text(file)
        if text is None:
            raise KeyError(file)
        return text

    def _owner(self, item: ItemId) -> Database:
        return self._db.owner(item.file)
