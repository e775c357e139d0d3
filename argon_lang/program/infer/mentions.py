"""Where lone names and `_` occur in a piece of a rule, and where scopes of their own begin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal as OneOf

from argon_lang.program.infer.names import lone_name
from argon_lang.program.paths import name_of, name_token
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

SCOPES = (nodes.NegatedAtom, nodes.ExistsAtom, nodes.AggregateCall, nodes.AggregateBlock)
"""Nodes whose variables are local to them unless they occur outside too."""

_REFUSED = (nodes.Comprehension, nodes.Lambda, nodes.MatchExpr, nodes.StepAtom)
_NAMELESS = (nodes.NamedType, nodes.OptionalType, nodes.ListType, nodes.FnType, nodes.StepRelation, nodes.Name)


@dataclass(frozen=True, slots=True)
class Mention:
    """A lone name, a `_`, or a scope node. `dead` ones stand in a refused construct: they introduce nothing."""

    kind: OneOf["name", "wildcard", "scope"]
    node: View
    name: str
    start: int
    end: int
    dead: bool


def mentions(root: View) -> Iterator[Mention]:
    """The mentions in `root` in the order of the text; scopes are told, not entered."""
    stack: list[tuple[View, frozenset[str], bool]] = [(root, frozenset(), False)]
    while stack:
        node, hidden, dead = stack.pop()
        if isinstance(node, SCOPES):
            yield Mention("scope", node, "", node.start, node.end, dead)
            continue
        found = _mention(node, hidden, dead)
        if found is not None:
            yield found
            continue
        dead = dead or isinstance(node, _REFUSED)
        if isinstance(node, nodes.Block):
            hidden = hidden | _introduced(node)
        stack.extend((part, hidden, dead) for part in reversed(_parts(node)))


def _mention(node: View, hidden: frozenset[str], dead: bool) -> Mention | None:
    if isinstance(node, nodes.Wildcard):
        return Mention("wildcard", node, "_", node.start, node.end, dead)
    name = lone_name(node)
    if name is not None and name not in hidden:
        return Mention("name", node, name, node.start, node.end, dead)
    if isinstance(node, nodes.FieldInit) and node.value is None and not node.has_colon:
        token, name = name_token(node.name), name_of(node.name)
        if token is not None and name is not None and name not in hidden:
            return Mention("name", node, name, token.start, token.end, dead)
    return None


def _introduced(block: nodes.Block) -> frozenset[str]:
    """The names that the `let`s of a block introduce."""
    lets = (each for each in block.statements if isinstance(each, nodes.LetStmt))
    return frozenset(name for each in lets if (name := name_of(each.name)) is not None)


def _parts(node: View) -> list[View]:
    """The children that may mention variables: no types, and no names of callees."""
    if isinstance(node, _NAMELESS):
        return []
    children = node.children
    if isinstance(node, nodes.Call | nodes.StructExpr):
        return [child for child in children if not isinstance(child, nodes.Path)]
    return children
