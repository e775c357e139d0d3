"""Names that are lost because the syntax of what declares them is in error: whoever misses one has made no mistake.

An item that cannot be read may have declared, imported or classified anything that it names. While it is in error, what
names, types and constructs say of those names elsewhere is no news, and is not told: one mistake gives one diagnostic.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from argon_lang.problems import Problem
from argon_lang.program.lookup import BUILT_IN_TYPES
from argon_lang.queries import program
from argon_lang.syntax import kinds as K
from argon_lang.syntax.labels import declared_word
from argon_lang.syntax.tree import Item

if TYPE_CHECKING:
    from argon_lang.queries.database import Database

_BODIES = frozenset((
    K.N_DERIVE_DECL, K.N_FN_DECL, K.N_QUERY_DECL, K.N_CHECK_DECL, K.N_MUTATE_DECL, K.N_TEST_DECL,
))  # fmt: skip
"""Items that declare their own name alone."""

_NAMING = frozenset((K.N_USE_DECL, K.N_MOD_DECL, K.N_FACT_DECL, K.N_ERROR_ITEM))
"""Items that bring in every name in them."""

_FAMILIES = ("01", "02", "06")
_NAMED = frozenset(("name", "of", "path", "type", "expected", "found"))
"""The families of codes, and the arguments, that say something of a declared name."""


def lost_in(items: Iterable[Item]) -> frozenset[str]:
    """The names that the items of a file may have declared whose syntax is in error."""
    return frozenset(name for item in items if program.has_error(item) for name in _names(item))


def _names(item: Item) -> Iterable[str]:
    own = declared_word(item.root)
    if own != "?" and item.kind in _BODIES:
        return (own,)
    whole = own == "?" or item.kind in _NAMING
    spans = [(0, item.count)] if whole else [
        (item.node_starts[node], item.node_ends[node])
        for node, kind in enumerate(item.node_kinds)
        if kind in (K.N_NAME, K.N_ERROR)
    ]  # fmt: skip
    tokens = (item.token(place) for start, end in spans for place in range(start, end))
    return {token.text for token in tokens if token.kind >= K.IDENT} - BUILT_IN_TYPES


def lost_names(db: Database, _: None) -> frozenset[str]:
    """The names that the package and what it depends on may have declared in items whose syntax is in error."""
    return frozenset().union(*(db.memory.input(("lost", file)) or () for file in sorted(db.files())))


def told(problems: Iterable[Problem], missing: frozenset[str]) -> list[Problem]:
    """The problems but those that only miss a lost name."""
    return [each for each in problems if not missing or not _misses(each, missing)]


def _misses(problem: Problem, missing: frozenset[str]) -> bool:
    if problem.code[2:4] not in _FAMILIES:
        return False
    return any(value.rpartition("::")[2] in missing for name, value in problem.args if name in _NAMED)
