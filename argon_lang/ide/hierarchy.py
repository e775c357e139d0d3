"""What stands above and below: types and their heirs, rules and what they read, traits and what implements them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from argon_lang.ide.definition import declared_where, definition_of
from argon_lang.ide.names import located, occurrence_at, occurrences, own_symbol
from argon_lang.ide.signature import headline
from argon_lang.problems import ItemId, Location, Place
from argon_lang.program.declare import member_kind
from argon_lang.program.infer.traits import trait_of
from argon_lang.program.model import ConceptSig, RelationSig, Symbol, ToBinding, ToField, ToSymbol, TraitSig
from argon_lang.program.name_problems import name_span
from argon_lang.program.paths import name_of
from argon_lang.program.types import Named, Type, inside
from argon_lang.queries.database import Database
from argon_lang.syntax import nodes

_ABOVE = ("concept", "relation", "trait")
CALLABLE = frozenset(("fn", "query", "predicate", "check", "mutation", "test"))


@dataclass(frozen=True, slots=True)
class Entry:
    """A declaration in a hierarchy: `item` is its whole item, `name` the name in it."""

    symbol: Symbol
    detail: str
    item: Location
    name: Location


@dataclass(frozen=True, slots=True)
class Call:
    """That one declaration reads another, and the places where it does, in the reader."""

    entry: Entry
    places: tuple[Location, ...]


def symbol_at(db: Database, file: str, offset: int) -> Symbol | None:
    """The declaration that the name at an offset stands for."""
    found = occurrence_at(db, file, offset)
    if found is None or not isinstance(found.meaning, ToSymbol):
        return None
    kind, path, arity = found.meaning.kind, found.meaning.path, found.meaning.arity
    return next((each for each in db.symbols_at(path) if each.kind == kind and arity in (None, each.arity)), None)


def entry_of(db: Database, symbol: Symbol) -> Entry | None:
    """A symbol as an entry, at its first declaration; None when nothing of it can be shown."""
    places = definition_of(db, symbol)
    if not places or not symbol.items:
        return None
    tree, found = db.tree(symbol.items[0]), db.item_at(places[0].file, places[0].start)
    if tree is None or found is None:
        return None
    start = places[0].start - found[1]
    whole = Location(places[0].file, start + tree.root.start, start + tree.root.end)
    return Entry(symbol, headline(db, symbol), whole, places[0])


# -- types -------------------------------------------------------------------------------------------------------------


def supertypes(db: Database, symbol: Symbol) -> tuple[Entry, ...]:
    """What a concept or relation specializes directly, or a trait builds upon."""
    return _entries(db, ((path, symbol.kind) for path in _direct(db, symbol)))


def subtypes(db: Database, symbol: Symbol) -> tuple[Entry, ...]:
    """What specializes a concept or relation directly, or builds upon a trait."""
    heirs = (
        (each.path, each.kind)
        for symbols in db.all_symbols().values()
        for each in symbols
        if each.kind in _ABOVE and symbol.path in _direct(db, each)
    )
    return _entries(db, sorted(heirs))


def _direct(db: Database, symbol: Symbol) -> tuple[str, ...]:
    table = db.declarations
    match symbol.kind:
        case "concept":
            found: ConceptSig | RelationSig | TraitSig | None = table.concept(symbol.path)
        case "relation":
            found = table.relation(symbol.path)
        case _:
            found = table.trait(symbol.path)
    return found.supers if found is not None else ()


def _entries(db: Database, wanted: Iterable[tuple[str, str]]) -> tuple[Entry, ...]:
    symbols = (each for path, kind in wanted for each in db.symbols_at(path) if each.kind == kind)
    found = (entry_of(db, each) for each in symbols)
    return tuple(each for each in found if each is not None)


def type_definition(db: Database, file: str, offset: int) -> tuple[Location, ...]:
    """Where the type of what stands at an offset is declared: of a local, a field, an end, an individual."""
    found = occurrence_at(db, file, offset)
    if found is None:
        return ()
    types: list[Type] = []
    match found.meaning:
        case ToBinding(number):
            types = [each.type for each in db.inference(found.item).bindings if each.id == number]
        case ToField(kind, owner, name):
            field = db.declarations.field(Named(kind, owner), name)
            types = [field.type] if field is not None else []
        case ToSymbol("individual", path, _):
            individual = db.declarations.individual(path)
            types = [Named("concept", each) for each in individual.concepts] if individual is not None else []
        case ToSymbol():
            return declared_where(db, found.item, found.meaning)
        case _:
            pass
    named = dict.fromkeys(part for ty in types for part in inside(ty) if isinstance(part, Named))
    symbols = (symbol for each in named for symbol in db.symbols_at(each.path) if symbol.kind == each.kind)
    return tuple(place for symbol in symbols for place in definition_of(db, symbol))


def implementations(db: Database, file: str, offset: int) -> tuple[Location, ...]:
    """What makes a declaration real: the clauses of a predicate, the heirs of a type at any remove, the impls of a
    trait and, of a member, what each gives."""
    symbol = symbol_at(db, file, offset)
    if symbol is None:
        return ()
    trait = symbol.path if symbol.kind == "trait" else trait_of(symbol)
    if trait is not None:
        return located(db, [place for item, _ in db.impls_of(trait) for place in _given(db, item, symbol)])
    if symbol.kind not in _ABOVE:
        return definition_of(db, symbol)
    found, waiting = dict[str, Entry](), [symbol]
    while waiting:
        for each in subtypes(db, waiting.pop()):
            if each.symbol.path not in found:
                found[each.symbol.path] = each
                waiting.append(each.symbol)
    return tuple(each.name for _, each in sorted(found.items()))


def _given(db: Database, item: ItemId, symbol: Symbol) -> Iterator[Place]:
    """Where an `impl` gives a member of its trait; the `impl` itself where the trait is meant."""
    tree = db.tree(item)
    if tree is None or not isinstance(tree.root, nodes.ImplDecl):
        return
    if symbol.kind == "trait":
        yield Place(item, *name_span(tree))
        return
    for each in tree.root.members.members if tree.root.members is not None else ():
        kind, arity = member_kind(each)
        same = kind == symbol.kind and symbol.arity in (None, arity)
        if each.name is not None and name_of(each.name) == symbol.name and same:
            yield Place(item, each.name.start, each.name.end)


# -- calls -------------------------------------------------------------------------------------------------------------


def outgoing(db: Database, symbol: Symbol) -> tuple[Call, ...]:
    """What a rule, query, function or mutation reads and calls, with the places."""
    places: dict[Symbol, list[Location]] = {}
    for item in symbol.items:
        for target, place in _named(db, item):
            places.setdefault(target, []).append(place)
    return _calls(db, places)


def incoming(db: Database, symbol: Symbol) -> tuple[Call, ...]:
    """Who reads or calls a declaration, with the places."""
    places: dict[Symbol, list[Location]] = {}
    for file in sorted(db.files()):
        for item in db.items(file):
            tree = db.tree(item)
            if tree is None or (tree.text.isascii() and symbol.name not in tree.text):
                continue
            reader = own_symbol(db, item, tree)
            for target, place in _named(db, item) if reader is not None else ():
                if target == symbol and reader is not None:
                    places.setdefault(reader, []).append(place)
    return _calls(db, places)


def _named(db: Database, item: ItemId) -> Iterator[tuple[Symbol, Location]]:
    for each in occurrences(db, item):
        if each.declares or not isinstance(each.meaning, ToSymbol):
            continue
        kind, path, arity = each.meaning.kind, each.meaning.path, each.meaning.arity
        place = db.locate(each.place)
        for symbol in db.symbols_at(path) if kind in CALLABLE or kind in _ABOVE else ():
            if symbol.kind == kind and arity in (None, symbol.arity) and place is not None:
                yield symbol, place


def _calls(db: Database, places: dict[Symbol, list[Location]]) -> tuple[Call, ...]:
    found = ((entry_of(db, symbol), tuple(listed)) for symbol, listed in places.items())
    return tuple(Call(entry, listed) for entry, listed in found if entry is not None)
