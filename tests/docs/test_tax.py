"""The walk-through of `examples/tax`, from its first version to the second: each command prints what the page shows."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.support.cli import ROOT, argon

EXAMPLE = ROOT / "examples" / "tax"
PAGE = (ROOT / "docs" / "tax.md").read_text(encoding="utf-8")
CONSOLE = re.compile(r"```console\n(.*?)```", re.S)
QUOTED = re.compile(r"```argon (\S+)\n(.*?)```", re.S)
NOW = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z(?=  user)")
HASH = re.compile(r"module [0-9a-f]{16}")


def put(source: Path, folder: Path) -> None:
    """Copy the sources of a version, and nothing that was built of them."""
    ignored = shutil.ignore_patterns("target", ".argon", "v1")
    shutil.copytree(source, folder, ignore=ignored, dirs_exist_ok=True)


def steps() -> list[tuple[str, str]]:
    """The commands of the page, each with what it shows below."""
    found: list[tuple[str, str]] = []
    for block in CONSOLE.findall(PAGE):
        parts = re.split(r"^\$ (.*)\n", block, flags=re.M)[1:]
        found += zip(parts[::2], parts[1::2], strict=True)
    return found


def test_each_command_prints_what_the_page_shows(tmp_path: Path) -> None:
    folder = tmp_path / "books"
    put(EXAMPLE / "v1", folder)
    assert len(steps()) > 30
    for command, shown in steps():
        if command == "cp -r ../tax/. .":
            put(EXAMPLE, folder)
            continue
        done = argon(*shlex.split(command)[1:], cwd=folder)
        said = HASH.sub("module (hash)", NOW.sub("(now)", done.said))
        assert "".join(f"{line.rstrip()}\n" for line in said.splitlines()) == shown, command


def test_the_sources_that_the_page_quotes_are_those_of_the_example() -> None:
    assert len(QUOTED.findall(PAGE)) > 3
    for file, block in QUOTED.findall(PAGE):
        source = (EXAMPLE / file).read_text(encoding="utf-8")
        for part in block.strip().split("\n\n"):
            assert part in source


@pytest.mark.parametrize("version", ["", "v1"])
def test_both_versions_are_free_of_problems(version: str, tmp_path: Path) -> None:
    put(EXAMPLE / version, tmp_path)
    assert "no problems found" in argon("check", cwd=tmp_path).said
    assert argon("fmt", "--check", cwd=tmp_path).status == 0


def test_the_tests_and_the_scenario_of_the_example_pass(tmp_path: Path) -> None:
    put(EXAMPLE, tmp_path)
    assert "7 passed" in argon("test", cwd=tmp_path).said
    assert "1 passed" in argon("run-scenario", cwd=tmp_path).said
