"""The walk-through of `examples/access`: each command of the page, run in its order, prints what the page shows."""

from __future__ import annotations

from pathlib import Path

from tests.support.cli import argon
from tests.support.walkthrough import Walkthrough, printed

ACCESS = Walkthrough("access")


def test_each_command_prints_what_the_page_shows(tmp_path: Path) -> None:
    folder = ACCESS.put(tmp_path)
    assert argon("build", cwd=folder).status == 0
    assert len(ACCESS.steps()) > 10
    for command, shown in ACCESS.steps():
        assert printed(command, folder) == shown, command


def test_the_sources_that_the_page_quotes_are_those_of_the_example() -> None:
    assert ACCESS.missing() == []


def test_the_example_is_free_of_problems_and_its_tests_pass(tmp_path: Path) -> None:
    folder = ACCESS.put(tmp_path)
    assert "no problems found" in argon("check", cwd=folder).said
    assert argon("fmt", "--check", cwd=folder).status == 0
    assert argon("build", cwd=folder).status == 0
    assert "5 passed" in argon("test", cwd=folder).said
