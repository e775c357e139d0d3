"""Rename what a name means, in the whole package: the edits, or a refusal that names the collision.

A rename must leave every other name with the meaning that it had. So it is refused wherever the new name is taken
already: among the names of a module that sees the old one, among the members of the same owner, or by a local of an
item in which the two would meet. The rule is stricter than need be (another arity, another scope) and easy to explain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from unicodedata import normalize

from argon_lang.errors import ArgonError
from argon_lang.ide.module_files import file_called, file_of_module
from argon_lang.ide.names import Occurrence, occurrence_at, occurrences, symbol_meaning
from argon_lang.ide.references import all_items
from argon_lang.problems import ItemId, Location, Note, Replacement, args
from argon_lang.program.lookup import BUILT_IN_TYPES
from argon_lang.program.model import (
    ConceptSig,
    RelationSig,
    Resolution,
    Symbol,
    ToBinding,
    ToEnd,
    ToField,
    ToSymbol,
    ToVariant,
)
from argon_lang.program.types import Named
from argon_lang.queries.database import Database
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.lexer import lex
from argon_lang.syntax.tree import Item

REFUSED = "ARGON_RENAME_REFUSED"


@dataclass(frozen=True, slots=True)
class Renaming:
    """What a rename does: the edits, by file and offset; none where the two names are one.

    `moves`: files and folders that get another name after the edits, since a module is called as its file is.
    """

    old: str
    new: str
    edits: tuple[Replacement, ...]
    moves: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Target:
    """What is renamed: `meanings` share one name (a field and those that narrow it), `old` as it is written."""

    old: str
    item: ItemId
    meanings: frozenset[Resolution]


def renamable_at(db: Database, file: str, offset: int) -> tuple[Location, str]:
    """The name at an offset and its text. Raises ArgonError where nothing of the package's own has a name."""
    found = occurrence_at(db, file, offset)
    if found is None:
        raise _refused("", "", Note("nothing"))
    target = _target(db, found)
    location = db.locate(found.place)
    if location is None:
        raise _refused(target.old, "", Note("nothing"))
    return location, target.old


def rename(db: Database, file: str, offset: int, new: str, *, moves: bool = False) -> Renaming:
    """Rename what stands at an offset. Raises ArgonError `ARGON_RENAME_REFUSED` with the reason as a note.

    `moves`: whoever asks can rename files, so that modules that are files can be renamed as well.
    """
    found = occurrence_at(db, file, offset)
    if found is None:
        raise _refused("", new, Note("nothing"))
    target = _target(db, found)
    moved = _moved(db, target, new)
    if moved and not moves:
        raise _refused(target.old, new, Note("module", args(file=moved[0][0])))
    return replace(_renaming(db, target, new), moves=moved)


def rename_symbol(db: Database, symbol: Symbol, new: str) -> Renaming:
    """Rename a symbol. Raises as `rename`."""
    meaning = symbol_meaning(symbol)
    if not symbol.items:
        raise _refused(symbol.name, new, Note("foreign", args(name=symbol.name)))
    target = _own(db, _Target(symbol.name, symbol.items[0], _symbol(meaning)))
    for file, _ in _moved(db, target, new):
        raise _refused(symbol.name, new, Note("module", args(file=file)))
    return _renaming(db, target, new)


def rename_module(db: Database, path: str, new: str) -> Renaming:
    """Rename a module by its path; its file has the new name already, or will have. Raises as `rename`."""
    symbol = next((each for each in db.symbols_at(path) if each.kind == "module" and each.items), None)
    if symbol is None:
        raise _refused(path, new, Note("nothing"))
    return _renaming(db, _Target(symbol.name, symbol.items[0], _symbol(symbol_meaning(symbol))), new)


def first_place(db: Database, file: str, name: str, item: str | None = None) -> int | None:
    """The offset of the first name `name` in a file, or in the item of that name; None where it stands for nothing."""
    for each in db.items(file):
        tree = db.tree(each)
        if tree is None or (item is not None and (db.declared(tree).name or db.declared(tree).label) != item):
            continue
        for found in sorted(occurrences(db, each), key=lambda one: one.start):
            location = db.locate(found.place)
            if normalize("NFC", tree.text[found.start : found.end]) == name and location is not None:
                return location.start
    return None


def _renaming(db: Database, target: _Target, new: str) -> Renaming:
    written = normalize("NFC", new)
    _require_name(target.old, written)
    if written == target.old:
        return Renaming(target.old, written, ())
    places = [each for item in _items(db, target) for each in _named(db, item, target)]
    _require_free(db, target, places, written)
    edits = {_edit(db, each, written) for each in places}
    return Renaming(target.old, written, tuple(sorted(edits, key=_place)))


def _place(edit: Replacement) -> tuple[str, int]:
    return edit.location.file, edit.location.start


