"""`argon query NAME [ARGS]`, `argon query --eval 'select …'`: the rows of a query."""

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
    Eval,
    Explain,
    ExplainDepth,
    Fork,
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
    name: Annotated[
        str | None, typer.Argument(help="The query, by path or short name.", metavar="[NAME]", show_default=False)
    ] = None,
    arguments: Arguments = None,
    source: Eval = None,
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
    explain: Explain = False,
    depth: ExplainDepth = 3,
    fork: Fork = None,
    dirty: Dirty = "build",
) -> int:
    """Ask a declared query, or one written on the spot with --eval."""
    from argon_lang.cli.evaluating import query_of
    from argon_lang.cli.rows import known, print_answer
    from argon_lang.runtime.arguments import from_words
    from argon_lang.runtime.options import Depth, Proofs
    from argon_lang.runtime.service import At
    from argon_lang.session.project import Project

    known(output_format)
    output = Output(json, quiet, color)
    opened = Project.open(project)
    service = opened.runtime(dirty, writes=False, fork=fork)
    service, query, words = query_of(opened, service, source, dirty, name, arguments or [])
    given = from_words(query.params, query.path.rsplit("::", 1)[-1], words)
    proofs = Proofs(Depth(depth), limit) if explain else None
    answer = service.ask(query, given, At(as_of, as_of_tx, standpoint), truth4=truth4, proofs=proofs)
    print_answer(output, answer, output_format, limit)
    return OK
