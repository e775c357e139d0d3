"""Written paths: segments with their spans, compared after NFC (language.md §1)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from argon_lang.quick import quick
from argon_lang.syntax import kinds as K
from argon_lang.syntax.nodes import Name, Path
from argon_lang.syntax.tree import Item, Token

_SEGMENTS = K.SEGMENT | {K.CTX_PKG, K.CTX_STD}


@quick
@dataclass(frozen=True, slots=True)
class Segment:
    """One name of a path, with its item-relative span."""

    name: str
    start: int
    end: int


def normal(name: str) -> str:
    """The form in which names are compared."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def segments(path: Path) -> tuple[Segment, ...]:
    """The segments of a path in order; empty in a broken tree."""
    known: tuple[Segment, ...] | None = path.__dict__.get("_segments")
    if known is None:
        item = path.item
        indexes, starts, ends = item.extent
        known = tuple([Segment(normal(item.tokens[indexes[at]]), starts[at], ends[at]) for at in _places(path)])
        path.__dict__["_segments"] = known
    return known


def names(path: Path) -> tuple[str, ...]:
    """The segments' names only."""
    tokens, indexes = path.item.tokens, path.item.extent[0]
    return tuple(normal(tokens[indexes[at]]) for at in _places(path))


def written_paths(item: Item) -> frozenset[tuple[str, ...]]:
    """The names of every path in an item, each once."""
    kinds, tokens, indexes = item.kinds, item.tokens, item.extent[0]
    found = set()
    for index, kind in enumerate(item.node_kinds):
        if kind == K.N_PATH:
            places = indexes[item.node_starts[index] : item.node_ends[index]]
            found.add(tuple([normal(tokens[place]) for place in places if kinds[place] in _SEGMENTS]))
    return frozenset(found)


def _places(path: Path) -> list[int]:
    """The significant tokens that are segments: a path has no nodes inside, so its range is its own."""
    item, index = path.item, path.index
    kinds, indexes = item.kinds, item.extent[0]
    start, end = item.node_starts[index], item.node_ends[index]
    if end - start == 1:
        return [start] if kinds[indexes[start]] in _SEGMENTS else []
    return [at for at in range(start, end) if kinds[indexes[at]] in _SEGMENTS]


def name_token(name: Name | None) -> Token | None:
    """The token of a declared name; None where the tree is broken."""
    return None if name is None else name.token


def name_of(name: Name | None) -> str | None:
    """A declared name in the form in which names are compared; None where the tree is broken."""
    token = name_token(name)
    return None if token is None else normal(token.text)
