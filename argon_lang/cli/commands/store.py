"""`argon store backup`: a checked copy of the store, made while others go on."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.exits import OK
from argon_lang.cli.options import Color, JsonFlag, ProjectDir, Quiet
from argon_lang.cli.output import Output

group = typer.Typer(help="The project's store. Nothing here deletes one.", no_args_is_help=True)


@group.command("backup")
def backup(
    target: Annotated[
        str | None,
        typer.Argument(help="A new file in the project (default: .argon/backups/store-TX.sqlite3).", metavar="[PATH]"),
    ] = None,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
) -> int:
    """Copy the store to a new file, and read the copy back."""
    from argon_lang.cli.report_store import draw_backup
    from argon_lang.session.keeping import back_up_store
    from argon_lang.session.project import Project

    output = Output(json, quiet, color)
    made = back_up_store(Project.open(project), target)
    output.emit(made, lambda console: draw_backup(console, made))
    return OK
