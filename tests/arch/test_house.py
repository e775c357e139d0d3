"""pyproject, task runner and the pages about them say the same."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from typing import Any

import pytest

import tasks
from argon_lang.version import VERSION
from tests.arch.trees import PACKAGES, ROOT, modules

TABLE_ROW = re.compile(r"^\| ([a-z0-9-]+) \| (\S.*) \|$", re.MULTILINE)


@cache
def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def names(requirements: list[str]) -> set[str]:
    """Distribution names of some requirements, without our own extras."""
    return {re.split(r"[<>=!~\[; ]", one)[0] for one in requirements} - {"argon-lang"}


def all_dependencies() -> set[str]:
    project = pyproject()["project"]
    return names(project["dependencies"]).union(*map(names, project["optional-dependencies"].values()))


def test_every_dependency_has_its_reason_and_every_reason_its_dependency() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    rows = {name: reason for name, reason in TABLE_ROW.findall(page) if name != "package"}
    assert set(rows) == all_dependencies()
    assert all(len(reason.split()) >= 3 for reason in rows.values())


def test_every_dependency_has_a_lower_bound_and_a_version_that_the_tests_passed_with() -> None:
    project = pyproject()["project"]
    requirements = project["dependencies"] + [one for some in project["optional-dependencies"].values() for one in some]
    assert [one for one in requirements if ">=" not in one and not one.startswith("argon-lang[")] == []
    pinned = {
        line.split("==")[0].lower() for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line
    }
    assert {name.replace("_", "-") for name in all_dependencies()} <= {name.replace("_", "-") for name in pinned}


def imported() -> set[str]:
    """Distributions that the packages import (each is named like its module, but for those that come with another)."""
    comes_with = {"pydantic_core": "pydantic", "click": "typer", "mcp_types": "mcp", "anyio": "mcp"}
    found = {name.split(".")[0] for module in modules() for _, name in module.imports()}
    return {comes_with.get(name, name) for name in found} - sys.stdlib_module_names - set(PACKAGES) - {"tests", ""}


def test_every_dependency_of_the_command_line_is_imported_and_every_import_is_a_dependency() -> None:
    project = pyproject()["project"]
    extras = project["optional-dependencies"]
    assert names(project["dependencies"]) - imported() == set()
    assert imported() - names(project["dependencies"] + extras["lsp"] + extras["mcp"]) == set()


def test_the_version_is_named_in_one_place() -> None:
    assert pyproject()["project"]["dynamic"] == ["version"]
    assert pyproject()["tool"]["hatch"]["version"]["path"] == "argon_lang/version.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)


def test_every_package_is_shipped_checked_and_under_contract() -> None:
    tool = pyproject()["tool"]
    assert set(tool["hatch"]["build"]["targets"]["wheel"]["packages"]) == set(PACKAGES)
    assert set(tool["mypy"]["packages"]) == set(PACKAGES) == set(tasks.PACKAGES)
    assert set(tool["importlinter"]["root_packages"]) == set(PACKAGES)


def test_the_contract_of_the_rooms_leaves_no_room_out() -> None:
    (rooms,) = (one for one in pyproject()["tool"]["importlinter"]["contracts"] if one["id"] == "rooms")
    layers = {re.sub(r"[()]", "", room).strip() for layer in rooms["layers"] for room in layer.split("|")}
    here = {
        path.stem for path in (ROOT / "argon_lang").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert here - {"__init__"} <= layers
    assert rooms["exhaustive"] is True


def test_an_old_python_can_read_the_sentence_that_turns_it_away() -> None:
    ast.parse((ROOT / "tasks.py").read_text("utf-8"), feature_version=(3, 6))
    ast.parse((ROOT / "argon_lang" / "__main__.py").read_text("utf-8"), feature_version=(3, 6))
    assert ">=" + ".".join(map(str, tasks.OLDEST)) == pyproject()["project"]["requires-python"]


@pytest.mark.parametrize("words", [["tasks.py", "test"], ["-m", "argon_lang", "--version"]])
def test_an_old_python_is_turned_away_in_one_sentence(words: list[str]) -> None:
    run = "run_path(sys.argv[0]" if words[0] != "-m" else "run_module('argon_lang'"
    old = f"import sys, runpy; sys.version_info = (3, 10, 13); sys.argv = {words!r}; runpy.{run}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", old], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.count("\n") == 1
    assert "3.11" in done.stderr
    assert "3.10" in done.stderr


def test_the_page_for_contributors_names_every_task() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert [name for name in tasks.TASKS if f"`{name}" not in page] == []


def test_ci_goes_through_the_task_runner() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "tasks.py --venv .venv-ci ci" in script
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o100


def test_the_changelog_has_a_section_for_what_comes_next() -> None:
    assert re.search(r"^## \[Unreleased\]$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
