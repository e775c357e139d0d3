"""`argon check`: the loud gate over the saved files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from argon_lang.cli.exits import FINDINGS, OK
from argon_lang.cli.options import Color, JsonFlag, ProjectDir, Quiet
from argon_lang.cli.output import Output

if TYPE_CHECKING:
    from argon_lang.session.checked import Checked
    from argon_lang.workspace.root import Project


def command(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Report only on these files.", metavar="[PATH]...", show_default=False)
    ] = None,
    project: ProjectDir = None,
    json: JsonFlag = False,
    quiet: Quiet = False,
    color: Color = "auto",
    deny: Annotated[
        str | None, typer.Option("--deny", help="`warnings`: exit 1 on warnings too.", metavar="WHAT")
    ] = None,
    max_errors: Annotated[
        int | None, typer.Option("--max-errors", help="Draw at most this many diagnostics.", min=1)
    ] = None,
    codes: Annotated[bool, typer.Option("--codes", help="Print only places and codes, one line each.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Explain each code that is drawn, once.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Apply the fixes that are safe, then check again.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Check again after each change, until Ctrl-C.")] = False,
    hook: Annotated[
        bool, typer.Option("--hook", help="Answer an agent's hook: its JSON on standard input, 2 on errors.")
    ] = False,
) -> int:
    """Check the package: every gate, without building."""
    if deny not in (None, "warnings"):
        raise typer.BadParameter(f"--deny takes `warnings`, not `{deny}`")
    if json and (watch or explain or hook):
        raise typer.BadParameter("--json gives one answer for programs; --watch, --explain and --hook are for others")
    if hook:
        return _answer_hook()
    from argon_lang.session.checking import check_saved
    from argon_lang.session.wire import check_report
    from argon_lang.workspace.root import find_project

    output, only = Output(json, quiet, color), tuple(paths or ())
    root = find_project(str(project) if project is not None else None)
    if fix:
        _mend(root)

    def draw(checked: Checked) -> None:
        from argon_lang.cli.report import draw_checked

        output.emit(
            check_report(checked),
            lambda console: draw_checked(console, checked, codes=codes, most=max_errors, explain=explain),
        )

    if watch:
        from argon_lang.cli.watching import watch_checks

        watch_checks(root, output, only, draw)
    checked = check_saved(root, only)
    draw(checked)
    found = {diagnostic.severity for diagnostic in checked.diagnostics}
    return FINDINGS if "error" in found or (deny is not None and "warning" in found) else OK


def _mend(root: Project) -> None:
    """Apply the fixes that are safe; only who mends pays for what a session can do."""
    from argon_lang.session.project import Project as Opened

    Opened(root).apply_safe_fixes()


def _answer_hook() -> int:
    import sys

    from argon_lang.cli.hook import answer, read_call

    return answer(read_call(sys.stdin.read()))
