"""`argon explain-fact` and `argon why-not`: one question, asked in the hope of a proof or of none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from argon_lang.cli.drawing import TreeFormat, known, print_explanation
from argon_lang.cli.exits import FINDINGS, OK
from argon_lang.cli.options import AsOf, AsOfTx, Color, Dirty, Fork, JsonFlag, ProjectDir, Quiet, Standpoint
from argon_lang.cli.output import Output


def _asking(doc: str, *, derived: int, underived: int) -> Callable[..., int]:
    """The command with this help that ends so when the fact holds and so when it does not."""

    def asked(
        fact: Annotated[str | None, typer.Argument(help="A fact, quoted: 'P(a, b)'.", metavar="FACT")] = None,
        project: ProjectDir = None,
        json: JsonFlag = False,
        quiet: Quiet = False,
        color: Color = "auto",
        depth: Annotated[int, typer.Option("--depth", help="Levels to unfold.", min=1)] = 6,
        as_of: AsOf = None,
        as_of_tx: AsOfTx = None,
        standpoint: Standpoint = None,
        fork: Fork = None,
        dirty: Dirty = "build",
        format: TreeFormat = "text",
        node: Annotated[
            str | None, typer.Option("--node", help="Instead of a fact: `id` of a folded node.", metavar="ID")
        ] = None,
    ) -> int:
        from argon_lang.runtime.options import Depth
        from argon_lang.runtime.service import At
        from argon_lang.session.project import Project

        known(format)
        if (fact is None) == (node is None):
            raise typer.BadParameter("give a FACT, or the id of a folded node with --node", param_hint="FACT")
        output = Output(json, quiet, color)
        service = Project.open(project).runtime(dirty, writes=False, fork=fork)
        if node is not None:
            explanation = service.expand(node, Depth(depth))
        else:
            explanation = service.explain(fact or "", At(as_of, as_of_tx, standpoint), Depth(depth))
        print_explanation(output, explanation, format)
        return derived if explanation.derived else underived

    asked.__doc__ = doc
    return asked


command = _asking(
    'Draw the proof of a fact such as "owes(ada)"; when it does not hold, why not.', derived=OK, underived=FINDINGS
)
why_not = _asking(
    'Say why a fact such as "owes(ada)" does not hold: for each clause, how far it got.', derived=FINDINGS, underived=OK
)
