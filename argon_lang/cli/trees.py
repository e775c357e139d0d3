"""Proof and why-not trees drawn in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from rich.tree import Tree

from argon_lang.cli.rows import plain

if TYPE_CHECKING:
    from rich.console import Console

    from argon_lang.runtime.envelopes import ClauseInstance, Explanation, ProofNode

_WIDEST = 10_000
"""A line of a tree is never cut: what stands at its end is what one looks for."""
_STYLE = {
    "derived": "bold green",
    "asserted": "green",
    "declared": "green",
    "builtin": "cyan",
    "negation": "magenta",
    "aggregate": "cyan",
    "absent": "bold red",
    "clause": "yellow",
    "failed": "red",
    "blocking": "red",
    "refuted": "red",
    "holds": "green",
}


def draw_explanation(console: Console, explanation: Explanation) -> None:
    """A proof, or why there is none."""
    if not explanation.derived:
        console.print(Text(f"{explanation.fact} does not hold", "bold red"))
    draw_nodes(console, explanation.nodes, explanation.root_id)


def draw_nodes(console: Console, nodes: Sequence[ProofNode], root_id: str) -> None:
    """A tree that travels as a list with parents."""
    children: dict[str | None, list[ProofNode]] = {}
    for node in nodes:
        children.setdefault(node.parent, []).append(node)
    root = next(node for node in nodes if node.id == root_id)
    tree = Tree(_line(root), guide_style="dim")
    waiting = [(tree, root)]
    while waiting:
        branch, parent = waiting.pop()
        for number, instance in enumerate(parent.derivations if len(parent.derivations) > 1 else []):
            way = branch.add(Text(f"{'either' if number == 0 else 'or'} by {_clause(instance)}", "dim"))
            premises = [child for child in children.get(parent.id, []) if child.alternative == number]
            waiting.extend((way.add(_line(child)), child) for child in premises)
        below = children.get(parent.id, [])
        apart = below if len(parent.derivations) <= 1 else [each for each in below if each.alternative is None]
        waiting.extend((branch.add(_line(child)), child) for child in apart)
    options = console.options.update(width=_WIDEST, no_wrap=True, overflow="ignore")
    for line in console.render_lines(tree, options, pad=False):
        console.print(Text.assemble(*((part.text, part.style or "") for part in line)), soft_wrap=True)


def _clause(instance: ClauseInstance) -> str:
    place = instance.source
    return f"{place.file}:{place.start.line + 1}" if place is not None else instance.clause


def _line(node: ProofNode) -> Text:
    text = Text(node.fact, _STYLE.get(node.kind, "default"))
    told = _told(node)
    return text.append(f"  {' · '.join(told)}", "dim") if told else text


def _told(node: ProofNode) -> list[str]:
    """What stands behind a fact: its kind, clause, place, event."""
    told: list[str] = [node.kind] if node.kind in ("asserted", "declared", "failed", "holds", "blocking") else []
    told += [node.truth4] if node.truth4 not in (None, "Is") else []
    told += [node.tag] if node.tag is not None else []
    if len(node.derivations) == 1:
        by = f"by {node.derivations[0].clause} " if node.kind == "blocking" else ""
        told.append(by + _clause(node.derivations[0]))
    if node.source is not None:
        told.append(f"{node.source.file}:{node.source.start.line + 1}")
    if node.event is not None:
        told.append(f"tx {node.event.tx} by {node.event.principal}")
    if node.left is not None:
        told.append(f"{plain(node.left)} against {plain(node.right) if node.right is not None else 'nothing'}")
    if node.kind == "aggregate":
        values = ", ".join(f"{name} = {plain(value)}" for name, value in node.substitution.items())
        told += [values] * bool(values) + [f"over {node.alternatives} row{'' if node.alternatives == 1 else 's'}"]
    if node.kind in ("derived", "failed") and (node.alternatives or 0) > 1:
        told.append(f"{node.alternatives} {'ways' if node.kind == 'derived' else 'bindings tried'}")
    return [*told, "…"] if node.folded else told
