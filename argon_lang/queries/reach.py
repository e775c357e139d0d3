"""How far a change reaches: a graph over items by the words that they write, found without resolving a name.

One item can concern another only through a name that the one declares and the other writes, so the graph errs on the
side of too much and never of too little; types that nobody writes are reached through the declarations that write
them. An item that only asks (a rule, a query, a function, a check) rests on what it names. One that says something
about what it names (a fact, a subtype, a group, an attack on another rule) is moreover what the named thing rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from argon_lang.problems import ItemId
from argon_lang.program.declare import Declared
from argon_lang.program.paths import normal
from argon_lang.syntax import kinds as K
from argon_lang.syntax.tree import Item

STRUCTURAL = frozenset((K.N_MOD_DECL, K.N_CLOSE_BRACE, K.N_STANDPOINT_DECL, K.N_FILE_ATTRIBUTE))
"""Items that say where others stand, or how a whole file is read: their change concerns everything."""

_ASKING = frozenset((
    K.N_FN_DECL, K.N_DERIVE_DECL, K.N_QUERY_DECL, K.N_CHECK_DECL, K.N_MUTATE_DECL, K.N_TEST_DECL, K.N_USE_DECL,
    K.N_MOD_DECL, K.N_CLOSE_BRACE, K.N_END_OF_FILE,
))  # fmt: skip
"""Items that say nothing about what they name, as long as they bear no attribute."""

_NAMES = K.SEGMENT | {K.CTX_PKG, K.CTX_STD}


@dataclass(frozen=True, slots=True)
class Reach:
    """The names that an item writes, those that it declares (`declares` are among `words`), and whether it says
    something about what it names (`gives`).
    """

    words: frozenset[str]
    declares: frozenset[str]
    gives: bool


def reach_of(item: Item, declared: Declared) -> Reach:
    """What an item writes and declares. The labels in its attributes count as declared: others may attack them."""
    words = frozenset([normal(text) for text, kind in zip(item.tokens, item.kinds, strict=True) if kind in _NAMES])
    marked = K.N_ATTRIBUTE in item.node_kinds
    names = [declared.name, *declared.individuals, *(leaf.name for leaf in declared.imports)]
    names += declared.members if declared.kind == "concept" else ()
    names += _labels(item) if marked else ()
    declares = frozenset(name for name in names if name is not None)
    return Reach(words | declares, declares, marked or item.kind not in _ASKING)


def _labels(item: Item) -> set[str]:
    """Every name in the attributes of an item."""
    tokens, kinds, places = item.tokens, item.kinds, item.extent[0]
    found: set[str] = set()
    for index, kind in enumerate(item.node_kinds):
        if kind == K.N_ATTRIBUTE:
            inside = places[item.node_starts[index] : item.node_ends[index]]
            found.update(normal(tokens[place]) for place in inside if kinds[place] in _NAMES)
    return found


_Words = Callable[[Reach], frozenset[str]]
_NONE: frozenset[str] = frozenset()


def _words(row: Reach) -> frozenset[str]:
    return row.words


def _declares(row: Reach) -> frozenset[str]:
    return row.declares


def _given(row: Reach) -> frozenset[str]:
    return row.words if row.gives else _NONE


class Graph:
    """Which items rest on which, by word. An item may stand in it twice, as it is and as it was (`before`)."""

    def __init__(self, now: Mapping[ItemId, Reach], before: Mapping[ItemId, Reach] | None = None) -> None:
        self._rows = [*now.items(), *(before or {}).items()]
        self._declaring: dict[str, list[int]] = {}
        self._writing: dict[str, list[int]] = {}
        self._giving: dict[str, list[int]] = {}
        for number, (_, row) in enumerate(self._rows):
            for word in row.declares:
                self._declaring.setdefault(word, []).append(number)
        for number, (_, row) in enumerate(self._rows):
            for word in row.words & self._declaring.keys():
                self._writing.setdefault(word, []).append(number)
                if row.gives:
                    self._giving.setdefault(word, []).append(number)

    def needed(self, items: Iterable[ItemId]) -> frozenset[ItemId]:
        """The items with all that they rest on, at any remove."""
        wanted = frozenset(items)
        return self._closed(
            [number for number, (item, _) in enumerate(self._rows) if item in wanted],
            ((_words, self._declaring), (_declares, self._giving)),
        )

    def concerned(self, items: Iterable[ItemId]) -> frozenset[ItemId]:
        """The items with all that rest on them, at any remove."""
        wanted = frozenset(items)
        return self._closed(
            [number for number, (item, _) in enumerate(self._rows) if item in wanted],
            ((_declares, self._writing), (_given, self._declaring)),
        )

    def declaring(self, words: Iterable[str]) -> frozenset[ItemId]:
        """The items that declare, or import, one of these names."""
        return frozenset(self._rows[number][0] for word in words for number in self._declaring.get(word, ()))

    def _closed(
        self, first: Iterable[int], ways: tuple[tuple[_Words, Mapping[str, list[int]]], ...]
    ) -> frozenset[ItemId]:
        found = dict.fromkeys(first)
        pending, gone = list(found), [set[str]() for _ in ways]
        for number in pending:
            row = self._rows[number][1]
            for (words, index), done in zip(ways, gone, strict=True):
                for word in words(row) - done:
                    done.add(word)
                    fresh = [each for each in index.get(word, ()) if each not in found]
                    found.update(dict.fromkeys(fresh))
                    pending += fresh
        return frozenset(self._rows[number][0] for number in found)