# -- what is renamed ---------------------------------------------------------------------------------------------------


def _target(db: Database, found: Occurrence) -> _Target:
    """What an occurrence stands for. Raises ArgonError where it is not the package's to rename."""
    meaning, tree = found.meaning, db.tree(found.item)
    text = normalize("NFC", tree.text[found.start : found.end]) if tree is not None else ""
    if not text:
        raise _refused("", "", Note("nothing"))
    match meaning:
        case ToBinding():
            return _Target(text, found.item, frozenset((meaning,)))
        case ToSymbol(kind, path, _) if kind != "unsupported" and "::" in path:
            return _own(db, _Target(path.rsplit("::", 1)[-1], found.item, _symbol(meaning)))
        case ToField(_, _, name):
            return _own(db, _Target(name, found.item, frozenset(_family(db, meaning))))
        case ToVariant(_, name):
            return _own(db, _Target(name, found.item, frozenset((meaning,))))
        case ToEnd(relation, index):
            signature = db.declarations.relation(relation)
            name = signature.ends[index].name if signature is not None else text
            return _own(db, _Target(name, found.item, frozenset((meaning,))))
        case _:
            raise _refused(text, "", Note("foreign", args(name=text)))


def _moved(db: Database, target: _Target, new: str) -> tuple[tuple[str, str], ...]:
    """The file or folder that a module is, with its new name; nothing for one inside a file. Raises ArgonError."""
    meaning = next(iter(target.meanings))
    module = meaning if isinstance(meaning, ToSymbol) and meaning.kind == "module" else None
    file = file_of_module(db, module.path) if module is not None else None
    if file is None or new == target.old:
        return ()
    moved = file_called(file, new)
    taken = [each for each in db.files() if each == moved or each.startswith(f"{moved}/")]
    if taken:
        raise _refused(target.old, new, Note("taken", args(new=new, path=taken[0])))
    return ((file_called(file, target.old), moved),)


def _symbol(meaning: ToSymbol) -> frozenset[Resolution]:
    """A concept is also the individual of the higher-level concepts that it instantiates."""
    both = {ToSymbol(kind, meaning.path) for kind in ("concept", "individual")}
    return frozenset(both) if meaning in both else frozenset((meaning,))


def _own(db: Database, target: _Target) -> _Target:
    """The target, if the package itself declares it in a source. Raises ArgonError."""
    paths = [_declaring(meaning) for meaning in target.meanings]
    if not all(path == "pkg" or path.startswith("pkg::") for path in paths):
        raise _refused(target.old, "", Note("foreign", args(name=target.old)))
    return target


def _declaring(meaning: Resolution) -> str:
    match meaning:
        case ToSymbol(_, path, _) | ToField(_, path, _) | ToVariant(path, _) | ToEnd(path, _):
            return path
        case _:
            return ""


def _family(db: Database, meaning: ToField) -> set[ToField]:
    """The field and those of its name that widen or narrow it, or meet it in an heir: one field to whoever reads it."""
    if meaning.kind == "struct":
        return {meaning}
    lines = _lines(db, meaning.kind)
    owners = {each.path for each, _ in lines if any(own.name == meaning.name for own in each.fields)}
    family, before = {meaning.owner}, 0
    while len(family) > before:
        before = len(family)
        family |= {path for _, line in lines if line & family for path in line & owners}
    return {ToField(meaning.kind, owner, meaning.name) for owner in family}


def _lines(db: Database, kind: str) -> list[tuple[ConceptSig | RelationSig, frozenset[str]]]:
    """Every concept or relation with all that stands above it, itself included."""
    wanted = ConceptSig if kind == "concept" else RelationSig
    table = db.declarations
    return [(each, frozenset(table.supers(each.path))) for each in _signatures(db) if isinstance(each, wanted)]


def _signatures(db: Database) -> Iterator[ConceptSig | RelationSig]:
    for path in db.all_symbols():
        for each in db.signatures_at(path):
            if isinstance(each, ConceptSig | RelationSig):
                yield each


# -- where it is written -----------------------------------------------------------------------------------------------


def _items(db: Database, target: _Target) -> list[ItemId]:
    if any(isinstance(each, ToBinding) for each in target.meanings):
        return [target.item]
    return all_items(db)


def _named(db: Database, item: ItemId, target: _Target) -> list[Occurrence]:
    """The occurrences written by the old name; those by an alias of some `use … as` stay."""
    tree = db.tree(item)
    if tree is None or (tree.text.isascii() and target.old not in tree.text):
        return []
    found = [each for each in occurrences(db, item) if each.meaning in target.meanings]
    return [each for each in found if normalize("NFC", tree.text[each.start : each.end]) == target.old]


