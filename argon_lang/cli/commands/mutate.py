"""`argon mutate NAME [ARGS]`, `argon mutate --eval 'insert …;'`, `argon mutate --batch FILE`: one transaction."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.exits import OK
from argon_lang.cli.options import (
    Arguments,
    Batch,
    Color,
    Dirty,
    Eval,
    Fork,
    Format,
    JsonFlag,
    ProjectDir,
    Quiet,
    Standpoint,
)
from argon_lang.cli.output import Output


def command(
    name: Annotated[
        str | None, typer.Argument(help="The mutation, by path or short name.", metavar="[NAME]", show_default=False)
    ] = None,
    arguments: Arguments = None,
    source: Eval = None,
    batch: Batch = None,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    output_format: Format = "table",
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
    """Run a mutation against the project's store, statements written on the spot, or several mutations at once."""
    from argon_lang.cli.evaluating import batch_of, run_mutation
    from argon_lang.cli.rows import known, print_receipt
    from argon_lang.runtime.options import WriteOptions
    from argon_lang.session.project import Project

    known(output_format)
    output = Output(json, quiet, color)
    opened = Project.open(project)
    options = WriteOptions(delta, dry_run, idempotency_key, principal, standpoint)
    steps = batch_of(opened, batch, name, source)
    service = opened.runtime(dirty, writes=not dry_run, fork=fork)
    if steps is not None:
        receipt = service.batch(steps, options)
    else:
        receipt = run_mutation(opened, service, source, dirty, name, arguments or [], options)
    print_receipt(output, receipt, output_format)
    return OK
