"""A tree as a graph in DOT, for whoever has Graphviz: text alone, no program is run."""

from __future__ import annotations

from argon_lang.runtime.drawings.colours import COLOURS, family
from argon_lang.runtime.drawings.tree import Drawn, boxes

_HEAD = """\
digraph proof {
  rankdir=LR;
  node [shape=box, style="rounded,filled", fontname="monospace", fontsize=11];
  edge [arrowhead=none, color="#888888"];
"""


def dot(top: Drawn) -> str:
    """The graph; equal trees are equal text."""
    numbers = {id(box): number for number, (_, box) in enumerate(boxes(top))}
    lines = [_node(numbers[id(box)], box) for _, box in boxes(top)]
    lines += [f"  n{numbers[id(box)]} -> n{numbers[id(child)]};" for _, box in boxes(top) for child in box.children]
    return _HEAD + "\n".join(lines) + "\n}\n"


def _node(number: int, box: Drawn) -> str:
    fill, line, _, _ = COLOURS[family(box.kind)]
    told = [box.label, " · ".join(box.notes), f"{box.missing} more, not drawn" if box.missing else ""]
    label = "\\n".join(_escaped(part) for part in told if part)
    shape = ", shape=plaintext, style=solid" if box.kind == "way" else ""
    return f'  n{number} [label="{label}", fillcolor="{fill}", color="{line}"{shape}];'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
