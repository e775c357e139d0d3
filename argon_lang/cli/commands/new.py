"""`argon new NAME`: a package that checks, builds and passes its test at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from argon_lang.cli.exits import OK
from argon_lang.cli.options import Color, JsonFlag, Quiet
from argon_lang.cli.output import Output


def command(
    name: Annotated[str, typer.Argument(help="The package's name; also its folder.", metavar="NAME")],
    folder: Annotated[
        Path | None, typer.Option("--in", help="Create it under this folder (default: here).", metavar="DIR")
    ] = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
) -> int:
    """Create a package that checks, builds and passes its test at once."""
    from argon_lang.cli.report import draw_created
    from argon_lang.session.wire import created_report
    from argon_lang.workspace.scaffold import create

    output = Output(json, quiet, color)
    created = create(name, folder or Path.cwd())
    report = created_report(name, created)
    output.emit(report, lambda console: draw_created(console, report))
    return OK
