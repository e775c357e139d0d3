"""Growing selections: from the word at a place outward, node by node, to the whole file."""

from __future__ import annotations

from argon_lang.problems import Location
from argon_lang.queries.database import Database


def selections(db: Database, file: str, offset: int) -> tuple[Location, ...]:
    """The spans around an offset, each inside the next: token, nodes, item with its docs, file. Never empty."""
    document = db.documents().get(file)
    if document is None:
        return (Location(file, 0, 0),)
    offset = max(0, min(offset, len(document.text)))
    index = document.item_index(offset)
    item, start = document.items[index], document.starts[index]
    inner = offset - start
    views = (item.view(number) for number in range(len(item.node_kinds)))
    nodes = [(start + each.start, start + each.end) for each in views if each.start < each.end]
    spans = [(0, len(document.text)), (start, start + len(item.text)), *nodes]
    place = item.token_at(inner)
    if place is not None:
        token = item.token(place)
        spans.append((start + token.start, start + token.end))
    found = sorted({span for span in spans if span[0] <= offset <= span[1]}, key=lambda each: each[1] - each[0])
    return tuple(Location(file, *span) for span in _nested(found))


def _nested(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Of spans by size, those that hold all the ones before."""
    found: list[tuple[int, int]] = []
    for low, high in spans:
        if not found or (low <= found[-1][0] and found[-1][1] <= high):
            found.append((low, high))
    return found
