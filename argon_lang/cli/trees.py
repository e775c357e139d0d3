"""Proof and why-not trees drawn in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from rich.tree import Tree

if TYPE_CHECKING:
    from rich.console import Console

    from argon_lang.runtime.envelopes import Explanation, ProofNode

_STYLE = {
    "derived": "bold green",
    "asserted": "green",
    "declared": "green",
    "builtin": "cyan",
    "negation": "magenta",
    "absent": "bold red",
    "clause": "yellow",
    "failed": "red",
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
        for child in children.get(parent.id, []):
            waiting.append((branch.add(_line(child)), child))
    console.print(tree)


def _line(node: ProofNode) -> Text:
    text = Text(node.fact, _STYLE.get(node.kind, "default"))
    told = [node.kind] if node.kind in ("asserted", "declared", "negation", "builtin") else []
    if node.clause is not None:
        told.append(node.clause)
    if node.source is not None:
        told.append(f"{node.source.file}:{node.source.start.line + 1}")
    if node.event is not None:
        told.append(f"tx {node.event['tx']} by {node.event['principal']}")
    if node.alternatives is not None and node.alternatives > 1:
        told.append(f"{node.alternatives} ways")
    if node.note:
        told.append(node.note)
    if node.folded:
        told.append("…")
    return text.append(f"  {' · '.join(told)}", "dim") if told else text
