"""How forks read on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console

    from argon_lang.runtime.wires import ForkDiff, ForkForm, ForkList, ForkReport


def draw_fork(console: Console, found: ForkReport) -> None:
    """The answer of `fork create` and `fork abort`."""
    done = "ended" if found.ended else "made"
    console.print(Text(f"{done} ", "bold green").append(found.fork.state, "default"))
    if not found.ended:
        console.print(Text(f"handle {found.fork.fork}"))


def draw_forks(console: Console, found: ForkList) -> None:
    """The answer of `fork list`."""
    for each in found.forks:
        console.print(Text(each.state, "bold").append(f"  {_about(each)}", "dim"))
        console.print(Text(f"  handle {each.fork}"))
    if not found.forks:
        console.print(Text("no forks"))


def _about(fork: ForkForm) -> str:
    kind = "ephemeral, " if fork.ephemeral else ""
    return f"{kind}of {fork.parent} at tx {fork.cut}, by {fork.principal}, used {fork.used}"


def draw_diff(console: Console, found: ForkDiff) -> None:
    """The answer of `fork diff`."""
    console.print(Text(found.fork.state, "bold").append(f"  of {found.fork.parent} at tx {found.fork.cut}", "dim"))
    for made in found.created:
        console.print(Text(f"  new {made.label}", "green"))
    for change in found.fields:
        _pair(console, change.before, change.after)
    _pair(console, found.removed, found.added)
    if found.derived:
        console.print(Text("derived:"))
    for delta in found.derived.values():
        _pair(console, delta.removed, delta.added)
    for name, listed in (("newly violated", found.violated), ("fixed", found.fixed)):
        for violation in listed:
            style = "red" if name != "fixed" else "green"
            console.print(Text(f"{name}: {violation.fact}  {violation.message}", style))
    for conflict in found.conflicts:
        console.print(Text(f"conflict: its parent changed {conflict} too", "bold red"))
    console.print(Text(f"hash {found.diff_hash}"))


def _pair(console: Console, removed: list[str], added: list[str]) -> None:
    for fact in removed:
        console.print(Text(f"  - {fact}", "red"))
    for fact in added:
        console.print(Text(f"  + {fact}", "green"))
