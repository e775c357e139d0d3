"""How each answer reads on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from argon_lang.cli.excerpt import Source, draw, summary
from argon_lang.cli.report_store import SIGNS, told
from argon_lang.cli.trees import draw_nodes
from argon_lang.problems import Diagnostic
from argon_lang.text import LineIndex
from shared_catalog import load, render

if TYPE_CHECKING:
    from rich.console import Console

    from argon_lang.runtime.envelopes import NewReport, Receipt, Status, TestOutcome, TestReport, Violation, Violations
    from argon_lang.session.checked import Checked
    from argon_lang.session.editing import Formatted
    from argon_lang.workspace.build import BuildResult

_SEVERITY = {"error": "bold red", "warning": "bold yellow", "info": "bold cyan"}
_OUTCOME = {"passed": "green", "failed": "bold red", "error": "bold red", "inconclusive": "yellow", "listed": "dim"}
_MARK = {"passed": "ok", "failed": "FAILED", "error": "ERROR", "inconclusive": "inconclusive", "listed": "-"}


def draw_diagnostics(
    console: Console, diagnostics: Sequence[Diagnostic], texts: Mapping[str, str], most: int | None = None
) -> None:
    """Diagnostics with source excerpts, then a summary; at most `most` are drawn, the rest is counted."""
    known = {file: Source(file, text, LineIndex(text)) for file, text in texts.items()}
    shown = diagnostics if most is None else diagnostics[:most]
    for diagnostic in shown:
        console.print(draw(diagnostic, known.get))
    if len(shown) < len(diagnostics):
        console.print(Text(f"… and {len(diagnostics) - len(shown)} more"))
    console.print(summary(diagnostics))


def draw_checked(console: Console, checked: Checked, *, codes: bool, most: int | None, explain: bool = False) -> None:
    """The answer of `check`; with `explain` followed by the page of each code that it names."""
    if codes:
        _draw_codes(console, checked, most)
    else:
        draw_diagnostics(console, checked.diagnostics, checked.texts, most)
    for code in dict.fromkeys(each.code for each in checked.diagnostics[:most]) if explain else ():
        console.print(Text(f"\n{render.text(load.entry(code))}"), end="")


def _draw_codes(console: Console, checked: Checked, most: int | None) -> None:
    indexes = {file: LineIndex(text) for file, text in checked.texts.items()}
    for each in checked.diagnostics[:most]:
        index = indexes.get(each.location.file, LineIndex(""))
        line, column = index.position(each.location.start)
        console.print(Text(f"{each.location.file}:{line + 1}:{column + 1}: {each.severity} {each.code}"))


def draw_built(console: Console, result: BuildResult, texts: Mapping[str, str]) -> None:
    """The answer of `build`."""
    if result.compiled is not None and result.compiled.diagnostics:
        draw_diagnostics(console, result.compiled.diagnostics, texts)
    if result.ok:
        what = "up to date" if result.current else "built"
        console.print(Text(what, "bold green").append(f" {result.artifact}", "default"))
        console.print(Text(f"module {result.module_hash}"))


def draw_formatted(console: Console, formatted: Sequence[Formatted], *, diff: bool) -> None:
    """The answer of `fmt`."""
    changed = [each for each in formatted if each.changed]
    for each in changed:
        console.print(Text(each.diff if diff else f"{each.file}"), end="" if diff else "\n")
    unchanged = len(formatted) - len(changed)
    console.print(Text(f"{len(changed)} changed, {unchanged} already canonical"))


def draw_created(console: Console, report: NewReport) -> None:
    """The answer of `new`."""
    console.print(Text("created ", "bold green").append(report.name))
    for path in report.files:
        console.print(Text(f"  {path}"))
    console.print(Text(f"next: cd {report.name} && argon check && argon test"))


def draw_receipt(console: Console, receipt: Receipt) -> None:
    """The answer of `mutate`."""
    head = "dry run, nothing written" if receipt.dry_run else f"committed tx {receipt.tx}"
    note = " (replayed)" if receipt.replayed else ""
    note += (
        f", fork {receipt.promoted_from} promoted" if receipt.promoted_from is not None and not receipt.dry_run else ""
    )
    console.print(Text(head + note, "bold green").append(f"  generation {receipt.generation}", "dim"))
    for minted in receipt.minted:
        console.print(Text(f"  minted {minted.label}"))
    for event in receipt.events:
        sign, style = SIGNS[event.op]
        console.print(Text(f"  {sign} {told(event)}", style))
    if receipt.derived_delta is not None:
        console.print(Text("derived:" if receipt.derived_delta else "derived: no change"))
        for delta in receipt.derived_delta.values():
            for fact in delta.added:
                console.print(Text(f"  + {fact}", "green"))
            for fact in delta.removed:
                console.print(Text(f"  - {fact}", "red"))
    for violation in receipt.diagnostics:
        draw_violation(console, violation)


def draw_violations(console: Console, found: Violations) -> None:
    """The answer of `checks`."""
    for violation in found.violations:
        draw_violation(console, violation)
    if found.count is not None:
        console.print(Text(f"{found.count} violations (showing {len(found.violations)})", "dim"))
    if found.clean:
        console.print(Text("no violations", "bold green"))


def draw_violation(console: Console, violation: Violation) -> None:
    """One violation, with its proof when it has one."""
    code = f"[{violation.code}]" if violation.code else ""
    line = Text(f"{violation.severity}{code}", _SEVERITY[violation.severity])
    console.print(line.append(f": {violation.message}", "bold"))
    console.print(Text(f"  {violation.fact}"))
    if violation.prose is not None:
        console.print(Text(f"  {violation.prose}"), soft_wrap=True)
    if violation.nodes and violation.root_id is not None:
        draw_nodes(console, violation.nodes, violation.root_id)


def draw_tests(console: Console, report: TestReport) -> None:
    """The answer of `test`."""
    for outcome in report.tests:
        line = Text(f"{_MARK[outcome.outcome]:>6} ", _OUTCOME[outcome.outcome]).append(outcome.name, "default")
        console.print(line.append(f"  {outcome.duration_ms:.1f} ms", "dim"))
        _draw_failures(console, outcome)
    counts = [(report.passed, "passed"), (report.failed, "failed"), (report.errors, "errors")]
    text = ", ".join(f"{number} {word}" for number, word in counts if number or word == "passed")
    console.print(Text(text, "bold red" if report.failed or report.errors else "bold green"))


def _draw_failures(console: Console, outcome: TestOutcome) -> None:
    for failure in outcome.failures:
        where = f" at {failure.span.file}:{failure.span.start.line + 1}" if failure.span is not None else ""
        console.print(Text(f"       {failure.message}{where}", "red"))
        if failure.explanation is not None:
            draw_nodes(console, failure.explanation.nodes, failure.explanation.root_id)


def draw_status(console: Console, found: Status) -> None:
    """The answer of `status`."""
    rows = [
        ("project", f"{found.project.package or '(nameless)'} at {found.project.root} ({found.project.source})"),
        ("artifact", _artifact_line(found)),
        ("store", _store_line(found)),
    ]
    if found.lock_holder is not None:
        holder = found.lock_holder
        rows.append(("locked by", f"{holder.command} (pid {holder.pid}) since {holder.since}"))
    rows.append(("limits", ", ".join(f"{knob} {limit}" for knob, limit in found.limits.items()) or "unknown"))
    rows.append(("versions", ", ".join(f"{name} {version}" for name, version in found.versions.items())))
    if found.next_step is not None:
        rows.append(("next", found.next_step))
    for name, text in rows:
        console.print(Text(f"{name:>9}  ", "bold").append(text, "default"))


def _artifact_line(found: Status) -> str:
    artifact = found.artifact
    if artifact.module_hash is None:
        return f"{artifact.path}: {'unreadable' if artifact.exists else 'not built'}"
    state = "sources changed since" if found.source_dirty else "current"
    return f"{artifact.path}: {state}, module {artifact.module_hash[:16]}, tier {artifact.tier}"


def _store_line(found: Status) -> str:
    store = found.store
    if not store.exists:
        return f"{store.kind}: none yet; the first write makes it"
    if store.id is None:
        return f"{store.kind} {store.path}: unreadable" + (f"; {store.error}" if store.error is not None else "")
    forks = f", {store.forks} fork{'' if store.forks == 1 else 's'}" if store.forks else ""
    written = f", last written {store.last_write}" if store.last_write is not None else ""
    return f"{store.kind} {store.path}: tx {store.tx}, generation {store.generation}{written}{forks}"
