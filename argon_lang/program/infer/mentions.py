"""Where lone names and `_` occur in a piece of a rule, and where scopes of their own begin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal as OneOf

from argon_lang.program.infer.names import lone_name
from argon_lang.program.paths import name_of, name_token
from argon_lang.quick import quick
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

SCOPES = (nodes.NegatedAtom, nodes.ExistsAtom, nodes.AggregateCall, nodes.AggregateBlock)
"""Nodes whose variables are local to them unless they occur outside too."""

_REFUSED = (nodes.Lambda,)
_PATTERNS = (
    nodes.WildcardPattern, nodes.LiteralPattern, nodes.PathPattern, nodes.TuplePattern, nodes.RecordPattern,
    nodes.OrPattern, nodes.BindingPattern, nodes.FieldPattern,
)  # fmt: skip
_NAMELESS = (nodes.NamedType, nodes.OptionalType, nodes.ListType, nodes.FnType, nodes.StepRelation, nodes.Name)

_SPECIAL = frozenset((
    *SCOPES, *_REFUSED, *_PATTERNS, *_NAMELESS, nodes.Wildcard, nodes.Path, nodes.FieldInit, nodes.Block,
    nodes.MatchArm, nodes.Comprehension, nodes.Call, nodes.StructExpr,
))  # fmt: skip
"""Nodes that are mentions or have no other parts than their children; in all others one looks at the children."""


@quick
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
        if type(node) not in _SPECIAL:
            stack += [(part, hidden, dead) for part in reversed(node.children)]
            continue
        if isinstance(node, SCOPES):
            yield Mention("scope", node, "", node.start, node.end, dead)
            continue
        found = _mention(node, hidden, dead)
        if found is not None:
            yield found
            continue
        dead = dead or isinstance(node, _REFUSED)
        hidden = hidden | _introduced(node)
        stack.extend((part, hidden, dead) for part in reversed(_parts(node)))


def _mention(node: View, hidden: frozenset[str], dead: bool) -> Mention | None:
    if isinstance(node, nodes.Wildcard):
        return Mention("wildcard", node, "_", node.start, node.end, dead)
    if isinstance(node, _PATTERNS):
        return _pattern_mention(node, hidden, dead)
    name = lone_name(node)
    if name is not None and name not in hidden:
        return Mention("name", node, name, node.start, node.end, dead)
    if isinstance(node, nodes.FieldInit) and node.value is None and not node.has_colon:
        token, name = name_token(node.name), name_of(node.name)
        if token is not None and name is not None and name not in hidden:
            return Mention("name", node, name, token.start, token.end, dead)
    return None


def _pattern_mention(node: View, hidden: frozenset[str], dead: bool) -> Mention | None:
    """A name in the pattern of an `is`."""
    if isinstance(node, nodes.BindingPattern) or (isinstance(node, nodes.FieldPattern) and node.pattern is None):
        token, name = name_token(node.name), name_of(node.name)
        if token is not None and name is not None and name not in hidden:
            return Mention("name", node, name, token.start, token.end, dead)
    return None


_NONE: frozenset[str] = frozenset()


def _introduced(node: View) -> frozenset[str]:
    """The names that the `let`s of a block, an arm's pattern, a comprehension or a closure introduce inside."""
    match node:
        case nodes.Block():
            lets = (each for each in node.statements if isinstance(each, nodes.LetStmt))
            return frozenset(name for each in lets if (name := name_of(each.name)) is not None)
        case nodes.MatchArm():
            return frozenset(name for _, name in pattern_names(node.pattern))
        case nodes.Lambda() if node.params is not None:
            params = (each for each in node.params.params if isinstance(each, nodes.Param))
            return frozenset(name for each in params if (name := name_of(each.name)) is not None)
        case nodes.Comprehension() if node.source is not None:
            name = name_of(node.source.name)
            return _NONE if name is None else frozenset((name,))
        case _:
            return _NONE


def pattern_names(pattern: View | None) -> Iterator[tuple[View, str]]:
    """The names in a pattern, with the nodes that introduce them."""
    pending = [pattern]
    while pending:
        node = pending.pop()
        if isinstance(node, nodes.BindingPattern) or (isinstance(node, nodes.FieldPattern) and node.pattern is None):
            name = name_of(node.name)
            if name is not None:
                yield node, name
        elif isinstance(node, _PATTERNS):
            pending.extend(reversed([each for each in node.children if isinstance(each, _PATTERNS)]))


def _parts(node: View) -> list[View]:
    """The children that may mention variables: no types, and no names of callees."""
    if isinstance(node, _NAMELESS):
        return []
    children = node.children
    if isinstance(node, nodes.MatchArm):
        return [child for child in children if not isinstance(child, _PATTERNS)]
    if isinstance(node, nodes.Call | nodes.StructExpr | nodes.PathPattern | nodes.TuplePattern | nodes.RecordPattern):
        return [child for child in children if not isinstance(child, nodes.Path)]
    return children
