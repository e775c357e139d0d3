"""A tree as one HTML file whose nodes open and close: `details` and `summary`, no script, nothing fetched."""

from __future__ import annotations

from argon_lang.runtime.drawings.colours import family, rules, xml_text
from argon_lang.runtime.drawings.tree import Drawn

_OPEN = 3
_STYLE = f"""
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem;
  color: #1b1b1b; background: #ffffff; }}
code, summary, .leaf {{ font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 13px; }}
ul {{ list-style: none; margin: 0; padding-left: 1.4rem; border-left: 1px solid #9a9a9a; }}
li {{ margin: .25rem 0; }}
.box {{ border: 1px solid; border-radius: 6px; padding: .1rem .5rem; display: inline-block; }}
.note {{ opacity: .7; font-size: 12px; padding-left: .6rem; }}
{rules("background", "border-color")}
@media (prefers-color-scheme: dark) {{ body {{ color: #eeeeee; background: #1b1b1b; }} }}
"""


def page(top: Drawn, title: str, prose: str) -> str:
    """The page; equal trees are equal bytes."""
    name = xml_text(title)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        f"<title>{name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1><code>{name}</code></h1>\n"
        f"<p>{_paragraph(prose)}</p>\n<ul>\n" + "\n".join(_items(top)) + "\n</ul>\n</body>\n</html>\n"
    )


def _paragraph(prose: str) -> str:
    """Prose with what stands between backquotes as code."""
    parts = xml_text(prose).split("`")
    if len(parts) % 2 == 0:
        return "`".join(parts)
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))


def _items(top: Drawn) -> list[str]:
    """Opening and closing lines of all nodes, without recursion."""
    lines: list[str] = []
    waiting: list[str | tuple[int, Drawn]] = [(0, top)]
    while waiting:
        match waiting.pop():
            case str() as closing:
                lines.append(closing)
            case depth, box if box.children:
                lines.append(f"<li><details{' open=' + chr(34) * 2 if depth < _OPEN else ''}>")
                lines.append(f"<summary>{_told(box)}</summary>\n<ul>")
                waiting.append("</ul></details></li>")
                waiting += [(depth + 1, child) for child in reversed(box.children)]
            case _, box:
                lines.append(f'<li class="leaf">{_told(box)}</li>')
    return lines


def _told(box: Drawn) -> str:
    missing = f"{box.missing} more, not drawn" if box.missing else ""
    told = " · ".join(part for part in (*box.notes, missing) if part)
    note = f'<span class="note">{xml_text(told)}</span>' if told else ""
    return f'<span class="box {family(box.kind)}">{xml_text(box.label)}</span>{note}'