def _edit(db: Database, found: Occurrence, new: str) -> Replacement:
    location, tree = db.locate(found.place), db.tree(found.item)
    if location is None or tree is None:
        raise _refused("", new, Note("nothing"))
    if (short := _shorthand(tree, found)) is None:
        return Replacement(location, new)
    # `{ rent }` names a field and a value at once: only one of the two has another name now.
    is_field = isinstance(found.meaning, ToField | ToVariant)
    return Replacement(location, f"{new}: {short}" if is_field else f"{short}: {new}")


def _shorthand(tree: Item, found: Occurrence) -> str | None:
    """The name in `{ rent }`, where it is a field's and a value's; None elsewhere."""
    for each in tree.root.descendants():
        match each:
            case nodes.FieldInit(name=nodes.Name() as name, has_colon=False) if name.start == found.start:
                return tree.text[name.start : name.end]
            case nodes.FieldPattern(name=nodes.Name() as name, pattern=None) if name.start == found.start:
                return tree.text[name.start : name.end]
    return None


# -- what forbids it ---------------------------------------------------------------------------------------------------


def _require_name(old: str, new: str) -> None:
    """One token that is an identifier, and no word of the language, hard or contextual. Raises ArgonError."""
    _, kinds, bad = lex(new)
    if len(kinds) != 1 or bad or kinds[0] not in (*K.NAME, *K.HARD_KEYWORD):
        raise _refused(old, new, Note("form", args(new=new)))
    if kinds[0] != K.IDENT or new in BUILT_IN_TYPES:
        raise _refused(old, new, Note("word", args(new=new)))


def _require_free(db: Database, target: _Target, places: list[Occurrence], new: str) -> None:
    """No name that the renamed one would meet is `new`. Raises ArgonError."""
    for meaning in target.meanings:
        match meaning:
            case ToBinding():
                _require_no_local(db, [target.item], target, new)
                _require_unseen(db, _modules(db, [target.item]), target, new)
            case ToSymbol():
                seeing = list(_seeing(db, meaning))
                _require_unseen(db, [*seeing, meaning.path.rpartition("::")[0]], target, new)
                inside = set(seeing)
                items = [item for file in db.files() for item in db.items(file) if db.module_of(item) in inside]
                _require_no_local(db, items, target, new)
            case ToField(kind, owner, _):
                _require_no_member(db, kind, owner, target, new)
            case ToVariant(enum, _):
                signature = db.declarations.enum(enum)
                taken = [each.name for each in signature.variants] if signature is not None else []
                _require_not_in(taken, target, new, enum)
            case ToEnd(relation, _):
                _require_no_member(db, "relation", relation, target, new)


def _modules(db: Database, items: Iterable[ItemId]) -> list[str]:
    return [module for item in items if (module := db.module_of(item)) is not None]


def _seeing(db: Database, meaning: ToSymbol) -> Iterator[str]:
    """The modules in which the old name leads to the symbol."""
    name = meaning.path.rsplit("::", 1)[-1]
    for module in db.world().names:
        if any(each.path == meaning.path for each in db.scope(module).names().get(name, ())):
            yield module


def _require_unseen(db: Database, modules: Iterable[str], target: _Target, new: str) -> None:
    for module in modules:
        for each in db.scope(module).names().get(new, ()):
            raise _refused(target.old, new, Note("taken", args(new=new, path=each.path)))


def _require_no_local(db: Database, items: Iterable[ItemId], target: _Target, new: str) -> None:
    for item in items:
        tree = db.tree(item)
        if tree is None or (tree.text.isascii() and new not in tree.text):
            continue
        if any(each.name == new for each in db.inference(item).bindings):
            raise _refused(target.old, new, Note("local", args(new=new, item=item.label, file=item.file)))


def _require_no_member(db: Database, kind: str, owner: str, target: _Target, new: str) -> None:
    """No declaration above or below `owner`, itself included, has a member called `new`."""
    table = db.declarations
    if kind == "struct":
        _require_not_in([each.name for each in table.fields(Named("struct", owner))], target, new, owner)
        return
    lines = _lines(db, kind)
    near = {path for _, line in lines if owner in line for path in line}
    for each, _ in lines:
        if each.path in near:
            ends = [end.name for end in each.ends] if isinstance(each, RelationSig) else []
            _require_not_in([*ends, *(field.name for field in each.fields)], target, new, each.path)


def _require_not_in(taken: Iterable[str], target: _Target, new: str, owner: str) -> None:
    if new in taken:
        raise _refused(target.old, new, Note("taken", args(new=new, path=f"{owner}.{new}")))


def _refused(old: str, new: str, reason: Note) -> ArgonError:
    details = {"old": old, "new": new, "reason": reason.key, **dict(reason.args)}
    return ArgonError(REFUSED, args(old=old, new=new), details=details, notes=(reason,))
