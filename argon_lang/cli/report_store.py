"""How the log, backups and artifacts read on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console

    from argon_lang.runtime.envelopes import EventForm
    from argon_lang.runtime.wires import ArtifactReport, BackupReport, LogLine, LogReport, MigrationReport

SIGNS = {
    "assert": ("+", "green"),
    "close": ("-", "red"),
    "refute": ("!", "red"),
    "erase": ("x", "magenta"),
    "erased": ("x", "dim"),
}
"""How each kind of event is marked, and in what colour."""


def draw_log(console: Console, found: LogReport) -> None:
    """The answer of `log`: a line per event, under one head per transaction."""
    last = None
    for line in found.lines:
        if line.tx != last:
            branch = f" on fork {line.fork}" if line.fork != "main" else ""
            console.print(Text(f"tx {line.tx}", "bold").append(f"  {line.instant}  {line.principal}{branch}", "dim"))
            last = line.tx
        sign, style = SIGNS[line.op]
        layer = f"  in {line.standpoint}" if line.standpoint != "default" else ""
        console.print(Text(f"  {sign} {told(line)}", style).append(f"{_span(line)}{layer}", "dim"))
    shown = "" if len(found.lines) == found.count else f" (showing {len(found.lines)})"
    console.print(Text(f"{found.count} event{'' if found.count == 1 else 's'}{shown}"))
    if found.next_cursor is not None:
        console.print(Text(f"go on with --after {found.next_cursor}", "dim"))


def told(event: EventForm) -> str:
    """What an event says, in a line."""
    match event.op:
        case "erase":
            return f"{event.fact}: {event.count} fact{'' if event.count == 1 else 's'} erased"
        case "erased":
            return "erased"
        case _:
            return event.fact


def _span(line: LogLine) -> str:
    """The valid time of what an event says; a close says when validity ends."""
    if line.op in ("erase", "erased"):
        return ""
    if line.op == "close":
        return f"  from {line.valid_from} on" if line.valid_from is not None else "  from ever on"
    if line.valid_from is None and line.valid_to is None:
        return "  always"
    return f"  [{line.valid_from or '…'}, {line.valid_to or '…'})"


def draw_backup(console: Console, made: BackupReport) -> None:
    """The answer of `store backup`."""
    console.print(Text("copied ", "bold green").append(f"the store to {made.path}", "default"))
    console.print(
        Text(f"store {made.store_id}, tx {made.tx}, {made.events} events, {made.bytes} bytes: read back, whole")
    )


def draw_artifact(console: Console, found: ArtifactReport) -> None:
    """The answer of `artifact show`."""
    state = "current" if found.current else "sources changed since"
    console.print(Text(found.path, "bold").append(f"  {found.bytes} bytes, {state}", "default"))
    rows = [
        ("package", f"{found.package or '(nameless)'} {found.version}"),
        ("module", found.module_hash),
        ("inputs", found.inputs_digest),
        ("versions", ", ".join(f"{name} {version}" for name, version in found.axes.items())),
        ("declares", ", ".join(f"{count} {kind}" for kind, count in found.declares.items() if count)),
        ("tiers", ", ".join(f"{count} {tier}" for tier, count in found.tiers.items())),
    ]
    for name, text in rows:
        console.print(Text(f"{name:>9}  ", "bold").append(text, "default"))
    for section in found.sections:
        console.print(
            Text(f"{section.length:>9}  {section.name:<18} {section.digest[:16]}").append(
                "" if section.mandatory else "  optional", "dim"
            )
        )


def draw_migration(console: Console, found: MigrationReport) -> None:
    """The answer of `migrate`."""
    for each in found.renamed:
        console.print(Text(f"  {each.name} -> {each.to}  {_facts(each.facts)}"))
    for each in found.dropped:
        console.print(Text(f"  {each.name} let go  {_facts(each.facts)}", "red"))
    for misfit in found.after:
        console.print(Text(f"  does not fit: {misfit.reason}  {_facts(misfit.facts)}", "bold red"))
    for misfit in found.past:
        console.print(Text(f"  over, and not to be read any more: {misfit.reason}  {_facts(misfit.facts)}", "yellow"))
    for violation in found.violations:
        console.print(Text(f"  {violation.severity}: {violation.fact}  {violation.message}", "yellow"))
    if not found.ok:
        console.print(
            Text("nothing written", "bold red").append(": name what does not fit in a map (--map)", "default")
        )
    elif found.tx is not None:
        console.print(
            Text(f"migrated as tx {found.tx}", "bold green").append(f"  module {found.module_hash[:16]}", "dim")
        )
    else:
        console.print(Text("fits", "bold green").append(", nothing written", "default"))


def _facts(count: int) -> str:
    return f"({count} fact{'' if count == 1 else 's'})"
