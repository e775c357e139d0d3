"""`argon derive HEAD`: every row of a derived predicate, concept, relation, or check."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.exits import OK
from argon_lang.cli.options import (
    AsOf,
    AsOfTx,
    Color,
    Dirty,
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
    head: Annotated[str, typer.Argument(help="A derived predicate, concept, relation or check.", metavar="HEAD")],
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
    """Derive a head: all of its rows."""
    from argon_lang.cli.rows import known, print_answer
    from argon_lang.runtime.options import Depth, Proofs
    from argon_lang.runtime.service import At
    from argon_lang.session.project import Project

    known(output_format)
    output = Output(json, quiet, color)
    service = Project.open(project).runtime(dirty, writes=False, fork=fork)
    proofs = Proofs(Depth(depth), limit) if explain else None
    answer = service.derive(head, At(as_of, as_of_tx, standpoint), truth4=truth4, proofs=proofs)
    print_answer(output, answer, output_format, limit)
    return OK
