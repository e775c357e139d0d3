"""Trees in the format that was asked for: drawn in the terminal, JSON, DOT, SVG, or a page of HTML."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from argon_lang.cli.output import Output
    from argon_lang.runtime.drawings.tree import Drawn
    from argon_lang.runtime.envelopes import Explanation, Versioned, Violations

FORMATS = ("text", "json", "dot", "svg", "html")
TreeFormat = Annotated[str, typer.Option("--format", help="text, json, dot, svg or html.", metavar="FORMAT")]


def print_explanation(output: Output, found: Explanation, wanted: str) -> None:
    """Print a proof or why-not tree."""
    from argon_lang.cli.trees import draw_explanation
    from argon_lang.runtime.drawings.tree import drawn

    title = found.fact if found.derived else f"not {found.fact}"
    _print(
        output,
        found,
        wanted,
        lambda: (drawn(found.nodes, found.root_id), title, found.prose),
        lambda console: draw_explanation(console, found),
    )


def print_violations(output: Output, found: Violations, wanted: str) -> None:
    """Print violations, those with proofs as one picture."""
    from argon_lang.cli.report import draw_violations
    from argon_lang.runtime.drawings.tree import together

    _print(
        output,
        found,
        wanted,
        lambda: (together(found.violations), "violations", " ".join(each.prose or "" for each in found.violations)),
        lambda console: draw_violations(console, found),
    )


def _print(
    output: Output,
    envelope: Versioned,
    wanted: str,
    picture: Callable[[], tuple[Drawn, str, str]],
    human: Callable[[Console], None],
) -> None:
    known(wanted)
    if wanted == "json":
        output.write_json(envelope.dump())
    elif wanted == "text" or output.json:
        output.emit(envelope, human)
    else:
        sys.stdout.write(pictured(wanted, *picture()))


def known(wanted: str) -> None:
    """Refuse a format that is none."""
    if wanted not in FORMATS:
        raise typer.BadParameter(f"--format takes {', '.join(FORMATS)}, not `{wanted}`")


def pictured(wanted: str, top: Drawn, title: str, prose: str) -> str:
    """A picture as text of its format."""
    if wanted == "dot":
        from argon_lang.runtime.drawings.dot import dot

        return dot(top)
    if wanted == "svg":
        from argon_lang.runtime.drawings.svg import svg

        return svg(top, title)
    from argon_lang.runtime.drawings.page import page

    return page(top, title, prose)
