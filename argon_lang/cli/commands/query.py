"""`argon query NAME [ARGS]`: a declared query's rows."""

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
    Format,
    JsonFlag,
    Limit,
    ProjectDir,
    Quiet,
    Standpoint,
    Truth4,
)
from argon_lang.cli.output import Output


def command(
    name: Annotated[str, typer.Argument(help="The query, by path or short name.", metavar="NAME")],
    arguments: Arguments = None,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    output_format: Format = "table",
    limit: Limit = None,
    as_of: AsOf = None,
    as_of_tx: AsOfTx = None,
    standpoint: Standpoint = None,
    truth4: Truth4 = None,
    dirty: Dirty = "build",
) -> int:
    """Ask a declared query."""
    from argon_lang.cli.rows import print_answer
    from argon_lang.runtime.arguments import from_words
    from argon_lang.runtime.service import At
    from argon_lang.session.project import Project

    output = Output(json, quiet, color)
    service = Project.open(project).runtime(dirty, writes=False)
    given = from_words(service.served.schema.query(name).params, name, arguments or [])
    answer = service.query(name, given, At(as_of, as_of_tx, standpoint), truth4=truth4)
    print_answer(output, answer, output_format, limit)
    return OK
