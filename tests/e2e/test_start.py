"""What a command imports: who reads a current artifact pays for no front end, and no command for another's packages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli import argon, copy, environment

SHOW = """
import contextlib, io, sys
from argon_lang.cli.entry import main
with contextlib.redirect_stdout(io.StringIO()):
    status = main(sys.argv[1:])
print(status, *sorted(sys.modules))
"""
FRONT_END = (
    "argon_lang.syntax.parser",
    "argon_lang.program.infer",
    "argon_lang.queries.database",
    "argon_lang.gates",
    "argon_lang.ir.lower.lower",
    "argon_lang.ide",
)
SERVERS = ("mcp", "pygls", "lsprotocol", "watchfiles", "argon_lsp", "argon_mcp")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy("lease", tmp_path_factory.mktemp("start") / "lease")
    assert argon("build", cwd=folder).status == 0
    return folder


def imported(folder: Path, *words: str) -> set[str]:
    command = [sys.executable, "-c", SHOW, *words]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=True)
    status, *modules = done.stdout.split()
    assert status == "0"
    return set(modules)


def within(modules: set[str], packages: tuple[str, ...]) -> list[str]:
    return sorted(name for name in modules if any(name == p or name.startswith(f"{p}.") for p in packages))


@pytest.mark.parametrize(
    "words",
    [["query", "late_payers"], ["derive", "lets"], ["explain-fact", "in_arrears(ada)"], ["mutate", "pay", "march"]],
)
def test_who_reads_a_current_artifact_imports_no_front_end(built: Path, words: list[str]) -> None:
    assert within(imported(built, *words), (*FRONT_END, *SERVERS)) == []


def test_a_question_imports_nothing_that_only_writing_or_explaining_needs(built: Path) -> None:
    own = imported(built, "query", "late_payers", "--json")
    assert within(own, ("argon_lang.runtime.writes", "argon_lang.runtime.explain", "argon_lang.runtime.testing")) == []


@pytest.mark.parametrize("words", [["--version"], ["explain", "OE1317"]])
def test_what_is_answered_at_once_imports_nothing_but_the_standard_library(built: Path, words: list[str]) -> None:
    heavy = ("typer", "click", "rich", "pydantic", "argon_lang.session", "argon_lang.runtime")
    assert within(imported(built, *words), heavy) == []
