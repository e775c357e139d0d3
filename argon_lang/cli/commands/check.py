"""`argon check`: the loud gate over the saved files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from argon_lang.cli.exits import FINDINGS, OK
from argon_lang.cli.options import Color, JsonFlag, ProjectDir, Quiet
from argon_lang.cli.output import Output


def command(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Report only on these files.", metavar="[PATH]...", show_default=False)
    ] = None,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    deny: Annotated[
        str | None, typer.Option("--deny", help="`warnings`: exit 1 on warnings too.", metavar="WHAT")
    ] = None,
    max_errors: Annotated[
        int | None, typer.Option("--max-errors", help="Draw at most this many diagnostics.", min=1)
    ] = None,
    codes: Annotated[bool, typer.Option("--codes", help="Print only places and codes, one line each.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Apply the fixes that are safe, then check again.")] = False,
) -> int:
    """Check the package: every gate, without building."""
    from argon_lang.cli.report import draw_checked
    from argon_lang.session.project import Project
    from argon_lang.session.wire import check_report

    if deny not in (None, "warnings"):
        raise typer.BadParameter(f"--deny takes `warnings`, not `{deny}`")
    output = Output(json, quiet, color)
    opened = Project.open(project)
    if fix:
        opened.apply_safe_fixes()
    checked = opened.check(only=tuple(paths or ()))
    output.emit(check_report(checked), lambda console: draw_checked(console, checked, codes=codes, most=max_errors))
    found = {diagnostic.severity for diagnostic in checked.diagnostics}
    return FINDINGS if "error" in found or (deny is not None and "warning" in found) else OK
