"""Stratification: a predicate may not depend on its own negation in this version (language §6, semantics S4.1)."""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.engine.strata import Graph, NegativeCycle, Strata
from argon_lang.gates.rules import Findings, Traced
from argon_lang.problems import Problem, args


def check_strata(rules: Iterable[Traced], strata: Strata, graph: Graph, findings: Findings) -> None:
    """OE0703 at each negated atom through which a rule depends on itself, with the way back."""
    cycles: dict[str, list[NegativeCycle]] = {}
    for cycle in strata.negative:
        cycles.setdefault(cycle.rule.id, []).append(cycle)
    for traced in rules:
        for cycle in cycles.get(traced.rule.id, ()):
            construct = f"recursion through negation ({shown_cycle(cycle, graph)})"
            findings.add(
                traced.trace.item, Problem("OE0703", *traced.site(cycle.literal.site), args(construct=construct))
            )


def shown_cycle(cycle: NegativeCycle, graph: Graph) -> str:
    """`a` → `not b` → `c` → `a`: the shortest way from the negated predicate back to the head."""
    back = [_name(key) for key in _way(cycle.literal.key, cycle.rule.key, graph)]
    steps = [_name(cycle.rule.key), f"not {back[0]}", *back[1:]]
    return " → ".join(f"`{step}`" for step in steps)


def _name(key: str) -> str:
    return key.rsplit("::", 1)[-1].partition("/")[0]


def _way(start: str, goal: str, graph: Graph) -> list[str]:
    """The shortest path of keys from `start` to `goal`, which depend on each other."""
    before: dict[str, str] = {}
    queue = [start]
    for at in queue:
        if at == goal:
            break
        fresh = [key for key in sorted(graph.get(at, ())) if key not in before and key != start]
        before.update(dict.fromkeys(fresh, at))
        queue.extend(fresh)
    path = [goal]
    while path[-1] != start:
        path.append(before[path[-1]])
    return path[::-1]
