"""`argon status`: the project, its artifact, its store, and whether they agree."""

from __future__ import annotations

from argon_lang.cli.exits import OK
from argon_lang.cli.options import Color, JsonFlag, ProjectDir, Quiet
from argon_lang.cli.output import Output


def command(project: ProjectDir = None, json: JsonFlag = False, quiet: Quiet = False, color: Color = "auto") -> int:
    """Say what is there: project, artifact, store, and what to do next."""
    from argon_lang.cli.report import draw_status
    from argon_lang.session.status import status

    output = Output(json, quiet, color)
    found = status(project)
    output.emit(found, lambda console: draw_status(console, found))
    return OK
