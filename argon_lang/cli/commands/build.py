"""`argon build`: the gates, then the artifact."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.exits import FINDINGS, OK
from argon_lang.cli.options import Color, JsonFlag, ProjectDir, Quiet
from argon_lang.cli.output import Output


def command(
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    force: Annotated[bool, typer.Option("--force", help="Build even when the artifact is current.")] = False,
    update_lock: Annotated[
        bool, typer.Option("--update-lock", help="Take the dependencies as they are, and write that to ox.lock.")
    ] = False,
) -> int:
    """Check the package and write its artifact to target/."""
    from argon_lang.cli.report import draw_built
    from argon_lang.session.project import Project
    from argon_lang.session.wire import build_report

    output = Output(json, quiet, color)
    opened = Project.open(project)
    built = opened.build(force=force, update_lock=update_lock)
    texts = opened.texts()
    output.emit(build_report(built, texts), lambda console: draw_built(console, built, texts))
    return OK if built.ok else FINDINGS
