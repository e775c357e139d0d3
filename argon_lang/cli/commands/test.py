"""`argon test`: the package's own tests, each on a fresh store."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.exits import FINDINGS, OK
from argon_lang.cli.options import Color, Dirty, JsonFlag, JUnit, ProjectDir, Quiet
from argon_lang.cli.output import Output


def command(
    pattern: Annotated[
        str | None, typer.Option("--keyword", "-k", help="Only tests whose name contains this.", metavar="PAT")
    ] = None,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    junit: JUnit = None,
    dirty: Dirty = "build",
) -> int:
    """Run the package's tests."""
    from argon_lang.cli.report import draw_tests
    from argon_lang.cli.testing import write_junit
    from argon_lang.session.project import Project

    output, opened = Output(json, quiet, color), Project.open(project)
    report = opened.test(pattern, dirty)
    write_junit(opened, junit, report, "argon test")
    output.emit(report, lambda console: draw_tests(console, report))
    return FINDINGS if report.failed or report.errors else OK
