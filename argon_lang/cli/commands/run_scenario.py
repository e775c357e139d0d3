"""`argon run-scenario [FILE…]`: the stories in `scenarios/*.toml`, each on a store of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from argon_lang.cli.exits import FINDINGS, OK
from argon_lang.cli.options import Color, Dirty, JsonFlag, JUnit, ProjectDir, Quiet
from argon_lang.cli.output import Output


def command(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Scenario files (default: scenarios/*.toml).", metavar="[FILE]...")
    ] = None,
    pattern: Annotated[
        str | None, typer.Option("--keyword", "-k", help="Only scenarios whose title contains this.", metavar="PAT")
    ] = None,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    junit: JUnit = None,
    dirty: Dirty = "build",
) -> int:
    """Run scenarios: writes and questions in order, and what is expected of them."""
    from argon_lang.cli.report import draw_tests
    from argon_lang.cli.testing import write_junit
    from argon_lang.session.project import Project

    output, opened = Output(json, quiet, color), Project.open(project)
    report = opened.scenarios([str(path) for path in files or ()], pattern, dirty)
    write_junit(opened, junit, report, "argon run-scenario")
    output.emit(report, lambda console: draw_tests(console, report))
    return FINDINGS if report.failed or report.errors else OK
