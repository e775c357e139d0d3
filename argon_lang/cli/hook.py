"""`argon check --hook`: the answer to a coding agent's hook, which sends JSON and reads an exit status.

An agent's client runs the command after a tool changed a file (`PostToolUse`), or when the agent wants to stop
(`Stop`). Status 0 lets it go on in silence, 2 hands what stands on standard error to the agent, anything else is shown
to the person. So errors in the package are 2, and everything that is no business of the gate is 0.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from argon_lang.cli.exits import FINDINGS, OK
from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.text import LineIndex

if TYPE_CHECKING:
    from argon_lang.session.checked import Checked

BLOCK = 2
_MOST = 20
"""Errors that an agent is told at once; the rest are counted."""
_PATHS = ("file_path", "path", "notebook_path")


@dataclass(frozen=True, slots=True)
class Call:
    """What a hook's JSON says: the file that was touched (None for the whole package), where, and whether to answer."""

    file: Path | None
    folder: Path
    repeated: bool


def read_call(text: str) -> Call:
    """Read a hook's JSON. Raises `ARGON_RUNTIME_VALIDATION_FAILED` for anything that is no JSON object."""
    try:
        found: Any = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ArgonError(
            "ARGON_RUNTIME_VALIDATION_FAILED",
            args(name="--hook", expected="the JSON object of a hook on standard input", found=_short(text)),
        )
    given = found.get("tool_input")
    written = [given[name] for name in _PATHS if isinstance(given.get(name), str)] if isinstance(given, dict) else []
    cwd = found.get("cwd")
    folder = Path(cwd) if isinstance(cwd, str) and cwd else Path.cwd()
    return Call(folder / written[0] if written else None, folder, found.get("stop_hook_active") is True)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:39] + "…"


def answer(call: Call) -> int:
    """Check the package that the call is about; the exit status, with the errors on standard error."""
    where = call.file.parent if call.file is not None else call.folder
    if call.repeated or not _concerns(call.file) or not where.is_dir():
        return OK
    from argon_lang.session.checking import check_saved
    from argon_lang.workspace.root import find_project

    root = find_project(start=where)
    if not root.has_manifest and call.file is None:
        return OK
    try:
        checked = check_saved(root)
    except ArgonError as error:
        sys.stderr.write(f"argon check: {error}\n")
        return FINDINGS
    lines = list(_lines(checked))
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    return BLOCK if lines else OK


def _concerns(file: Path | None) -> bool:
    return file is None or file.suffix == ".ar" or file.name in ("ox.toml", "ox.lock")


def _lines(checked: Checked) -> Iterator[str]:
    """The errors, one line each, with what to do about them; nothing when there is none."""
    errors = [each for each in checked.diagnostics if each.severity == "error"]
    for each in errors[:_MOST]:
        line, column = LineIndex(checked.texts.get(each.location.file, "")).position(each.location.start)
        yield f"{each.location.file}:{line + 1}:{column + 1}: {each.code} {each.message}"
        yield from (f"  help: {text}" for text in each.help)
    if len(errors) > _MOST:
        yield f"… and {len(errors) - _MOST} more"
    if errors:
        count = f"{len(errors)} error{'s' * (len(errors) != 1)}"
        yield f"argon check finds {count}; `argon explain CODE` says more"
