"""Where the thing that a name means is declared."""

from __future__ import annotations

from argon_lang.ide.names import Occurrence, canonical, declarations, located, occurrence_at, symbol_meaning
from argon_lang.problems import ItemId, Location, Place
from argon_lang.program.findings import declared_at
from argon_lang.program.infer.traits import trait_of
from argon_lang.program.model import Resolution, Symbol, ToBinding, ToEnd, ToField, ToSymbol, ToType, ToVariant
from argon_lang.program.types import TypeVar
from argon_lang.queries import program
from argon_lang.queries.database import Database
from argon_lang.syntax import nodes


def definition(db: Database, file: str, offset: int) -> tuple[Location, ...]:
    """The declarations of what stands at an offset: every clause of a predicate; empty where nothing has a meaning."""
    found = occurrence_at(db, file, offset)
    return () if found is None else declared_where(db, found.item, found.meaning)


def declared_where(db: Database, item: ItemId, meaning: Resolution) -> tuple[Location, ...]:
    """The declarations of a meaning found in `item`."""
    match meaning:
        case ToBinding(number):
            bindings = db.inference(item).bindings
            places = [Place(item, each.start, each.end) for each in bindings if each.id == number]
            return located(db, places)
        case ToSymbol("module", path, _):
            return module_location(db, path)
        case ToSymbol("individual", path, _):
            return located(db, [each.place for each in _individual(db, path)])
        case ToSymbol(kind, path, arity):
            symbols = [each for each in db.symbols_at(path) if each.kind == kind and arity in (None, each.arity)]
            return located(db, [place for symbol in symbols for place in _names(db, symbol)])
        case ToField(_, owner, _) | ToEnd(owner, _) | ToVariant(owner, _) | ToType(TypeVar(owner)):
            return located(db, [each.place for each in _member(db, owner, meaning)])
        case _:
            return ()


def definition_of(db: Database, symbol: Symbol) -> tuple[Location, ...]:
    """The declarations of a symbol."""
    if symbol.kind == "module":
        return module_location(db, symbol.path)
    if symbol.kind == "individual":
        return located(db, [each.place for each in _individual(db, symbol.path)])
    return located(db, _names(db, symbol))


def _names(db: Database, symbol: Symbol) -> list[Place]:
    """Where a symbol's name is declared: an item's own name, a subtype in the short list of a concept, a member."""
    if symbol.kind == "concept" or trait_of(symbol) is not None:
        found = [each for item in symbol.items for each in declarations(db, item)]
        return [each.place for each in found if each.meaning == symbol_meaning(symbol)]
    return [declared_at(item) for item in symbol.items]


def module_location(db: Database, path: str) -> tuple[Location, ...]:
    """A module's file, at its beginning; for an inline module the name after its `mod`."""
    owner = db.base if db.base is not None and program.is_std(path) else db
    module = owner.ask(program.modules, None).modules.get(path)
    if module is None:
        return ()
    if module.inner and module.declared_by is not None:
        return located(db, [declared_at(module.declared_by)])
    return (Location(module.file, 0, 0),) if module.file else ()


def _individual(db: Database, path: str) -> list[Occurrence]:
    """An individual's name in the facts that classify it; in every fact that names it when none does."""
    items = [item for symbol in db.symbols_at(path) if symbol.kind == "individual" for item in symbol.items]
    classifying = [item for item in items if _argument_count(db, item) == 1]
    meaning = ToSymbol("individual", path)
    found = []
    for item in classifying or items:
        uses = [use for use in db.uses(item) if canonical(db, use.meaning) == meaning]
        found += [Occurrence(item, use.start, use.end, meaning, True) for use in uses[:1]]
    return found


def _argument_count(db: Database, item: ItemId) -> int:
    tree = db.tree(item)
    root = tree.root if tree is not None else None
    return len(root.args.args) if isinstance(root, nodes.FactDecl) and root.args is not None else 0


def _member(db: Database, owner: str, meaning: Resolution) -> list[Occurrence]:
    items = [item for symbol in db.symbols_at(owner) for item in symbol.items]
    return [each for item in items for each in declarations(db, item) if each.meaning == meaning]
