"""Which rules recurse, found again with every edit: what the gates ask of the dependency graph.

Few keys lie on a cycle. So keys that depend on no other, and then keys that no other depends on, are taken off until
neither is left (Kahn 1962), and only what remains is searched for components. The components are those of
`engine.strata.stratify` that recurse, and so are the negative cycles; the order of evaluation is not asked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from argon_lang.engine.strata import Component, Graph, NegativeCycle, Strata, components
from argon_lang.engine.walk import matches
from argon_lang.ir.lower.remember import PerRow
from argon_lang.ir.rules import Match, Rule

Reads = tuple[tuple[Match, bool], ...]
"""The reads of a rule, each with whether a negation stands over it."""

_READS: PerRow[Reads] = PerRow()


def recursion(rules: Sequence[Rule]) -> Strata:
    """The recursive components of `rules`, by least key, and the rules that recurse through negation."""
    reads = _READS.all([(rule,) for rule in rules], _reads)
    graph = _graph(rules, reads)
    looping = (keys for keys in components(_cyclic(graph)) if len(keys) > 1 or any(key in graph[key] for key in keys))
    parts = tuple(Component(keys, recursive=True) for keys in sorted(looping, key=min))
    home = {key: part.keys for part in parts for key in part.keys}
    negative = [
        NegativeCycle(rule, match, home[rule.key])
        for rule, found in zip(rules, reads, strict=True)
        if rule.key in home
        for match, negated in found
        if negated and match.key in home[rule.key]
    ]
    return Strata(parts, tuple(sorted(negative, key=lambda each: (each.rule.key, each.rule.id))))


def _reads(rule: Rule) -> Reads:
    return tuple(matches(rule.body))


def _graph(rules: Iterable[Rule], reads: Iterable[Reads]) -> dict[str, set[str]]:
    """Each derived key and the derived keys that its rules read."""
    graph: dict[str, set[str]] = {}
    for rule, found in zip(rules, reads, strict=True):
        graph.setdefault(rule.key, set()).update(match.key for match, _ in found)
    derived = set(graph)
    for below in graph.values():
        below &= derived
    return graph


def _cyclic(graph: Mapping[str, set[str]]) -> Graph:
    """The part of a graph in which every key both depends on a key and has one that depends on it."""
    kept = _peeled(_peeled(graph))
    return {key: frozenset(kept[key]) for key in kept}


def _peeled(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The graph turned round, without the keys that only depend on such as depend on nothing."""
    users: dict[str, set[str]] = {key: set() for key in graph}
    for key, below in graph.items():
        for each in below:
            users[each].add(key)
    left = {key: len(below) for key, below in graph.items()}
    free = [key for key, count in left.items() if not count]
    for key in free:
        for user in users.pop(key):
            left[user] -= 1
            if not left[user]:
                free.append(user)
    return users
