"""`argon checks`: the violations that stand now."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.drawing import FORMATS, TABLES, known, print_violations
from argon_lang.cli.exits import FINDINGS, OK
from argon_lang.cli.options import AsOf, AsOfTx, Color, Dirty, Fork, JsonFlag, Limit, ProjectDir, Quiet, Standpoint
from argon_lang.cli.output import Output


def command(
    check: Annotated[str | None, typer.Argument(help="Only this check.", metavar="[CHECK]", show_default=False)] = None,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    as_of: AsOf = None,
    as_of_tx: AsOfTx = None,
    standpoint: Standpoint = None,
    fork: Fork = None,
    dirty: Dirty = "build",
    explain: Annotated[bool, typer.Option("--explain", help="Say why each violation stands.")] = False,
    depth: Annotated[int, typer.Option("--depth", help="Levels to unfold, with --explain.", min=1)] = 6,
    format: Annotated[
        str,
        typer.Option(
            "--format", help="text, table, json, jsonl, csv, or of proofs dot, svg or html.", metavar="FORMAT"
        ),
    ] = "text",
    limit: Limit = None,
) -> int:
    """Evaluate the package's checks against the store."""
    from argon_lang.runtime.options import Depth
    from argon_lang.runtime.service import At
    from argon_lang.session.project import Project

    known(format, (*FORMATS, *TABLES))
    output = Output(json, quiet, color)
    service = Project.open(project).runtime(dirty, writes=False, fork=fork)
    proof = Depth(depth) if explain or format in ("dot", "svg", "html") else None
    found = service.checks(check, At(as_of, as_of_tx, standpoint), proof=proof)
    print_violations(output, found, format, limit)
    return FINDINGS if any(v.severity == "error" for v in found.violations) else OK
