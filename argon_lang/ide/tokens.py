"""What each token of a file is, for colours that know what a name means."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
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
from argon_lang.text import Encoding, LineIndex, units

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
            placed = (replace(each, start=base + each.start, end=base + each.end) for each in _of_item(db, item, tree))
            found += [each for each in placed if start <= each.start < last]
    return tuple(found)


# -- as the protocol packs them ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Packed:
    """The tokens of one item, five numbers each, but for where the `first` stands, and where the `last` does.

    Both are relative to the item's beginning. `lines` counts the line ends of the item, `tail` the units behind the
    last of them.
    """

    first: tuple[int, int]
    numbers: array[int]
    last: tuple[int, int]
    lines: int
    tail: int


def packed(db: Database, file: str, encoding: Encoding) -> array[int]:
    """The tokens of a file, five numbers each: line and column relative to the token before, length, kind, modifiers.

    A token over several lines becomes one for each line, since few editors take the other form. What an item comes to
    is remembered for as long as it means the same.
    """
    found = array("I")
    line = column = 0  # where the item begins
    at_line = at_column = 0  # where the last token stands
    for item in db.items(file):
        each = db.ask(_packed, (item, encoding))
        if each.numbers:
            down, across = each.first
            first_line, first_column = line + down, across if down else column + across
            across = first_column - at_column if first_line == at_line else first_column
            found.extend((first_line - at_line, across))
            found.extend(each.numbers)
            down, across = each.last
            at_line, at_column = line + down, across if down else column + across
        line, column = line + each.lines, each.tail if each.lines else column + each.tail
    return found


def _packed(db: Database, key: tuple[ItemId, Encoding]) -> _Packed:
    item, encoding = key
    tree = db.tree(item)
    if tree is None:
        return _Packed((0, 0), array("I"), (0, 0), 0, 0)
    index = LineIndex(tree.text)
    numbers: list[int] = []
    line = column = 0
    for each in _of_item(db, item, tree):
        kind, modifiers = KINDS.index(each.kind), bits(each.modifiers)
        for at, first, length in parts(index, each.start, each.end, encoding):
            numbers += (at - line, first - column if at == line else first, length, kind, modifiers)
            line, column = at, first
    lines = index.line_count - 1
    start = (numbers[0], numbers[1]) if numbers else (0, 0)
    return _Packed(
        start, array("I", numbers[2:]), (line, column), lines, units(tree.text[index.starts[-1] :], encoding)
    )


def bits(modifiers: frozenset[Modifier]) -> int:
    """Modifiers as the protocol packs them."""
    return sum(1 << MODIFIERS.index(each) for each in modifiers)


def parts(index: LineIndex, start: int, end: int, encoding: Encoding) -> Iterator[tuple[int, int, int]]:
    """Line, column and length of what a span covers of each line; empty parts are left out."""
    for line in range(index.line_of(start), index.line_of(end) + 1):
        low, high = index.line_span(line)
        part = index.text[max(low, start) : min(high, end)]
        if part:
            yield line, units(index.text[low : max(low, start)], encoding), units(part, encoding)


# -- one item ----------------------------------------------------------------------------------------------------------


def _of_item(db: Database, item: ItemId, tree: Item) -> Iterator[Coloured]:
    """The tokens of an item, relative to its beginning."""
    names = {(each.start, each.end): each for each in reversed(occurrences(db, item))}
    at = 0
    for kind, text in zip(tree.kinds, tree.tokens, strict=True):
        start, at = at, at + len(text)
        named = names.get((start, at))
        if named is not None:
            yield _name(db, named)
        elif (word := _word(kind, text)) is not None:
            modifiers: frozenset[Modifier] = frozenset(("documentation",)) if kind in _DOCS else frozenset()
            yield Coloured(start, at, word, modifiers)


def _word(kind: int, text: str) -> Kind | None:
    """Hard keywords; a contextual word that names nothing stands there as a keyword."""
    if kind in K.HARD_KEYWORD or (kind in K.NAME and kind != K.IDENT and text):
        return "keyword"
    return _WORDS.get(kind)


def _name(db: Database, named: Occurrence) -> Coloured:
    kind, modifiers = _meaning(db, named.item, named.meaning)
    if named.declares:
        modifiers = modifiers | {"declaration"}
    return Coloured(named.start, named.end, kind, modifiers)


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
