"""The walk-through of `examples/access`: each command of the page, run in its order, prints what the page shows."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

from tests.support.cli import ROOT, argon

PAGE = (ROOT / "docs" / "access.md").read_text(encoding="utf-8")
CONSOLE = re.compile(r"```console\n(.*?)```", re.S)
ARGON = re.compile(r"```argon\n(.*?)```", re.S)


def example(folder: Path) -> Path:
    """A copy of the example, built."""
    source = ROOT / "examples" / "access"
    copy = shutil.copytree(source, folder / "access", ignore=shutil.ignore_patterns("target", ".argon"))
    assert argon("build", cwd=copy).status == 0
    return copy


def steps() -> list[tuple[str, str]]:
    """The commands of the page, each with what it shows below."""
    found: list[tuple[str, str]] = []
    for block in CONSOLE.findall(PAGE):
        parts = re.split(r"^\$ (.*)\n", block, flags=re.M)[1:]
        found += zip(parts[::2], parts[1::2], strict=True)
    return found


def test_each_command_prints_what_the_page_shows(tmp_path: Path) -> None:
    folder = example(tmp_path)
    assert len(steps()) > 10
    for command, shown in steps():
        done = argon(*shlex.split(command)[1:], cwd=folder)
        printed = "".join(f"{line.rstrip()}\n" for line in done.said.splitlines())
        assert printed == shown, command


def test_the_rules_that_the_page_quotes_are_those_of_the_example() -> None:
    source = (ROOT / "examples" / "access" / "root.ar").read_text(encoding="utf-8")
    for block in ARGON.findall(PAGE):
        for part in block.strip().split("\n\n"):
            assert part in source


def test_the_example_is_free_of_problems_and_its_tests_pass(tmp_path: Path) -> None:
    folder = example(tmp_path)
    assert "no problems found" in argon("check", cwd=folder).said
    assert argon("fmt", "--check", cwd=folder).status == 0
    done = argon("test", cwd=folder)
    assert done.status == 0
    assert "5 passed" in done.said
