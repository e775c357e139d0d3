"""Source texts as documents: opened, edited by their difference, and located."""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.syntax.document import Document
from argon_lang.syntax.tree import Item


def opened(text: str) -> Document:
    """A document of `text`."""
    return Document.parse(text)


def changed(document: Document, text: str) -> Document:
    """`document` with its text replaced: only what lies between the common beginning and end is parsed again."""
    before = document.text
    if before == text:
        return document
    most = min(len(before), len(text))
    start = _common_start(before, text, most)
    tail = _common_end(before, text, most - start)
    return document.edit(start, len(before) - tail, text[start : len(text) - tail])


def _common_start(left: str, right: str, most: int) -> int:
    """Length of the common beginning, by bisection over slices (comparisons of slices run in C)."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(left: str, right: str, most: int) -> int:
    """Length of the common end, of at most `most` characters, found likewise."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if left[len(left) - middle : len(left) - low] == right[len(right) - middle : len(right) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def reused(known: Iterable[Item], items: Iterable[Item]) -> tuple[Item, ...]:
    """`items`, each replaced by an equal one of `known`: an item that moved stays the object that it was."""
    by_text = {item.text: item for item in known}
    return tuple(_either(by_text.get(item.text), item) for item in items)


def _either(known: Item | None, item: Item) -> Item:
    same = known is item or (
        known is not None
        and known.node_kinds == item.node_kinds
        and known.node_starts == item.node_starts
        and known.node_ends == item.node_ends
        and known.problems == item.problems
    )
    return known if same and known is not None else item
