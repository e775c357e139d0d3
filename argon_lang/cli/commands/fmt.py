"""`argon fmt`: canonical layout of the sources."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from argon_lang.cli.exits import FINDINGS, OK
from argon_lang.cli.options import Color, JsonFlag, ProjectDir, Quiet
from argon_lang.cli.output import Output


def command(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Format only these files.", metavar="[PATH]...", show_default=False)
    ] = None,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 when something would change.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing; print what would change.")] = False,
) -> int:
    """Format the package's sources in place. Meaning and comments are kept; what does not parse is left alone."""
    from argon_lang.cli.report import draw_formatted
    from argon_lang.session.project import Project
    from argon_lang.session.wire import format_report

    output = Output(json, quiet, color)
    opened = Project.open(project)
    formatted = opened.format(only=tuple(paths or ()), write=not (check or diff))
    output.emit(format_report(formatted), lambda console: draw_formatted(console, formatted, diff=diff))
    return FINDINGS if check and any(file.changed for file in formatted) else OK
