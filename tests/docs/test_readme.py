"""What the README shows in its shell blocks is run, line by line, as a newcomer would in a fresh copy."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import tasks

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL = re.compile(r"```sh\n(.*?)```", re.S)
LEASE = ROOT / "examples" / "lease"


def lines(block: str) -> list[list[str]]:
    """The commands of a block, each as its words; comments left out, `a && b` taken apart."""
    commands = [part for line in block.splitlines() for part in line.split(" && ")]
    return [words for command in commands if (words := shlex.split(command, comments=True))]


def argon(words: list[str], folder: Path) -> str:
    """Run one command of `argon`; it must succeed and print something."""
    done = subprocess.run(
        [sys.executable, "-m", "argon_lang", *words], cwd=folder, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    assert done.stdout
    return done.stdout


def lease(folder: Path) -> Path:
    """A copy of the example as it is cloned."""
    return shutil.copytree(LEASE, folder / "lease", ignore=shutil.ignore_patterns("target", ".argon"))


def blocks() -> list[list[list[str]]]:
    return [lines(block) for block in SHELL.findall(README)]


def test_every_task_that_the_readme_names_is_one() -> None:
    named = {words[2] for block in blocks() for words in block if words[:2] == ["python3", "tasks.py"]}
    assert {"demo", "test", "setup"} <= named
    assert named <= set(tasks.TASKS)


def test_the_terminal_commands_run_in_a_fresh_folder_and_in_the_lease_example(tmp_path: Path) -> None:
    inside = {"new": tmp_path, "lease": lease(tmp_path)}
    for block in blocks():
        folder = inside["new"] if any(words[:2] == ["argon", "new"] for words in block) else inside["lease"]
        for words in block:
            if words[0] == "cd":
                folder = folder / words[1]
            elif words[0] == "argon" and words[1] not in ("lsp", "mcp"):
                argon(words[1:], folder)


def test_the_demo_ends_in_the_proof_of_a_derived_fact(tmp_path: Path) -> None:
    folder = lease(tmp_path)
    printed = [argon(list(words), folder) for words in tasks.DEMO]
    assert "called_upon(dora)" in printed[-1]
    assert "guarantees(dora, cleo)  declared" in printed[-1]
    assert "asserted · tx 1" in printed[-2]
