"""The walk-through of `examples/tax`, from its first version to the second: each command prints what the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.cli import argon
from tests.support.walkthrough import Walkthrough, printed

TAX = Walkthrough("tax")


def test_each_command_prints_what_the_page_shows(tmp_path: Path) -> None:
    folder = TAX.put(tmp_path / "books", "v1")
    assert len(TAX.steps()) > 30
    for command, shown in TAX.steps():
        if command == "cp -r ../tax/. .":
            TAX.put(folder)
        else:
            assert printed(command, folder) == shown, command


def test_the_sources_that_the_page_quotes_are_those_of_the_example() -> None:
    assert TAX.missing() == []


@pytest.mark.parametrize("version", ["", "v1"])
def test_both_versions_are_free_of_problems(version: str, tmp_path: Path) -> None:
    TAX.put(tmp_path, version)
    assert "no problems found" in argon("check", cwd=tmp_path).said
    assert argon("fmt", "--check", cwd=tmp_path).status == 0


def test_the_tests_and_the_scenario_of_the_example_pass(tmp_path: Path) -> None:
    TAX.put(tmp_path)
    assert "7 passed" in argon("test", cwd=tmp_path).said
    assert "1 passed" in argon("run-scenario", cwd=tmp_path).said
