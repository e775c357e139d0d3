"""A package that `argon new` has just written, through every command a newcomer tries first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from argon_lang.workspace.scaffold import create

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def school(tmp_path: Path) -> Path:
    create("school", tmp_path)
    return tmp_path / "school"


def argon(folder: Path, *words: str) -> str:
    """What one command prints; it has to succeed."""
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "argon_lang", *words]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("words", [["check", "--deny", "warnings"], ["test"], ["build"], ["fmt", "--check"]])
def test_a_new_package_passes_at_once(school: Path, words: list[str]) -> None:
    argon(school, *words)


def test_a_new_package_answers_changes_and_explains(school: Path) -> None:
    assert argon(school, "query", "school", "ada").splitlines()[1:3] == ["Ben ", "Cleo"]
    argon(school, "mutate", "enrol", "cleo", "Dora")
    assert "Dora" in argon(school, "query", "school", "ada")
    assert "teaches(ada, ben)" in argon(school, "explain-fact", "learnt_from(cleo, ada)")
