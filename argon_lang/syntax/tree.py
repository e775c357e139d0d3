"""Parsed items: a text, its tokens, and a tree as parallel integer arrays in post-order.

Node `i` has kind `node_kinds[i]`, covers significant tokens `node_starts[i]` to `node_ends[i]` (exclusive), and its
subtree is the nodes `node_firsts[i]` to `i`; the root is the last node. Post-order arrays are written by appending
only, which made the parser the fastest of those measured. Trivia stay in `tokens`, so the text is always whole.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, TypeAlias, TypeVar

from argon_lang.problems import Problem
from argon_lang.quick import quick
from argon_lang.syntax import kinds as K

LAST_TRIVIA = K.ERROR


@quick
@dataclass(frozen=True, slots=True)
class Token:
    """A significant token: its kind number, text, and item-relative code-point span."""

    kind: int
    text: str
    start: int
    end: int


class IncompleteTree(Exception):
    """Raised by `need` where a broken tree lacks a part; whoever lowers an item catches it at the item."""


T = TypeVar("T")


def need(part: T | None) -> T:
    """The part, which a well-formed tree has. Raises IncompleteTree when the tree is broken there."""
    if part is None:
        raise IncompleteTree
    return part


Numbers: TypeAlias = "array[int]"


def packed(numbers: list[int]) -> Numbers:
    """Numbers from zero upwards in two bytes each, in four where one is large: trees are what a program weighs."""
    try:
        return array("H", numbers)
    except OverflowError:
        return array("I", numbers)


class Item:
    """One top-level item of a document: immutable by convention, reused across edits.

    `problems` are item-relative. `tokens` and `kinds` include trivia and cover `text` exactly. `count` is the number
    of significant tokens; the parser looked at no more than `reach` significant tokens behind the item's last one.
    """

    __slots__ = (
        "__weakref__", "_extent", "_views", "count", "kinds", "label", "node_ends", "node_firsts", "node_kinds",
        "node_starts", "problems", "reach", "text", "tokens",
    )  # fmt: skip

    def __init__(self, text: str, tokens: list[str], kinds: list[int], arrays: tuple[list[int], ...],
                 problems: tuple[Problem, ...], count: int, reach: int) -> None:  # fmt: skip
        self.text = text
        self.count = count
        self.reach = reach
        self.label: str | None = None
        self.tokens = tokens
        self.kinds = packed(kinds)
        self.node_kinds, self.node_starts, self.node_ends, self.node_firsts = map(packed, arrays)
        self.problems = problems
        self._extent: tuple[Numbers, Numbers, Numbers] | None = None
        self._views: dict[int, View] | None = None

    @property
    def extent(self) -> tuple[Numbers, Numbers, Numbers]:
        """Of the significant tokens: index into `tokens`, start offset, end offset."""
        known = self._extent
        if known is None:
            ends = [0, *accumulate(map(len, self.tokens))]
            places = [i for i, kind in enumerate(self.kinds) if kind > LAST_TRIVIA]
            known = packed(places), packed([ends[i] for i in places]), packed([ends[i + 1] for i in places])
            self._extent = known
        return known

    @property
    def root(self) -> View:
        """The view of the whole item (a `nodes.Decl`)."""
        return self.view(len(self.node_kinds) - 1)

    def view(self, index: int) -> View:
        """The typed view of node `index`; the same one while the item is being looked at."""
        views = self._views
        if views is None:
            views = self._views = {}
            _keep_warm(self)
        found = views.get(index)
        if found is None:
            found = views[index] = View.classes[self.node_kinds[index]](self, index)
        return found

    def cool(self) -> None:
        """Forget views and extents, which are made anew when they are asked for."""
        self._views = self._extent = None

    def token(self, place: int) -> Token:
        """The `place`-th significant token."""
        indexes, starts, ends = self.extent
        index = indexes[place]
        return Token(self.kinds[index], self.tokens[index], starts[place], ends[place])

    def token_at(self, offset: int) -> int | None:
        """Place of the significant token that covers or ends at `offset`, the later one at a seam; else None."""
        _, starts, ends = self.extent
        place = bisect_right(starts, offset) - 1
        return place if place >= 0 and offset <= ends[place] else None

    def node_at(self, offset: int) -> View:
        """The smallest node whose significant extent touches `offset` (the root when none does)."""
        place = self.token_at(offset)
        if place is None:
            return self.root
        starts, ends = self.node_starts, self.node_ends
        for index in range(len(starts)):
            if starts[index] <= place < ends[index]:
                return self.view(index)
        return self.root

    @property
    def kind(self) -> int:
        """Kind number of the root node."""
        return self.node_kinds[-1]


_WARM: deque[Item] = deque()
_MOST_WARM = 1_536
"""Items whose views are kept, as many as 7,000 lines have: at a keystroke the gates ask for parts of all of them."""
_MOST_WARM_ONCE = 20_000
"""As many, while a program is looked at once and as a whole: one pass after the other asks for all of its items."""
_once: list[None] = []


def _keep_warm(item: Item) -> None:
    """Enter an item among those that are being looked at, and let the one go that was entered first."""
    _WARM.append(item)
    most = _MOST_WARM_ONCE if _once else _MOST_WARM
    while len(_WARM) > most:
        _WARM.popleft().cool()


@contextmanager
def warm() -> Iterator[None]:
    """A scope in which the views of many more items are kept: a sixth of a cold check's time, for twice the memory."""
    _once.append(None)
    try:
        yield
    finally:
        _once.pop()


