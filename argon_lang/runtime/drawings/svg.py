"""A tree as SVG, laid out here: one column per level, leaves below each other, a parent in the middle of its children.

No font is measured: text is monospaced, and a letter takes `LETTER` pixels. Wide letters count twice. A label that is
longer than `LONGEST` letters is cut; its whole text is in the node's title.
"""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import east_asian_width

from argon_lang.runtime.drawings.colours import family, rules, xml_text
from argon_lang.runtime.drawings.tree import Drawn, boxes

LETTER, LONGEST = 7.3, 56
HEIGHT, GAP, COLUMN_GAP, PAD, MARGIN = 40, 12, 48, 10, 16
_STYLE = f"""
text {{ font: 12px ui-monospace, Menlo, Consolas, monospace; fill: #1b1b1b; }}
text.note {{ font-size: 10px; fill: #555555; }}
rect {{ stroke-width: 1.2; }}
path {{ fill: none; stroke: #9a9a9a; stroke-width: 1.2; }}
.page {{ fill: #ffffff; stroke: none; }}
{rules("fill", "stroke")}
@media (prefers-color-scheme: dark) {{
text {{ fill: #eeeeee; }}
text.note {{ fill: #b5b5b5; }}
.page {{ fill: #1b1b1b; }}
}}
"""


@dataclass(slots=True)
class _Placed:
    """A box with its level and the middle of its height."""

    box: Drawn
    depth: int
    y: float = 0.0


def svg(top: Drawn, title: str) -> str:
    """The drawing; equal trees are equal bytes."""
    placed = _placed(top)
    columns = _columns(placed)
    width = max(left + wide for left, wide in columns) + MARGIN
    height = max(each.y for each in placed) + HEIGHT / 2 + MARGIN
    at = {id(each.box): each for each in placed}
    edges = [_edge(each, at[id(child)], columns) for each in placed for child in each.box.children]
    nodes = [_node(each, columns) for each in placed]
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    page = '<rect class="page" width="100%" height="100%"/>'
    parts = [head, f"<title>{xml_text(title)}</title>", f"<style>{_STYLE}</style>", page, *edges, *nodes, "</svg>"]
    return "\n".join(parts) + "\n"


def _placed(top: Drawn) -> list[_Placed]:
    """Leaves from top to bottom, then every parent between its first and its last child."""
    listed = [_Placed(box, depth) for depth, box in boxes(top)]
    at = {id(each.box): each for each in listed}
    following = MARGIN + HEIGHT / 2
    for each in listed:
        if not each.box.children:
            each.y, following = following, following + HEIGHT + GAP
    for each in reversed(listed):
        if each.box.children:
            each.y = (at[id(each.box.children[0])].y + at[id(each.box.children[-1])].y) / 2
    return listed


def _columns(placed: list[_Placed]) -> list[tuple[float, float]]:
    """Left edge and width of each level."""
    widths: dict[int, float] = {}
    for each in placed:
        letters = max(_letters(line) for line in _lines(each.box))
        widths[each.depth] = max(widths.get(each.depth, 0.0), letters * LETTER + 2 * PAD)
    columns, left = [], float(MARGIN)
    for depth in range(len(widths)):
        columns.append((left, widths[depth]))
        left += widths[depth] + COLUMN_GAP
    return columns


def _letters(text: str) -> int:
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in text)


def _lines(box: Drawn) -> list[str]:
    missing = f"{box.missing} more, not drawn" if box.missing else ""
    told = " · ".join(part for part in (*box.notes, missing) if part)
    return [_cut(line) for line in (box.label, told) if line] or [""]


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _edge(parent: _Placed, child: _Placed, columns: list[tuple[float, float]]) -> str:
    start, end = sum(columns[parent.depth]), columns[child.depth][0]
    bend = (start + end) / 2
    return (
        f'<path d="M{start:.1f} {parent.y:.1f} C{bend:.1f} {parent.y:.1f} {bend:.1f} {child.y:.1f} '
        f'{end:.1f} {child.y:.1f}"/>'
    )


def _node(placed: _Placed, columns: list[tuple[float, float]]) -> str:
    left, wide = columns[placed.depth]
    lines, top = _lines(placed.box), placed.y - HEIGHT / 2
    dashes = ' stroke-dasharray="4 3"' if placed.box.folded or placed.box.missing else ""
    text = [
        f'<rect class="{family(placed.box.kind)}" x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" '
        f'height="{HEIGHT}" rx="6"{dashes}/>'
    ]
    for number, line in enumerate(lines):
        y = placed.y + (4 if len(lines) == 1 else (-3 if number == 0 else 12))
        note = ' class="note"' if number else ""
        text.append(f'<text{note} x="{left + PAD:.1f}" y="{y:.1f}">{xml_text(line)}</text>')
    whole = xml_text(" · ".join((placed.box.label, *placed.box.notes)))
    return f"<g><title>{whole}</title>{''.join(text)}</g>"
