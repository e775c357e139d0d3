"""What each token of a file is, for colours that know what a name means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from argon_lang.ide.names import Occurrence, occurrences
from argon_lang.problems import ItemId
from argon_lang.program.model import (
    Resolution,
    ToBinding,
    ToEnd,
    ToField,
    ToIntrinsic,
    ToSymbol,
    ToType,
    ToVariant,
)
from argon_lang.queries import program
from argon_lang.queries.database import Database
from argon_lang.syntax import kinds as K
from argon_lang.syntax.tree import Item

Kind = Literal[
    "namespace", "type", "class", "interface", "struct", "enum", "enumMember", "function", "method", "event",
    "parameter", "variable", "property", "keyword", "comment", "string", "number",
]  # fmt: skip
"""The kinds of the language server protocol that Argon uses."""

Modifier = Literal["declaration", "readonly", "defaultLibrary", "documentation"]

KINDS: tuple[str, ...] = get_args(Kind)
MODIFIERS: tuple[str, ...] = get_args(Modifier)

_SYMBOLS: dict[str, Kind] = {
    "module": "namespace", "standpoint": "namespace", "metaxis": "type", "metatype": "type", "metarel": "type",
    "concept": "class", "trait": "interface", "relation": "interface", "struct": "struct", "enum": "enum",
    "fn": "function", "query": "function", "predicate": "function", "check": "event", "mutation": "method",
    "test": "event", "individual": "variable",
}  # fmt: skip
_WORDS: dict[int, Kind] = {
    K.LINE_COMMENT: "comment", K.BLOCK_COMMENT: "comment", K.OUTER_DOC: "comment", K.INNER_DOC: "comment",
    K.STRING: "string", K.INT: "number", K.DECIMAL: "number", K.DATE: "number", K.DATETIME: "number",
}  # fmt: skip
_DOCS = frozenset((K.OUTER_DOC, K.INNER_DOC))


@dataclass(frozen=True, slots=True)
class Coloured:
    """A token at `[start, end)` of a file."""

    start: int
    end: int
    kind: Kind
    modifiers: frozenset[Modifier] = frozenset()


def coloured(db: Database, file: str, start: int = 0, end: int | None = None) -> tuple[Coloured, ...]:
    """The tokens that begin in `[start, end)` of a file, in order; those that mean nothing are left out."""
    document = db.documents().get(file)
    if document is None:
        return ()
    last = len(document.text) if end is None else end
    found: list[Coloured] = []
    for item, base, tree in zip(db.items(file), document.starts, document.items, strict=True):
        if base < last and base + len(tree.text) > start:
            found += [each for each in _of_item(db, item, base, tree) if start <= each.start < last]
    return tuple(found)


def _of_item(db: Database, item: ItemId, base: int, tree: Item) -> Iterator[Coloured]:
    names = {(each.start, each.end): each for each in reversed(occurrences(db, item))}
    at = 0
    for kind, text in zip(tree.kinds, tree.tokens, strict=True):
        start, at = at, at + len(text)
        named = names.get((start, at))
        if named is not None:
            yield _name(db, named, base)
        elif (word := _word(kind, text)) is not None:
            modifiers: frozenset[Modifier] = frozenset(("documentation",)) if kind in _DOCS else frozenset()
            yield Coloured(base + start, base + at, word, modifiers)


def _word(kind: int, text: str) -> Kind | None:
    """Hard keywords; a contextual word that names nothing stands there as a keyword."""
    if kind in K.HARD_KEYWORD or (kind in K.NAME and kind != K.IDENT and text):
        return "keyword"
    return _WORDS.get(kind)


def _name(db: Database, named: Occurrence, base: int) -> Coloured:
    kind, modifiers = _meaning(db, named.item, named.meaning)
    if named.declares:
        modifiers = modifiers | {"declaration"}
    return Coloured(base + named.start, base + named.end, kind, modifiers)


def _meaning(db: Database, item: ItemId, meaning: Resolution) -> tuple[Kind, frozenset[Modifier]]:
    plain: frozenset[Modifier] = frozenset()
    library: frozenset[Modifier] = frozenset(("defaultLibrary",))
    match meaning:
        case ToBinding(number):
            found = next((each for each in db.inference(item).bindings if each.id == number), None)
            return ("parameter" if found is not None and found.kind == "param" else "variable"), plain
        case ToSymbol(kind, path, _):
            modifiers = library if program.is_std(path) else plain
            return _SYMBOLS.get(kind, "variable"), modifiers | ({"readonly"} if kind == "individual" else set())
        case ToVariant():
            return "enumMember", plain
        case ToField() | ToEnd():
            return "property", plain
        case ToIntrinsic():
            return "function", library
        case ToType():
            return "type", library
