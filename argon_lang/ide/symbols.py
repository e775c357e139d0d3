"""The outline of a file, and the index of everything that the package declares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from argon_lang.ide.definition import definition_of
from argon_lang.ide.names import declarations, own_symbol
from argon_lang.ide.signature import headline
from argon_lang.problems import ItemId, Location
from argon_lang.program.declare import member_kind
from argon_lang.program.model import Symbol, ToEnd, ToField, ToVariant
from argon_lang.program.name_problems import name_span
from argon_lang.queries.database import Database
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Item, View

_SILENT = (nodes.UseDecl, nodes.CloseBrace, nodes.EndOfFile, nodes.FileAttribute, nodes.ErrorItem)


@dataclass(slots=True)
class OutlineEntry:
    """One declaration of a file. `kind` is a symbol kind, or `fact`, `field`, `end`, `variant`.

    `location` spans the whole declaration, `name_location` its name; `children` are members and inner items.
    """

    name: str
    kind: str
    detail: str
    location: Location
    name_location: Location
    children: list[OutlineEntry] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A symbol of the package with its first declaration."""

    symbol: Symbol
    location: Location


def outline(db: Database, file: str) -> list[OutlineEntry]:
    """The declarations of a file in the order of the text, as a tree."""
    top: list[OutlineEntry] = []
    around = [top]
    for item, start, tree in _placed(db, file):
        root = tree.root
        if isinstance(root, nodes.CloseBrace) and len(around) > 1:
            around.pop()
        if isinstance(root, _SILENT):
            continue
        entry = _entry(db, item, start, tree)
        around[-1].append(entry)
        if isinstance(root, nodes.ModDecl | nodes.StandpointDecl) and root.opens:
            around.append(entry.children)
    return top


def index(db: Database) -> list[IndexEntry]:
    """Everything that the package declares, by path."""
    listed = db.all_symbols()
    found = []
    for path in sorted(listed):
        for symbol in listed[path]:
            places = definition_of(db, symbol)
            found += [IndexEntry(symbol, places[0])] if places else []
    return found


def search(db: Database, query: str) -> list[IndexEntry]:
    """The symbols whose names hold the letters of `query` in order, whatever their case; the closest first.

    A query with `::` is matched against whole paths.
    """
    ranked = []
    for entry in index(db):
        rank = closeness(query, entry.symbol.path if "::" in query else entry.symbol.name)
        if rank is not None:
            ranked.append((rank, entry.symbol.path, entry))
    return [entry for _, _, entry in sorted(ranked, key=lambda each: each[:2])]


def closeness(query: str, name: str) -> tuple[int, int] | None:
    """Lower is closer; None when the letters do not occur in order."""
    wanted, found = query.casefold(), name.casefold()
    if wanted == found:
        return 0, 0
    if found.startswith(wanted):
        return 1, len(found)
    if wanted in found:
        return 2, len(found)
    rest = iter(found)
    return (3, len(found)) if all(letter in rest for letter in wanted) else None


def _placed(db: Database, file: str) -> Iterator[tuple[ItemId, int, Item]]:
    """The items of a file with the offsets at which they begin."""
    start = 0
    for item in db.items(file):
        tree = db.tree(item)
        if tree is not None:
            yield item, start, tree
            start += len(tree.text)


def _entry(db: Database, item: ItemId, start: int, tree: Item) -> OutlineEntry:
    symbol = own_symbol(db, item, tree)
    declared = db.declared(tree)
    name, kind = declared.name or declared.label, declared.kind or declared.label.partition(" ")[0]
    detail = headline(db, symbol) if symbol is not None else ""
    root, (low, high) = tree.root, name_span(tree)
    whole = Location(item.file, start + root.start, start + root.end)
    entry = OutlineEntry(name, kind, detail, whole, Location(item.file, start + low, start + high))
    entry.children = _members(db, item, start, tree)
    return entry


def _members(db: Database, item: ItemId, start: int, tree: Item) -> list[OutlineEntry]:
    root = tree.root
    if isinstance(root, nodes.TraitDecl | nodes.ImplDecl):
        members = root.members.members if root.members is not None else []
        named = [(each, each.name) for each in members if each.name is not None]
        return [_member(item, start, each, name) for each, name in named]
    found = []
    for each in declarations(db, item):
        kind = {ToField: "field", ToEnd: "end", ToVariant: "variant"}.get(type(each.meaning))
        if kind is not None:
            place = Location(item.file, start + each.start, start + each.end)
            found.append(OutlineEntry(tree.text[each.start : each.end], kind, "", place, place))
    return found


def _member(item: ItemId, start: int, member: View, name: nodes.Name) -> OutlineEntry:
    """A member of a trait or an impl."""
    whole = Location(item.file, start + member.start, start + member.end)
    place = Location(item.file, start + name.start, start + name.end)
    return OutlineEntry(name.text, member_kind(member)[0], "", whole, place)
