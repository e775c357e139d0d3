"""Reasons in the terminal: suggestions that one may paste, pictures of trees, violations with why they stand."""

from __future__ import annotations

import json
import shlex
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.support.cli import argon
from tests.support.served_packages import lease, save


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return lease(tmp_path)


def test_a_suggested_command_line_does_what_it_was_suggested_for(root: Path) -> None:
    for fact in ("overdue(april)", "called_upon(ben)", "lets(ben, loft)"):
        assert argon("why-not", fact, cwd=root).status == 0
        told = argon("suggest", fact, cwd=root)
        assert told.status == 0
        line = told.said.splitlines()[0]
        assert argon(*shlex.split(line)[1:], cwd=root).status == 0, line
        assert argon("explain-fact", fact, cwd=root).status == 0
        assert "holds already" in argon("suggest", fact, cwd=root).said


def test_an_individual_without_a_name_is_an_argument_of_the_command_line(root: Path) -> None:
    argon("mutate", "bill", "ben", "5.00", "2026-02-01", cwd=root)
    argon("mutate", "pay", "#1.1", cwd=root)
    line = argon("suggest", "overdue(#1.1)", cwd=root).said.splitlines()[0]
    assert "'invoice_1=#1.1'" in line or "invoice_1=#1.1" in line
    assert argon(*shlex.split(line)[1:], cwd=root).status == 0
    assert argon("explain-fact", "overdue(#1.1)", cwd=root).status == 0


def test_what_no_change_brings_about_is_a_finding(root: Path) -> None:
    done = argon("suggest", "in_arrears(dora)", cwd=root)
    assert done.status == 1
    assert "no three changes of facts about what there is make in_arrears(dora) hold" in done.said


def test_why_not_points_to_what_would_help(root: Path) -> None:
    assert "argon suggest 'called_upon(ben)'" in argon("why-not", "called_upon(ben)", cwd=root).said


@pytest.mark.parametrize("words", [("explain-fact", "called_upon(dora)"), ("why-not", "called_upon(ben)"), ("checks",)])
def test_trees_come_in_every_format(root: Path, words: tuple[str, ...]) -> None:
    world = root / "world.ar"
    save(world, world.read_text("utf-8") + "\nfact lets(ben, garden_flat) { rent: 1.00, start: #2026-01-01# };\n")
    save(root / "root.ar", (root / "root.ar").read_text("utf-8").replace("Severity::Error", "Severity::Warning"))

    def said(kind: str) -> str:
        return argon(*words, "--format", kind, cwd=root).said

    assert ElementTree.fromstring(said("svg")).tag.endswith("svg")
    assert ElementTree.fromstring(said("html")).tag == "html"
    assert said("dot").startswith("digraph proof {")
    assert json.loads(said("json"))["schemaVersion"] == "1.0"
    assert "root.ar:" in argon(*words, *(("--explain",) if words == ("checks",) else ()), cwd=root).said
    assert argon(*words, "--format", "png", cwd=root).status == 2
