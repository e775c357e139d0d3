"""Exceptions that defeat each other in a circle (OE0522): a cycle of `#[defeats]` alone, through no other rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from argon_lang.engine.strata import components
from argon_lang.gates.rules import Findings
from argon_lang.ir.lower.fragment import Attack, Defeasible, Fragment, Trace
from argon_lang.ir.lower.link import Linked
from argon_lang.problems import Edit, Fix, ItemId, Note, Place, Problem, Related, args
from argon_lang.program.defeat import Target, targets
from argon_lang.program.paths import segments
from argon_lang.program.view import Unit
from argon_lang.syntax import nodes

Edges = Mapping[str, Sequence[tuple[str, int]]]
"""From the number of a clause to those that it defeats, each with the number of its `#[defeats]`."""


def check_defeat(linked: Linked, findings: Findings) -> frozenset[ItemId]:
    """Report each circle once, where its first clause attacks; the items that take part in one."""
    listed = [(each, defeasible) for each in linked.fragments for defeasible in each.defeasible]
    edges = _edges(listed)
    guilty: set[ItemId] = set()
    for keys in components({name: frozenset(to for to, _ in found) for name, found in edges.items()}):
        cycle = _cycle(min(keys), keys, edges)
        if cycle:
            units = [linked.units[listed[int(name)][0].item] for name, _ in cycle]
            marks = [_target(unit, *listed[int(name)], at) for unit, (name, at) in zip(units, cycle, strict=True)]
            findings.add(units[0].id, _problem(units, marks))
            guilty.update(listed[int(name)][0].item for name in keys)
    return frozenset(guilty)


def _edges(listed: Sequence[tuple[Fragment, Defeasible]]) -> Edges:
    """Clauses are numbered in the order of the view, with figures enough to sort as text."""
    by_key: dict[str, list[tuple[str, Defeasible]]] = {}
    for number, (fragment, defeasible) in enumerate(listed):
        if defeasible.default is not None:
            by_key.setdefault(_head(fragment, defeasible), []).append((f"{number:08}", defeasible))
    return {
        f"{number:08}": [pair for place, each in enumerate(mine.attacks) for pair in _hits(place, each, by_key)]
        for number, (_, mine) in enumerate(listed)
    }


def _head(fragment: Fragment, defeasible: Defeasible) -> str:
    return _trace(fragment, defeasible).key


def _trace(fragment: Fragment, defeasible: Defeasible) -> Trace:
    return next(trace for trace in fragment.traces if trace.rule == defeasible.rule)


def _hits(place: int, attack: Attack, by_key: Mapping[str, list[tuple[str, Defeasible]]]) -> Iterator[tuple[str, int]]:
    for name, target in by_key.get(attack.key, ()):
        if attack.label in ("", target.label):
            yield name, place


def _cycle(start: str, keys: frozenset[str], edges: Edges) -> list[tuple[str, int]]:
    """The shortest way from a clause through others of its component back to it: each clause with its attack."""
    before: dict[str, tuple[str, int]] = {}
    queue = [start]
    for at in queue:
        for to, number in edges[at]:
            if to in keys and to not in before:
                before[to] = (at, number)
                queue.append(to)
    way: list[tuple[str, int]] = []
    at = start
    while at in before and (not way or at != start):
        way.append(before[at])
        at = before[at][0]
    return way[::-1]


def _problem(units: Sequence[Unit], marks: Sequence[Target]) -> Problem:
    """At the attack of the first clause; the others of the circle are shown."""
    names = [_name(unit) for unit in units]
    cycle = " → ".join(f"`{each}`" for each in (*names, names[0]))
    places = [Place(unit.id, *_span(mark)) for unit, mark in zip(units[1:], marks[1:], strict=True)]
    related = tuple(Related("next", place=each) for each in places)
    attribute = marks[0].attribute
    fix = Fix("remove", (Edit(attribute.start, _after(attribute), ""),), safe=False)
    return Problem("OE0522", *_span(marks[0]), args(name=names[0], cycle=cycle), related, (Note("order"),), (fix,))


def _target(unit: Unit, fragment: Fragment, defeasible: Defeasible, number: int) -> Target:
    """The `#[defeats]` of that number of a clause, which is the item or a member of it."""
    root, start = unit.item.root, _trace(fragment, defeasible).start
    written = (root, *(root.members.members if isinstance(root, nodes.ImplDecl) and root.members else ()))
    (clause,) = (each for each in written if isinstance(each, nodes.DeriveDecl) and each.start == start)
    return list(targets(clause))[number]


def _name(unit: Unit) -> str:
    return unit.symbols[0].name if unit.symbols else unit.id.label


def _span(target: Target) -> tuple[int, int]:
    """The name of what is attacked."""
    if target.label is not None:
        return target.label.start, target.label.end
    last = segments(target.path)[-1]
    return last.start, last.end


def _after(attribute: nodes.Attribute) -> int:
    """Behind the blanks that follow an attribute."""
    text, end = attribute.item.text, attribute.end
    while end < len(text) and text[end] in " \t\n":
        end += 1
    return end
