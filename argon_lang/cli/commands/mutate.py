"""`argon mutate NAME [ARGS]`, `argon mutate --eval 'insert …;'`: one transaction."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.exits import OK
from argon_lang.cli.options import Arguments, Color, Dirty, Eval, Fork, JsonFlag, ProjectDir, Quiet, Standpoint
from argon_lang.cli.output import Output


def command(
    name: Annotated[
        str | None, typer.Argument(help="The mutation, by path or short name.", metavar="[NAME]", show_default=False)
    ] = None,
    arguments: Arguments = None,
    source: Eval = None,
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
    standpoint: Standpoint = None,
    fork: Fork = None,
    dirty: Dirty = "build",
) -> int:
    """Run a mutation against the project's store, or statements written on the spot with --eval."""
    from argon_lang.cli.evaluating import mutation_of
    from argon_lang.cli.report import draw_receipt
    from argon_lang.runtime.arguments import from_words
    from argon_lang.runtime.options import WriteOptions
    from argon_lang.session.project import Project

    output = Output(json, quiet, color)
    opened = Project.open(project)
    service = opened.runtime(dirty, writes=not dry_run, fork=fork)
    options = WriteOptions(delta, dry_run, idempotency_key, principal, standpoint)
    service, mutation, words = mutation_of(opened, service, source, dirty, name, arguments or [])
    given = from_words(mutation.params, mutation.path.rsplit("::", 1)[-1], words)
    receipt = service.run(mutation, given, options)
    output.emit(receipt, lambda console: draw_receipt(console, receipt))
    return OK
