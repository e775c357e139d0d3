"""Stratification: a predicate may not depend on an aggregate of itself. One that depends on its own negation has the
well-founded model, of which the author is told, unless a cap forbids it (language §6, semantics S4.1).
"""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.engine.strata import Graph, NegativeCycle, Strata
from argon_lang.gates.caps import Caps, exceeds
from argon_lang.gates.rules import Findings, Traced
from argon_lang.ir.names import attacked_key, attacked_label
from argon_lang.problems import Note, Problem, Related, args


def check_strata(rules: Iterable[Traced], strata: Strata, graph: Graph, caps: Caps, findings: Findings) -> None:
    """What a rule depends on itself through, with the way back: at an aggregate OE0503, at a negated atom OW0502.

    Under a cap on tiers that forbids recursion the latter is OE0501.
    """
    cycles: dict[str, list[NegativeCycle]] = {}
    for cycle in strata.negative:
        cycles.setdefault(cycle.rule.id, []).append(cycle)
    for traced in rules:
        for cycle in cycles.get(traced.rule.id, ()):
            cap, _ = caps.of(traced.unit.module)
            findings.add(traced.trace.item, _problem(traced, cycle, graph, cap))


def _problem(traced: Traced, cycle: NegativeCycle, graph: Graph, cap: str | None) -> Problem:
    shown = shown_cycle(cycle, graph)
    if cycle.aggregate is None:
        values, note = args(name=traced.trace.name, cycle=shown), Note("well_founded")
        place = traced.site(cycle.literal.site)
        if exceeds("recursive", cap):
            return Problem("OE0501", *place, values, (), (Note("layer", args(name=traced.trace.name)), note))
        return Problem("OW0502", *place, values, (), (note,))
    start, end = traced.site(cycle.aggregate.site)
    node = traced.unit.item.node_at(start)
    word = cycle.aggregate.op
    place = (start, start + len(word)) if node.text.startswith((f"{word}(", f"{word} ")) else (start, end)
    values = args(name=traced.trace.name, of=_name(cycle.literal.key), cycle=shown)
    related = (Related("next", *traced.site(cycle.literal.site)),)
    return Problem("OE0503", *place, values, related, (Note("layer"),))


def shown_cycle(cycle: NegativeCycle, graph: Graph) -> str:
    """`a` → `not b` → `c` → `a`: the shortest way from the negated predicate back to the head."""
    back = [_name(key) for key in _way(cycle.literal.key, cycle.rule.key, graph)]
    word = "not" if cycle.aggregate is None else cycle.aggregate.op
    steps = [_name(cycle.rule.key), f"{word} {back[0]}", *back[1:]]
    return " → ".join(f"`{step}`" for step in steps)


def _name(key: str) -> str:
    """A predicate's name; attacks on its default clauses as an exception writes them."""
    name = attacked_key(key).rsplit("::", 1)[-1].partition("/")[0]
    label = attacked_label(key)
    return f"defeats({name}.{label})" if label else f"defeats({name})" if "~" in key else name


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
