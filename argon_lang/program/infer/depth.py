"""How deep a tree is: whoever walks it by recursion asks first."""

from __future__ import annotations

from argon_lang.syntax.tree import Item, View

MAX_DEPTH = 160
"""Trees nested deeper are refused with OE0017: walking them would exhaust the interpreter's stack. A sum of so many
terms is as deep as brackets are."""


def too_deep(item: Item) -> View | None:
    """The first node of the text that lies deeper than `MAX_DEPTH`; None when there is none. Linear in the tree."""
    if len(item.node_firsts) <= MAX_DEPTH:
        return None
    around: list[int] = []
    found: int | None = None
    for index in range(len(item.node_firsts) - 1, -1, -1):
        while around and around[-1] > index:
            around.pop()
        if len(around) > MAX_DEPTH:
            found = index
        around.append(item.node_firsts[index])
    return None if found is None else item.view(found)
