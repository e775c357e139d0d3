"""Trees in the format that was asked for: drawn in the terminal, JSON, DOT, SVG, or a page of HTML."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from argon_lang.cli.rows import draw_table, print_records

if TYPE_CHECKING:
    from rich.console import Console

    from argon_lang.cli.output import Output
    from argon_lang.runtime.drawings.tree import Drawn
    from argon_lang.runtime.envelopes import Explanation, Versioned, Violations

FORMATS = ("text", "json", "dot", "svg", "html")
TABLES = ("table", "csv", "jsonl")
"""What violations may be printed as, beside the formats of trees."""
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


def print_violations(output: Output, found: Violations, wanted: str, limit: int | None) -> None:
    """Print violations: for people, as a table or records, those with proofs also as one picture.

    `limit` bounds how many are shown, never the count told.
    """
    from argon_lang.cli.report import draw_violations
    from argon_lang.runtime.drawings.tree import together

    if limit is not None and limit < (count := len(found.violations)):
        found = found.model_copy(update={"violations": found.violations[:limit], "count": count})
    if wanted in TABLES and not output.json:
        columns = ("severity", "code", "check", "fact", "message")
        records = [[getattr(each, name) for name in columns] for each in found.violations]
        return print_records(
            output,
            found,
            wanted,
            columns,
            records,
            lambda console: draw_table(console, columns, records) if records else draw_violations(console, found),
        )
    return _print(
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


def known(wanted: str, formats: Sequence[str] = FORMATS) -> None:
    """Refuse a format that is none."""
    if wanted not in formats:
        raise typer.BadParameter(f"--format takes {', '.join(formats)}, not `{wanted}`")


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
