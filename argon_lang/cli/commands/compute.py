"""`argon compute FN [ARGS]`: the value of a function."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.exits import OK
from argon_lang.cli.options import (
    Arguments,
    AsOf,
    AsOfTx,
    Color,
    Dirty,
    Fork,
    Format,
    JsonFlag,
    ProjectDir,
    Quiet,
    Standpoint,
)
from argon_lang.cli.output import Output


def command(
    name: Annotated[str, typer.Argument(help="The function, by path or short name.", metavar="FN")],
    arguments: Arguments = None,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    output_format: Format = "table",
    as_of: AsOf = None,
    as_of_tx: AsOfTx = None,
    standpoint: Standpoint = None,
    fork: Fork = None,
    dirty: Dirty = "build",
) -> int:
    """Compute a declared function; one that reads facts reads them at `--as-of`."""
    from argon_lang.cli.rows import known, print_records
    from argon_lang.runtime.arguments import from_words
    from argon_lang.runtime.drawings.values import plain
    from argon_lang.runtime.service import At
    from argon_lang.session.project import Project

    known(output_format)
    output = Output(json, quiet, color)
    service = Project.open(project).runtime(dirty, writes=False, fork=fork)
    given = from_words(service.served.schema.function(name).params, name, arguments or [])
    found = service.compute(name, given, At(as_of, as_of_tx, standpoint))
    print_records(
        output,
        found,
        output_format,
        ("value",),
        [(found.value,)],
        lambda console: console.print(plain(found.value), markup=False),
    )
    return OK
