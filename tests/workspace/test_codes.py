"""Every refusal of this room has its words in the catalog, with the values that they need."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from argon_lang.errors import ArgonError
from argon_lang.problems import Args
from argon_lang.workspace.lock import Holder, _locked
from argon_lang.workspace.manifest import read_manifest
from argon_lang.workspace.paths import path_in_project
from argon_lang.workspace.root import find_project
from argon_lang.workspace.scaffold import create
from argon_lang.workspace.writing import unwritable
from shared_catalog.load import entry


def worded(template: str, values: Args) -> str:
    """A template filled in; KeyError when a placeholder has no value."""
    return template.format_map(dict(values))


def outside(folder: Path) -> None:
    path_in_project("..", root=str(folder), base=str(folder))


def full(folder: Path) -> None:
    (folder / "x").mkdir()
    (folder / "x" / "y").write_text("")
    create("x", folder)


def locked(_: Path) -> None:
    raise _locked(Holder("7", "argon build", "2026-01-31T12:00:00+00:00"), 10.0)


def unnamed_lock(_: Path) -> None:
    raise _locked(Holder("?", "?", "?"), 10.0)


def unwritten(_: Path) -> None:
    raise unwritable("target/root.oxbin", OSError(28, "No space left on device"))


@pytest.mark.parametrize(
    "refused",
    [
        outside,
        full,
        locked,
        unnamed_lock,
        unwritten,
        lambda folder: create("a b", folder),
        lambda folder: find_project(str(folder / "absent")),
    ],
)
def test_a_refusal_fills_its_message_and_its_notes(refused: Callable[[Path], None], tmp_path: Path) -> None:
    with pytest.raises(ArgonError) as caught:
        refused(tmp_path)
    error = caught.value
    words = entry(error.code)
    assert "{" not in worded(words.message, error.args_)
    assert error.notes
    assert all(worded(words.notes[note.key], note.args) for note in error.notes)


MANIFESTS = [
    "",
    "a = [",
    "nam = 1",
    '[package]\nname = "a b"\nversion = 1\nentry = "x"\nprelude = ["!"]\nmax_tier = "recursiv"\nentri = 1\nzzz = 1\n',
    '[dependencies]\na = 1\nb = { path = "x" }\n[limits]\nmaxRows = 0\n[store]\npath = "/x"\n[lint]\nOE1 = 1\n',
    "limits = 1\n[package]\nprelude = 3\n",
]


@pytest.mark.parametrize("text", [*map(str.encode, MANIFESTS), b"\xff"])
def test_every_problem_of_a_manifest_fills_its_message_its_notes_and_its_fixes(text: bytes) -> None:
    problems = read_manifest(text).problems
    assert problems
    for problem in problems:
        words = entry(problem.code)
        assert worded(words.message, problem.args)
        assert all(worded(words.notes[note.key], note.args) for note in problem.notes)
        assert all(worded(words.fixes[fix.key], fix.args) for fix in problem.fixes)


def test_explain_knows_the_run_time_codes_of_this_room() -> None:
    words = [sys.executable, "-m", "argon_lang", "explain", "ARGON_TARGET_UNWRITABLE"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert (done.returncode, done.stderr) == (0, "")
    assert "TargetUnwritable" in done.stdout
