"""What an aggregate of either form consists of (language §3.10): for the checker and for lowering alike."""

from __future__ import annotations

from dataclasses import dataclass

from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

Aggregate = nodes.AggregateCall | nodes.AggregateBlock


@dataclass(frozen=True, slots=True)
class Parts:
    """An aggregate's value, if written, its `for x in xs`, and its atoms, a condition after `where` among them."""

    value: View | None
    source: nodes.ForSource | None
    atoms: list[View]


def parts_of(node: Aggregate) -> Parts:
    """The parts of an aggregate."""
    atoms: list[View] = list(node.body.atoms) if node.body is not None else []
    if isinstance(node, nodes.AggregateCall):
        condition = node.where.condition if node.where is not None else None
        return Parts(node.value, node.source, [condition, *atoms] if condition is not None else atoms)
    if node.where is not None and node.where.body is not None:
        atoms += node.where.body.atoms
    return Parts(node.value.expr if node.value is not None else None, None, atoms)


def is_grouped(core: nodes.SelectCore, select: nodes.Select | None) -> bool:
    """Are the rows of a select gathered in groups? Aggregates of rows without `group by` are over all of them.

    `select` is the whole that it is the only select of, for its order.
    """
    order = select.order if select is not None and not select.operands else None
    parts = (part for part in (core.projection, core.having, order) if part is not None)
    found = (node for part in parts for node in part.descendants())
    return core.group is not None or any(isinstance(node, Aggregate) and ranges_over_rows(node) for node in found)


def ranges_over_rows(node: Aggregate) -> bool:
    """Has it neither atoms nor a source: is it, in a select with groups, over the rows of a group?"""
    parts = parts_of(node)
    return isinstance(node, nodes.AggregateCall) and parts.source is None and not parts.atoms
