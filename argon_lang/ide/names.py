"""What the names in a file mean: every occurrence and every declaration of one item, in one form.

A meaning is a `program.model.Resolution` brought into the form in which two occurrences of one thing are equal: a type
name and the name of its declaration are both the declared symbol, arity counts for predicates alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from argon_lang.problems import ItemId, Location, Place
from argon_lang.program.declare import member_kind
from argon_lang.program.infer.impls import trait_path
from argon_lang.program.intrinsics import INTRINSICS
from argon_lang.program.model import (
    FieldSig,
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
from argon_lang.program.name_problems import name_span
from argon_lang.program.paths import name_of, segments
from argon_lang.program.types import Named, TypeVar
from argon_lang.queries.database import Database
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Item, View


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A name in an item, at an item-relative span. `declares` tells a declaration from a use."""

    item: ItemId
    start: int
    end: int
    meaning: Resolution
    declares: bool = False

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place(self.item, self.start, self.end)


def canonical(db: Database, meaning: Resolution) -> Resolution:
    """The form in which two names for one thing are equal."""
    match meaning:
        case ToIntrinsic(name) if (path := _intrinsic_function(db, name)) is not None:
            return ToSymbol("fn", path)
        case ToType(Named(kind, path)):
            return ToSymbol(kind, path)  # type: ignore[arg-type]  # the kinds of a named type are symbol kinds
        case ToSymbol(kind, path, _) if kind != "predicate":
            return ToSymbol(kind, path)
        case _:
            return meaning


def _intrinsic_function(db: Database, name: str) -> str | None:
    """The std function that an intrinsic is declared as; None for members alone (`d.year`)."""
    entry = INTRINSICS.get(name)
    if entry is None or entry.form == "member":
        return None
    listed = (db.base or db).all_symbols()
    return next((path for path in listed if path.endswith(f"::{name}") and listed[path][0].kind == "fn"), None)


def symbol_meaning(symbol: Symbol) -> ToSymbol:
    """The meaning of a name that stands for `symbol`."""
    return ToSymbol(symbol.kind, symbol.path, symbol.arity if symbol.kind == "predicate" else None)


def occurrences(db: Database, item: ItemId) -> list[Occurrence]:
    """Every name in an item that means something, declarations first.

    A span occurs twice where one name means two things: `{ rent }` is a field and the value that it is given.
    """
    declared = {(each.start, each.end, each.meaning): each for each in declarations(db, item)}
    spans = {(each.start, each.end): each for each in declared.values() if not isinstance(each.meaning, ToBinding)}
    for use in db.uses(item):
        if (use.start, use.end) not in spans:
            found = Occurrence(item, use.start, use.end, canonical(db, use.meaning))
            declared.setdefault((use.start, use.end, found.meaning), found)
    known = {(each.start, each.end) for each in declared.values()}
    return [*declared.values(), *(each for each in _on_the_way(db, item) if (each.start, each.end) not in known)]


def _on_the_way(db: Database, item: ItemId) -> Iterator[Occurrence]:
    """What the names before the last one of each path lead through."""
    tree, module = db.tree(item), db.module_of(item)
    if tree is None or module is None or isinstance(tree.root, nodes.UseDecl):
        return
    scope = db.scope(module)
    for index in (index for index, kind in enumerate(tree.node_kinds) if kind == K.N_PATH):
        path = segments(cast("nodes.Path", tree.view(index)))
        for length in range(1, len(path)):
            last, found = path[length - 1], scope.lookup(tuple(each.name for each in path[:length])).symbols
            if found and last.name not in _RELATIVE:
                yield Occurrence(item, last.start, last.end, symbol_meaning(found[0]))


_RELATIVE = ("pkg", "super", "self")
"""Roots of paths that are words of the language and no names."""


def occurrence_at(db: Database, file: str, offset: int) -> Occurrence | None:
    """The name that covers or touches an offset of a file, the one that begins there before the one that ends there."""
    found = db.item_at(file, offset)
    if found is None:
        return None
    item, inner = found
    touching = [each for each in occurrences(db, item) if each.start <= inner <= each.end]
    return max(touching, key=lambda each: (each.start, -each.end), default=None)


def located(db: Database, places: Iterator[Place] | list[Place]) -> tuple[Location, ...]:
    """Absolute locations of places, in order, each once; those whose item is no more are left out."""
    found = (db.locate(place) for place in places)
    return tuple(dict.fromkeys(each for each in found if each is not None))


# -- declarations ------------------------------------------------------------------------------------------------------


