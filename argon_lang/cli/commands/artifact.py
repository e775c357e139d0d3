"""`argon artifact show`: what an artifact holds and says about itself."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.exits import OK
from argon_lang.cli.options import Color, JsonFlag, ProjectDir, Quiet
from argon_lang.cli.output import Output

group = typer.Typer(help="The built artifact.", no_args_is_help=True)


@group.command("show")
def show(
    path: Annotated[
        str | None, typer.Argument(help="An artifact in the project (default: its own).", metavar="[PATH]")
    ] = None,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
) -> int:
    """Check an artifact and show its hashes, versions, sections and what it declares."""
    from argon_lang.cli.report_store import draw_artifact
    from argon_lang.session.keeping import show_artifact
    from argon_lang.session.project import Project

    output = Output(json, quiet, color)
    found = show_artifact(Project.open(project), path)
    output.emit(found, lambda console: draw_artifact(console, found))
    return OK
