"""`argon fork`: try changes on a branch of the store, see what they come to, take them over or drop them."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.exits import OK
from argon_lang.cli.options import Color, Dirty, Fork, JsonFlag, ProjectDir, Quiet
from argon_lang.cli.output import Output

group = typer.Typer(help="Branches of the store: make, list, compare, end, promote.", no_args_is_help=True)

Handle = Annotated[str, typer.Argument(help="The fork's handle, or its name.", metavar="FORK")]


@group.command("create")
def create(
    name: Annotated[str, typer.Argument(help="What to call it.", metavar="NAME")],
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    ephemeral: Annotated[bool, typer.Option("--ephemeral", help="It ends when idle for 60 minutes.")] = False,
    principal: Annotated[
        str | None, typer.Option("--principal", help="Who makes it (default: user:<login>).", metavar="WHO")
    ] = None,
    fork: Fork = None,
    dirty: Dirty = "build",
) -> int:
    """Make a fork of the store as it is, or with --fork of another fork."""
    from argon_lang.cli.report_forks import draw_fork
    from argon_lang.session.project import Project

    output = Output(json, quiet, color)
    service = Project.open(project).runtime(dirty, writes=True, fork=fork)
    made = service.create_fork(name, principal=principal, ephemeral=ephemeral)
    output.emit(made, lambda console: draw_fork(console, made))
    return OK


@group.command("list")
def list_forks(
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    dirty: Dirty = "build",
) -> int:
    """List the forks of the store, oldest first."""
    from argon_lang.cli.report_forks import draw_forks
    from argon_lang.session.project import Project

    output = Output(json, quiet, color)
    found = Project.open(project).runtime(dirty, writes=False, fits=False).forks()
    output.emit(found, lambda console: draw_forks(console, found))
    return OK


@group.command("diff")
def diff(
    handle: Handle,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    dirty: Dirty = "build",
) -> int:
    """Show what a fork changed, and what its parent changed of it; the hash is what promoting asks for."""
    from argon_lang.cli.report_forks import draw_diff
    from argon_lang.session.project import Project, fork_handle

    output = Output(json, quiet, color)
    service = Project.open(project).runtime(dirty, writes=False)
    found = service.fork_diff(fork_handle(service.store, handle))
    output.emit(found, lambda console: draw_diff(console, found))
    return OK


@group.command("abort")
def abort(
    handle: Handle,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    dirty: Dirty = "build",
) -> int:
    """End a fork: nothing of it stays."""
    from argon_lang.cli.report_forks import draw_fork
    from argon_lang.session.project import Project, fork_handle

    output = Output(json, quiet, color)
    service = Project.open(project).runtime(dirty, writes=False, fits=False)
    ended = service.abort_fork(fork_handle(service.store, handle))
    output.emit(ended, lambda console: draw_fork(console, ended))
    return OK


@group.command("promote")
def promote(
    handle: Handle,
    expect: Annotated[
        str, typer.Option("--expect", help="The hash that `argon fork diff` shows.", metavar="HASH", show_default=False)
    ],
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Do everything but the append.")] = False,
    dirty: Dirty = "build",
) -> int:
    """Replay what a fork recorded on its parent as one transaction, through all gates, and end the fork."""
    from argon_lang.cli.report import draw_receipt
    from argon_lang.runtime.options import WriteOptions
    from argon_lang.session.project import Project, fork_handle

    output = Output(json, quiet, color)
    service = Project.open(project).runtime(dirty, writes=not dry_run)
    receipt = service.promote_fork(fork_handle(service.store, handle), expect, WriteOptions(dry_run=dry_run))
    output.emit(receipt, lambda console: draw_receipt(console, receipt))
    return OK
