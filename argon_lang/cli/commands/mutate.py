"""`argon mutate NAME [ARGS]`: one transaction."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.exits import OK
from argon_lang.cli.options import Arguments, Color, Dirty, JsonFlag, ProjectDir, Quiet
from argon_lang.cli.output import Output


def command(
    name: Annotated[str, typer.Argument(help="The mutation, by path or short name.", metavar="NAME")],
    arguments: Arguments = None,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Do everything but the append.")] = False,
    delta: Annotated[bool, typer.Option("--delta", help="Show what became derivable and what ceased to be.")] = False,
    idempotency_key: Annotated[
        str | None, typer.Option("--idempotency-key", help="Replay the first receipt of this key.", metavar="KEY")
    ] = None,
    principal: Annotated[
        str | None, typer.Option("--principal", help="Who writes (default: user:<login>).", metavar="WHO")
    ] = None,
    dirty: Dirty = "build",
) -> int:
    """Run a mutation against the project's store."""
    from argon_lang.cli.report import draw_receipt
    from argon_lang.runtime.arguments import from_words
    from argon_lang.runtime.options import WriteOptions
    from argon_lang.session.project import Project

    output = Output(json, quiet, color)
    service = Project.open(project).runtime(dirty, writes=not dry_run)
    options = WriteOptions(delta, dry_run, idempotency_key, principal)
    given = from_words(service.served.schema.mutation(name).params, name, arguments or [])
    receipt = service.mutate(name, given, options)
    output.emit(receipt, lambda console: draw_receipt(console, receipt))
    return OK
