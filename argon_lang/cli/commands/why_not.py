"""`argon why-not`: why a fact does not hold."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.exits import FINDINGS, OK
from argon_lang.cli.options import AsOf, AsOfTx, Color, Dirty, JsonFlag, ProjectDir, Quiet, Standpoint
from argon_lang.cli.output import Output


def command(
    fact: Annotated[str, typer.Argument(help="A fact, quoted: 'P(a, b)'.", metavar="FACT")],
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    depth: Annotated[int, typer.Option("--depth", help="Levels to unfold.", min=1)] = 6,
    as_of: AsOf = None,
    as_of_tx: AsOfTx = None,
    standpoint: Standpoint = None,
    dirty: Dirty = "build",
) -> int:
    """Say why a fact such as "owes(ada)" does not hold: for each clause, how far it got."""
    from argon_lang.cli.trees import draw_explanation
    from argon_lang.runtime.options import Depth
    from argon_lang.runtime.service import At
    from argon_lang.session.project import Project

    output = Output(json, quiet, color)
    service = Project.open(project).runtime(dirty, writes=False)
    explanation = service.explain(fact, At(as_of, as_of_tx, standpoint), Depth(depth))
    output.emit(explanation, lambda console: draw_explanation(console, explanation))
    return FINDINGS if explanation.derived else OK
