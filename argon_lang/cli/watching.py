"""`argon check --watch`: draw the answer again whenever an input changed, until one is told to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NoReturn

from rich.text import Text

from argon_lang.errors import ArgonError
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.checking import relative_paths
from argon_lang.session.program import Program
from argon_lang.session.watch import Watcher
from argon_lang.workspace.cache import user_cache
from argon_lang.workspace.sources import InputMemo, read_inputs

if TYPE_CHECKING:
    from pathlib import Path

    from argon_lang.cli.output import Output
    from argon_lang.session.checked import Checked
    from argon_lang.workspace.root import Project

_LOOK_SECONDS = 1.0
"""The longest that a change goes unseen which the system's watcher missed."""


def watch_checks(root: Project, output: Output, only: Iterable[Path], draw: Callable[[Checked], None]) -> NoReturn:
    """Check, draw, and do so again after every change; ends by KeyboardInterrupt.

    What was found out about one state is used for the next one: an edit costs what it touches.
    """
    memo, program, wanted, changed = (
        InputMemo(),
        Program(user_cache()),
        relative_paths(root, tuple(only)),
        threading.Event(),
    )
    watchers = [Watcher(folder, changed.set) for folder in _folders(root)]
    shown: str | None = None
    try:
        while True:
            changed.clear()
            state = _state(root, memo)
            if state != shown:
                shown = state
                _redraw(root, memo, output, program, wanted, draw)
            changed.wait(_LOOK_SECONDS)
    finally:
        for watcher in watchers:
            watcher.stop()


def _folders(root: Project) -> list[Path]:
    """The folders of the package and of its path dependencies."""
    try:
        packages = read_inputs(root).packages()
    except ArgonError:
        return [root.root]
    return [root.root, *(root.root / each.folder for each in packages.dependencies)]


def _state(root: Project, memo: InputMemo) -> str:
    """What the inputs are now, as a digest; of inputs that cannot be read, why."""
    try:
        return read_inputs(root, memo=memo).digest
    except ArgonError as error:
        return str(error)


def _redraw(
    root: Project,
    memo: InputMemo,
    output: Output,
    program: Program,
    wanted: tuple[str, ...],
    draw: Callable[[Checked], None],
) -> None:
    if output.out.is_terminal:
        output.out.clear()
    try:
        draw(program.check(read_inputs(root, memo=memo), Cancellation()).only(wanted))
    except ArgonError as error:
        output.fail(error)
    output.out.print(Text("watching for changes; Ctrl-C ends it", "dim"))
    output.out.file.flush()