def declarations(db: Database, item: ItemId) -> list[Occurrence]:
    """The names that an item declares: its own, its members', its locals'."""
    tree = db.tree(item)
    if tree is None:
        return []
    found = [*_own_name(db, item, tree), *_members(db, item, tree), *_parameters(db, item, tree)]
    bindings = [each for each in db.inference(item).bindings if each.kind != "wildcard"]
    found += [Occurrence(item, each.start, each.end, ToBinding(each.id), True) for each in bindings]
    return found


def own_symbol(db: Database, item: ItemId, tree: Item) -> Symbol | None:
    """The symbol that an item's own name declares; None for facts, `use` and items without a name."""
    declared, module = db.owner(item.file).declared(tree), db.module_of(item)
    if declared.name is None or module is None:
        return None
    listed = [each for each in db.symbols_at(f"{module}::{declared.name}") if item in each.items]
    return next((each for each in listed if each.kind == declared.kind), None)


def _own_name(db: Database, item: ItemId, tree: Item) -> list[Occurrence]:
    symbol = own_symbol(db, item, tree)
    if symbol is None:
        return []
    start, end = name_span(tree)
    return [Occurrence(item, start, end, symbol_meaning(symbol), True)]


def _members(db: Database, item: ItemId, tree: Item) -> Iterator[Occurrence]:
    symbol = own_symbol(db, item, tree)
    if symbol is not None and symbol.kind == "trait" and isinstance(tree.root, nodes.TraitDecl):
        yield from _asked(item, symbol, tree.root)
    if symbol is None or symbol.kind not in ("concept", "relation", "struct", "enum", "metaxis"):
        return
    ends = 0
    for view in tree.root.descendants():
        meaning: Resolution | None = None
        match view:
            case nodes.FieldDecl(name=nodes.Name() as name) if _owns_fields(view):
                meaning = ToField(symbol.kind, symbol.path, name_of(name) or "")  # type: ignore[arg-type]
            case nodes.Endpoint(name=nodes.Name() as name):
                meaning, ends = ToEnd(symbol.path, ends), ends + 1
            case nodes.Variant(name=nodes.Name() as name):
                meaning = ToVariant(symbol.path, name_of(name) or "")
            case nodes.Name() as name if isinstance(view.parent, nodes.AxisValues):
                meaning = ToVariant(symbol.path, name_of(name) or "")
            case nodes.Name() as name if isinstance(view.parent, nodes.SubtypeList):
                module = symbol.path.rpartition("::")[0]
                meaning = ToSymbol("concept", f"{module}::{name_of(name) or ''}")
            case _:
                continue
        if meaning is not None:
            yield Occurrence(item, name.start, name.end, meaning, True)


def _asked(item: ItemId, trait: Symbol, root: nodes.TraitDecl) -> Iterator[Occurrence]:
    """The members that a trait asks for."""
    for each in root.members.members if root.members is not None else ():
        if each.name is not None:
            kind, arity = member_kind(each)
            meaning = ToSymbol(kind, f"{trait.path}::{name_of(each.name) or '_'}", arity)
            yield Occurrence(item, each.name.start, each.name.end, meaning, True)


def _parameters(db: Database, item: ItemId, tree: Item) -> Iterator[Occurrence]:
    """The type parameters of an item, and of the members of a trait or an impl."""
    module = db.module_of(item)
    for view in tree.root.descendants() if K.N_GENERIC_PARAM in tree.node_kinds and module is not None else ():
        holder = view.parent.parent if isinstance(view, nodes.GenericParam) and view.parent is not None else None
        if isinstance(view, nodes.GenericParam) and view.name is not None and holder is not None:
            owner = f"{module}::{name_of(getattr(holder, 'name', None)) or '_'}"
            if holder.parent is not None:
                owner = f"{_trait_around(db, tree, module or '')}::{name_of(getattr(holder, 'name', None)) or '_'}"
            meaning = ToType(TypeVar(owner, name_of(view.name) or ""))
            yield Occurrence(item, view.name.start, view.name.end, meaning, True)


def _trait_around(db: Database, tree: Item, module: str) -> str:
    """The trait that a trait or an impl is of."""
    root = tree.root
    if isinstance(root, nodes.ImplDecl):
        return trait_path(root, db.scope(module))
    return f"{module}::{name_of(getattr(root, 'name', None)) or '_'}"


def _owns_fields(view: View) -> bool:
    """Whether a field belongs to the item itself and not to a variant of an enum."""
    holder = view.parent
    return holder is not None and not isinstance(holder.parent, nodes.Variant)


def field_signature(db: Database, meaning: ToField) -> FieldSig | None:
    """The signature of a field."""
    return db.declarations.field(Named(meaning.kind, meaning.owner), meaning.name)
