"""A tree as nested plain data, down to a depth: what a reader who cannot see the text needs of it."""

from __future__ import annotations

from typing import Any

from argon_lang.syntax import kinds as K
from argon_lang.syntax.document import Document
from argon_lang.syntax.tree import View

Json = Any
_SHOWN = 60


def outline(document: Document, depth: int) -> list[Json]:
    """The items of a document: `{node, text, children?}`, spans as code points of the whole text.

    Below `depth` levels only the number of children is told, so nothing is left out silently.
    """
    pairs = zip(document.items, document.starts, strict=True)
    return [_node(item.root, start, depth) for item, start in pairs if item.kind != K.N_END_OF_FILE]


def _node(view: View, start: int, depth: int) -> Json:
    text = " ".join(view.text.split())
    found: dict[str, Json] = {
        "node": K.NODE_NAMES[view.kind - K.N_ERROR],
        "start": start + view.start,
        "end": start + view.end,
        "text": text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…",
    }
    children = view.children
    if children and depth > 1:
        found["children"] = [_node(each, start, depth - 1) for each in children]
    elif children:
        found["childCount"] = len(children)
    return found
