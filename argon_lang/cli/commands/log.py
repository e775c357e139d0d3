"""`argon log [ABOUT]`: the event history of a fact, an individual, or everything."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.exits import OK
from argon_lang.cli.options import Color, Dirty, Fork, JsonFlag, ProjectDir, Quiet
from argon_lang.cli.output import Output


def command(
    about: Annotated[
        str | None,
        typer.Argument(help="A fact ('P(a, _)'), an individual, or nothing for all.", metavar="[ABOUT]"),
    ] = None,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    since_tx: Annotated[int, typer.Option("--since-tx", help="Only later transactions.", metavar="TX", min=0)] = 0,
    limit: Annotated[int, typer.Option("--limit", help="Events of this page.", min=1)] = 100,
    after: Annotated[
        str | None, typer.Option("--after", help="Go on after this place (`tx.event`, nextCursor).", metavar="PLACE")
    ] = None,
    fork: Fork = None,
    dirty: Dirty = "build",
) -> int:
    """Show what was written, when and by whom, oldest first."""
    from argon_lang.cli.report_store import draw_log
    from argon_lang.session.project import Project

    output = Output(json, quiet, color)
    service = Project.open(project).runtime(dirty, writes=False, fits=False, fork=fork)
    found = service.log(about, since_tx=since_tx, after=after, size=limit)
    output.emit(found, lambda console: draw_log(console, found))
    return OK
