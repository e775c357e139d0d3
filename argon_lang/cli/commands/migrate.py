"""`argon migrate`: bring the store to the module, by a map of renames."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.exits import FINDINGS, OK
from argon_lang.cli.options import Color, Dirty, Fork, JsonFlag, ProjectDir, Quiet
from argon_lang.cli.output import Output


def command(
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    map_file: Annotated[
        str | None,
        typer.Option("--map", help="TOML: `[rename]` old = new, `drop = [...]`.", metavar="FILE", show_default=False),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    fork: Fork = None,
    dirty: Dirty = "build",
) -> int:
    """Say what of the store does not fit the module, and write it under its new names when all of it then does."""
    from argon_lang.cli.report_store import draw_migration
    from argon_lang.session.migrating import migrate_project
    from argon_lang.session.project import Project

    output = Output(json, quiet, color)
    report = migrate_project(Project.open(project), map_file, dry_run=dry_run, fork=fork, policy=dirty)
    output.emit(report, lambda console: draw_migration(console, report))
    return OK if report.ok else FINDINGS
