"""A parsed text with what its items declare and write, as one value, and its plain form for a cache.

Everything here is read from one text alone, so it stays right as long as the text is the same: the document
(`syntax.packed`), the declarations of its items (`program.declare`), and the words for the graph of `reach`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from sys import intern
from typing import get_args

import cbor2

from argon_lang.program.declare import Declared, Import, declared
from argon_lang.program.model import SymbolKind, Visibility
from argon_lang.queries.reach import Reach, reach_of
from argon_lang.queries.sources import changed, opened
from argon_lang.syntax.document import Document
from argon_lang.syntax.packed import Plain, pack, unpack
from argon_lang.syntax.tree import Item

_KINDS = frozenset(get_args(SymbolKind))
_KINDS_OR_NONE = _KINDS | {None}
_VISIBILITIES = frozenset(get_args(Visibility))
_OPENS = frozenset(("", "file", "inline"))


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document, and for each of its items what it declares and how far it reaches (or nothing of the latter)."""

    document: Document
    declared: tuple[Declared, ...]
    reaches: tuple[Reach, ...] = ()


def parse(text: str) -> Parsed:
    """Parse a text, and read from its items what they declare and write."""
    return _with_items(opened(text), {})


def edited(known: Parsed, text: str) -> Parsed:
    """What `parse` makes of another text; only the items that differ from those of `known` are parsed and read."""
    pairs = zip(known.declared, known.reaches, strict=True)
    return _with_items(changed(known.document, text), dict(zip(known.document.items, pairs, strict=True)))


def _with_items(document: Document, known: Mapping[Item, tuple[Declared, Reach]]) -> Parsed:
    pairs = [known.get(item) or _read(item) for item in document.items]
    whole = Document(document.text, document.items, document.starts)
    return Parsed(whole, tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs))


def _read(item: Item) -> tuple[Declared, Reach]:
    found = declared(item)
    return found, reach_of(item, found)


def to_bytes(parsed: Parsed) -> bytes | None:
    """Canonical CBOR; None where the text, or what is said of it, is no Unicode."""
    tree = pack(parsed.document)
    if tree is None:
        return None
    try:
        return cbor2.dumps([tree, list(map(_plain, parsed.declared)), _reaches(parsed.reaches)], canonical=True)
    except (ValueError, cbor2.CBORError):
        return None


def from_bytes(text: str, data: bytes) -> Parsed | None:
    """What `to_bytes` was given for this text; None when the bytes are no such thing. Never raises."""
    try:
        tree, declarations, reaches = cbor2.loads(data)
        document = unpack(text, tree)
        if document is None:
            return None
        found = Parsed(document, tuple(map(_declared, declarations)), tuple(_reaches_of(*reaches)))
    except _MALFORMED:
        return None
    if not len(document.items) == len(found.declared) == len(found.reaches):
        return None
    for item, each in zip(document.items, found.declared, strict=True):
        item.label = each.label
    return found


_MALFORMED = (ValueError, TypeError, IndexError, KeyError, OverflowError, RecursionError, cbor2.CBORError)
"""What reading bytes that are none of ours may raise."""


def _require(fits: bool) -> None:
    if not fits:
        raise ValueError


# -- what items declare -----------------------------------------------------------------------------------------------


def _plain(each: Declared) -> list[Plain]:
    """The fields in their order, without the ones at the end that are as ever."""
    imports = [[list(leaf.segments), leaf.name, leaf.leaf] for leaf in each.imports]
    fields: list[Plain] = [
        each.label, each.kind, each.name, each.arity, each.visibility, imports, list(each.members),
        list(each.individuals), each.opens, each.closes, each.divides, each.cap, list(each.parameters),
        [list(member) for member in each.provides], each.implements,
    ]  # fmt: skip
    while fields[-1] == _EMPTY[len(fields) - 1]:
        fields.pop()
    return fields


_EMPTY: list[Plain] = [None, None, None, None, "private", [], [], [], "", False, False, "", [], [], False]
"""The fields of one that declares nothing; a label is always there."""


def _declared(fields: Plain) -> Declared:
    _require(type(fields) is list and 0 < len(fields) <= len(_EMPTY))
    read = [check(value) for check, value in zip(_FIELDS, fields, strict=False)]
    return Declared(*read)


def _text(value: Plain) -> str:
    _require(type(value) is str)
    return intern(value)


def _text_or_none(value: Plain) -> str | None:
    return None if value is None else _text(value)


def _number_or_none(value: Plain) -> int | None:
    _require(value is None or (type(value) is int and value >= 0))
    found: int | None = value
    return found


def _truth(value: Plain) -> bool:
    _require(type(value) is bool)
    found: bool = value
    return found


def _texts(value: Plain) -> tuple[str, ...]:
    _require(type(value) is list)
    return tuple(map(_text, value))


def _one_of(allowed: frozenset[str | None] | frozenset[str]) -> Callable[[Plain], Plain]:
    def check(value: Plain) -> Plain:
        _require(value in allowed)
        return value

    return check


def _imports(value: Plain) -> tuple[Import, ...]:
    _require(type(value) is list and all(type(leaf) is int for _, _, leaf in value))
    return tuple(Import(_texts(segments), _text_or_none(name), leaf) for segments, name, leaf in value)


def _provides(value: Plain) -> tuple[tuple[SymbolKind, str, int | None], ...]:
    _require(type(value) is list and all(kind in _KINDS for kind, _, _ in value))
    return tuple((kind, _text(name), _number_or_none(arity)) for kind, name, arity in value)


_FIELDS: tuple[Callable[[Plain], Plain], ...] = (
    _text, _one_of(_KINDS_OR_NONE), _text_or_none, _number_or_none, _one_of(_VISIBILITIES), _imports, _texts, _texts,
    _one_of(_OPENS), _truth, _truth, _text, _texts, _provides, _truth,
)  # fmt: skip


# -- how far they reach -----------------------------------------------------------------------------------------------


def _reaches(reaches: Iterable[Reach]) -> list[Plain]:
    """All words once; then for each item the numbers of its words, of those that it declares, and whether it gives."""
    listed = list(reaches)
    words = sorted(frozenset[str]().union(*(each.words for each in listed)))
    number = {word: index for index, word in enumerate(words)}
    rows = [
        [sorted(number[word] for word in each.words), sorted(number[word] for word in each.declares), each.gives]
        for each in listed
    ]
    return [words, rows]


def _reaches_of(words: Plain, rows: Plain) -> Iterator[Reach]:
    word = _texts(words).__getitem__
    for used, declares, gives in rows:
        _require(min(used, default=0) >= 0 and min(declares, default=0) >= 0)
        all_of, own = frozenset(map(word, used)), frozenset(map(word, declares))
        _require(own <= all_of)
        yield Reach(all_of, own, _truth(gives))
