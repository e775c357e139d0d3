"""Proof and why-not trees drawn in the terminal."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from rich.tree import Tree

from argon_lang.runtime.drawings.tree import notes, where

if TYPE_CHECKING:
    from rich.console import Console

    from argon_lang.runtime.envelopes import Explanation, ProofNode

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
    console.print(Text(explanation.prose, "default" if explanation.derived else "red"), soft_wrap=True)
    draw_nodes(console, explanation.nodes, explanation.root_id)
    if not explanation.derived:
        words = ["argon", "suggest", explanation.fact]
        words += ["--standpoint", explanation.view] if explanation.view != "default" else []
        console.print(Text(f"what would make it hold: {shlex.join(words)}", "dim"), soft_wrap=True)


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
            way = branch.add(Text(f"{'either' if number == 0 else 'or'} by {where(instance)}", "dim"))
            premises = [child for child in children.get(parent.id, []) if child.alternative == number]
            waiting.extend((way.add(_line(child)), child) for child in premises)
        below = children.get(parent.id, [])
        apart = below if len(parent.derivations) <= 1 else [each for each in below if each.alternative is None]
        waiting.extend((branch.add(_line(child)), child) for child in apart)
    options = console.options.update(width=_WIDEST, no_wrap=True, overflow="ignore")
    for line in console.render_lines(tree, options, pad=False):
        console.print(Text.assemble(*((part.text, part.style or "") for part in line)), soft_wrap=True)


def _line(node: ProofNode) -> Text:
    text = Text(node.fact, _STYLE.get(node.kind, "default"))
    told = notes(node)
    return text.append(f"  {' · '.join(told)}", "dim") if told else text
