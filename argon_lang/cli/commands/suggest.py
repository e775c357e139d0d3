"""`argon suggest 'P(a)'`: the smallest changes that would make a fact hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from argon_lang.cli.exits import FINDINGS, OK
from argon_lang.cli.options import Color, Dirty, Fork, JsonFlag, ProjectDir, Quiet, Standpoint
from argon_lang.cli.output import Output

if TYPE_CHECKING:
    from rich.console import Console

    from argon_lang.runtime.wires import Suggestion, Suggestions


def command(
    fact: Annotated[str, typer.Argument(help="A fact, quoted: 'P(a, b)'.", metavar="FACT")],
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    most: Annotated[int, typer.Option("--most", help="How many suggestions to show.", min=1, max=20)] = 3,
    standpoint: Standpoint = None,
    fork: Fork = None,
    dirty: Dirty = "build",
) -> int:
    """Suggest the smallest changes of base facts that make a fact hold; each was tried on a throw-away copy."""
    from argon_lang.session.project import Project

    output = Output(json, quiet, color)
    opened = Project.open(project)
    service = opened.runtime(dirty, writes=False, fork=fork)
    found = service.suggest(fact, opened.compiling(dirty), most, standpoint)
    output.emit(found, lambda console: draw_suggestions(console, found))
    return OK if found.derived or any(each.accepted for each in found.suggestions) else FINDINGS


def draw_suggestions(console: Console, found: Suggestions) -> None:
    """Each suggestion as the command that makes it, with what it would break."""
    from rich.text import Text

    if found.derived:
        console.print(Text(f"{found.fact} holds already", "bold green"))
        return
    if not found.suggestions:
        bound = "" if found.complete else ", within the bounds of the search"
        told = f"no three changes of facts about what there is make {found.fact} hold{bound}"
        console.print(Text(told, "bold red"))
    for each in found.suggestions:
        _draw(console, each)


def _draw(console: Console, suggestion: Suggestion) -> None:
    from rich.text import Text

    from argon_lang.cli.trees import draw_nodes

    console.print(Text(command_line(suggestion), "green" if suggestion.accepted else "yellow"), soft_wrap=True)
    if suggestion.assumed:
        told = ", ".join(suggestion.assumed)
        console.print(Text(f"  assumes {told}: put in what is the case", "dim"))
    for broken in suggestion.breaks:
        effect = "refused by" if broken.severity == "error" else "brings about"
        console.print(Text(f"  {effect} {broken.check}: {broken.message}", "red"))
        if broken.root_id is not None:
            draw_nodes(console, broken.nodes, broken.root_id)


def command_line(suggestion: Suggestion) -> str:
    """The suggestion as a command to paste into a shell."""
    import shlex

    words = [f"{name}={value}" for name, value in suggestion.args.items()]
    return shlex.join(["argon", "mutate", "--eval", suggestion.source, *words])
