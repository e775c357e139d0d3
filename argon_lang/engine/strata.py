"""The dependency graph of predicate keys: components and strata.

A component is a set of keys that depend on each other (Tarjan 1972, written as a loop so that a long chain of rules
meets no recursion limit). Components come in an order in which each one follows all it depends on; among those that
could come next the one with the least key does, so the order does not depend on the order of the rules.

Negation inside a component has no stratified meaning: `stratify` reports such rules; the caller decides (the first form
refuses them, the well-founded model takes them). An aggregate inside one has no meaning at all.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from argon_lang.engine.walk import aggregates, matches
from argon_lang.ir.rules import Aggregate, Match, Rule

Graph = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Component:
    """Keys that are evaluated together. `recursive`: some rule of theirs reads one of them."""

    keys: frozenset[str]
    recursive: bool


@dataclass(frozen=True, slots=True)
class NegativeCycle:
    """A rule that reads, under a negation or in an aggregate, a key that depends on the rule's own head."""

    rule: Rule
    literal: Match
    keys: frozenset[str]

    @property
    def aggregate(self) -> Aggregate | None:
        """The aggregate of the rule's body that makes the read, if one does."""
        found = (each for each in aggregates(self.rule.body) if any(self.literal is m for m, _ in matches(each.body)))
        return next(found, None)


@dataclass(frozen=True, slots=True)
class Strata:
    """Components of derived keys in order of evaluation, and the rules that recurse through negation."""

    components: tuple[Component, ...]
    negative: tuple[NegativeCycle, ...]


def dependencies(rules: Iterable[Rule]) -> dict[str, frozenset[str]]:
    """Each derived key and the keys that its rules read, negated or not."""
    graph: dict[str, set[str]] = {}
    for rule in rules:
        read = graph.setdefault(rule.key, set())
        read.update(match.key for match, _ in matches(rule.body))
    return {key: frozenset(read) for key, read in graph.items()}


def stratify(rules: Iterable[Rule]) -> Strata:
    """Order the derived keys of `rules` and find recursion through negation."""
    listed = tuple(rules)
    graph = dependencies(listed)
    components = tuple(
        Component(keys, len(keys) > 1 or any(key in graph[key] for key in keys)) for keys in ordered(graph)
    )
    home = {key: component.keys for component in components for key in component.keys}
    negative = tuple(
        NegativeCycle(rule, match, home[rule.key])
        for rule in sorted(listed, key=lambda rule: (rule.key, rule.id))
        for match, negated in matches(rule.body)
        if negated and match.key in home[rule.key]
    )
    return Strata(components, negative)


def ordered(graph: Graph) -> list[frozenset[str]]:
    """The strongly connected components over the graph's own keys, dependencies first, else by least key."""
    parts = components(graph)
    number = {key: i for i, part in enumerate(parts) for key in part}
    needs = [{number[k] for key in part for k in graph[key] if k in number} - {i} for i, part in enumerate(parts)]
    users: list[list[int]] = [[] for _ in parts]
    for i, below in enumerate(needs):
        for j in below:
            users[j].append(i)
    ready = [(min(parts[i]), i) for i, below in enumerate(needs) if not below]
    heapq.heapify(ready)
    order: list[frozenset[str]] = []
    while ready:
        _, i = heapq.heappop(ready)
        order.append(parts[i])
        for user in users[i]:
            needs[user].discard(i)
            if not needs[user]:
                heapq.heappush(ready, (min(parts[user]), user))
    return order


def components(graph: Graph) -> list[frozenset[str]]:
    """Tarjan's strongly connected components of the graph's own keys."""
    found: list[frozenset[str]] = []
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    open_: set[str] = set()
    for root in sorted(graph):
        if root in index:
            continue
        work = [(root, iter(sorted(graph[root])))]
        _enter(root, index, low, stack, open_)
        while work:
            node, successors = work[-1]
            following = next((key for key in successors if key in graph and (key not in index or key in open_)), None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    found.append(_leave(node, stack, open_))
            elif following in index:
                low[node] = min(low[node], index[following])
            else:
                _enter(following, index, low, stack, open_)
                work.append((following, iter(sorted(graph[following]))))
    return found


def _enter(key: str, index: dict[str, int], low: dict[str, int], stack: list[str], open_: set[str]) -> None:
    index[key] = low[key] = len(index)
    stack.append(key)
    open_.add(key)


def _leave(root: str, stack: list[str], open_: set[str]) -> frozenset[str]:
    """Take the component of `root` off the stack."""
    part = [stack.pop()]
    while part[-1] != root:
        part.append(stack.pop())
    open_.difference_update(part)
    return frozenset(part)
