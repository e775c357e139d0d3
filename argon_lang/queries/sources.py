"""Source texts as documents: opened, edited by their difference, and located."""

from __future__ import annotations

from argon_lang.syntax.document import Document


def opened(text: str) -> Document:
    """A document of `text`."""
    return Document.parse(text)


def changed(document: Document, text: str) -> Document:
    """`document` with its text replaced: only what lies between the common beginning and end is parsed again."""
    before = document.text
    if before == text:
        return document
    most = min(len(before), len(text))
    start = _common(before, text, most)
    tail = 0
    while tail < most - start and before[-1 - tail] == text[-1 - tail]:
        tail += 1
    return document.edit(start, len(before) - tail, text[start : len(text) - tail])


def _common(left: str, right: str, most: int) -> int:
    """Length of the common beginning, by bisection over slices (comparisons of slices run in C)."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