class View:
    """A node of one item, seen through its kind's named fields (`nodes.py`). Equal when it is the same node.

    What a field was found to be is kept in the instance, where it hides the descriptor that found it.
    """

    __slots__ = ("__dict__", "_children", "index", "item")
    KIND: ClassVar[int] = -1
    classes: ClassVar[dict[int, type[View]]] = {}

    def __init__(self, item: Item, index: int) -> None:
        self.item = item
        self.index = index
        self._children: list[int] | None = None

    def __init_subclass__(cls) -> None:
        View.classes[cls.KIND] = cls

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and other.item is self.item and other.index == self.index

    def __hash__(self) -> int:
        return hash((id(self.item), self.index))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.text!r}>"

    @property
    def kind(self) -> int:
        """The node's kind number (`kinds.N_…`)."""
        return self.item.node_kinds[self.index]

    @property
    def start(self) -> int:
        """Item-relative offset of the first significant token (of the gap, when the node is empty)."""
        item, index = self.item, self.index
        first, last = item.node_starts[index], item.node_ends[index]
        _, starts, ends = item.extent
        if first < last:
            return starts[first]
        return ends[first - 1] if first else 0

    @property
    def end(self) -> int:
        """Item-relative offset behind the last significant token."""
        last = self.item.node_ends[self.index]
        return max(self.start, self.item.extent[2][last - 1]) if last else 0

    @property
    def text(self) -> str:
        """The source text from `start` to `end`, comments inside included."""
        return self.item.text[self.start : self.end]

    @property
    def child_indexes(self) -> list[int]:
        """Node numbers of the children, in the order of the text. The list is not the reader's to change."""
        known = self._children
        if known is not None:
            return known
        firsts, index = self.item.node_firsts, self.index
        low, child, found = firsts[index], index - 1, []
        while child >= low:
            found.append(child)
            child = firsts[child] - 1
        found.reverse()
        self._children = found
        return found

    @property
    def children(self) -> list[View]:
        """Views of the children, in the order of the text."""
        return [self.item.view(index) for index in self.child_indexes]

    def descendants(self) -> Iterator[View]:
        """Every node below this one, children before parents."""
        return (self.item.view(index) for index in range(self.item.node_firsts[self.index], self.index))

    @property
    def parent(self) -> View | None:
        """The node around this one; None at the root."""
        firsts, index = self.item.node_firsts, self.index
        return next((self.item.view(i) for i in range(index + 1, len(firsts)) if firsts[i] <= index), None)

    def own_places(self) -> Iterator[int]:
        """Places of the tokens that belong to this node and to none of its children."""
        starts, ends = self.item.node_starts, self.item.node_ends
        place = starts[self.index]
        for child in self.child_indexes:
            if place < starts[child]:
                yield from range(place, starts[child])
            place = max(place, ends[child])
        yield from range(place, ends[self.index])

    @property
    def own_tokens(self) -> list[Token]:
        """The node's own tokens: keywords, operators, brackets, names that have no node."""
        return [self.item.token(place) for place in self.own_places()]

    @property
    def docs(self) -> tuple[str, ...]:
        """The `///` lines before the node's first token, without the slashes and one blank."""
        places, _, _ = self.item.extent
        first = self.item.node_starts[self.index]
        if first >= len(places):
            return ()
        low = places[first - 1] + 1 if first else 0
        span = zip(self.item.kinds[low : places[first]], self.item.tokens[low : places[first]], strict=True)
        return tuple(text[3:].removeprefix(" ") for kind, text in span if kind == K.OUTER_DOC)
