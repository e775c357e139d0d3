"""What an editor is told of a large package before all of it is checked: a part of everything, or all of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from argon_lang.problems import Diagnostic
from argon_lang.queries.snippet import renamed
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.checking import recall, remembered_check
from argon_lang.session.compiler import check_inputs
from argon_lang.session.editor import edited
from argon_lang.session.editor.desk import Desk
from argon_lang.session.editor.edited import Edited, OpenText
from argon_lang.workspace.cache import Cache
from argon_lang.workspace.root import find_project
from argon_lang.workspace.sources import read_inputs
from tests.support.markers import FIXTURES, files_of
from tests.support.served_packages import package

CHECKED = sorted(path.name for path in (FIXTURES / "check").iterdir())
VIOLATED = """\
use std::core::{Diagnostic, Severity};
pub type Person { name: String }
fact Person(ann) { name: "Ann" };
pub derive liked(p: Person) :- p: Person;
check nobody(p: Person) :- liked(p) => Diagnostic { severity: Severity::Warning, message: "somebody" };
"""
"""Nothing is wrong before the gates, which find that a check is violated."""


@pytest.fixture(autouse=True)
def _all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edited, "LARGE", 0)


def put(root: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def opened(root: Path, cache: Cache) -> Edited:
    """A package whose files are all open."""
    found = Edited(find_project(str(root)), cache=cache)
    for number, path in enumerate(sorted(root.rglob("*.ar"))):
        relative = path.relative_to(root).as_posix()
        found.put(relative, OpenText(f"doc{number}", 1, path.read_text("utf-8")))
    return found


def told(package: Edited, found: Mapping[str, list[Diagnostic]]) -> set[Diagnostic]:
    """Diagnostics by their paths from the root."""
    return {renamed(each, package.relative) for listed in found.values() for each in listed}


@pytest.mark.parametrize("name", CHECKED)
def test_what_is_told_first_is_part_of_what_a_cold_check_says_and_is_all_of_it_the_next_time(
    tmp_path: Path, name: str
) -> None:
    root, cache = put(tmp_path / "package", files_of(FIXTURES / "check" / name)), Cache(tmp_path / "cache")
    inputs = read_inputs(find_project(str(root)))
    cold = check_inputs(inputs)
    here = opened(root, cache)
    first = here.first_diagnostics(Cancellation())
    assert first is not None
    assert told(here, first) <= set(cold.diagnostics)
    assert told(here, here.diagnostics(Cancellation())) == set(cold.diagnostics)
    if recall(inputs, cache) is not None:
        again = opened(root, cache)
        assert again.first_diagnostics(Cancellation()) == again.diagnostics(Cancellation())
    assert remembered_check(inputs, cache).diagnostics == cold.diagnostics


def test_what_was_found_out_about_other_texts_is_not_told(tmp_path: Path) -> None:
    root, cache = package(tmp_path, VIOLATED), Cache(tmp_path / "cache")
    opened(root, cache).diagnostics(Cancellation())
    here = opened(root, cache)
    assert told(here, here.first_diagnostics(Cancellation()) or {}) != set()
    here.put("root.ar", OpenText("doc0", 2, VIOLATED + "\n"))
    assert told(here, here.first_diagnostics(Cancellation()) or {}) == set()


def test_a_package_with_dependencies_and_a_broken_manifest_leave_nothing_in_the_cache(tmp_path: Path) -> None:
    root, cache = package(tmp_path, VIOLATED, manifest="[package\n"), Cache(tmp_path / "cache")
    opened(root, cache).diagnostics(Cancellation())
    assert recall(read_inputs(find_project(str(root))), cache) is None
    other = put(tmp_path / "other", {"ox.toml": '[package]\nname = "other"\nversion = "0.1.0"\n', "root.ar": ""})
    manifest = f'[package]\nname = "small"\nversion = "0.1.0"\n[dependencies]\nother = {{ path = "../{other.name}" }}\n'
    put(root, {"ox.toml": manifest})
    opened(root, cache).diagnostics(Cancellation())
    assert recall(read_inputs(find_project(str(root))), cache) is None


# -- at the desk ------------------------------------------------------------------------------------------------------


def desk(root: Path) -> tuple[list[Any], Callable[[str, int], None], Desk]:
    sent: list[Any] = []
    made = Desk({"encoding": "utf-16"}, sent.append)

    def tell(text: str, version: int) -> None:
        path = str(root / "root.ar")
        given = {"document": "doc", "path": path, "told": version, "version": version, "text": text}
        made.tell("opened", given)

    return sent, tell, made


def test_an_editor_is_told_what_is_known_first_and_then_everything_at_the_same_version(tmp_path: Path) -> None:
    sent, tell, made = desk(package(tmp_path, VIOLATED))
    tell(VIOLATED, 1)
    made.step(made.turns.take())
    made.step(made.turns.take())
    assert [(each["version"], [d["code"] for d in each["diagnostics"]]) for each in sent] == [(1, []), (1, ["OW1355"])]


def test_a_package_that_was_checked_is_told_of_once_for_each_edit(tmp_path: Path) -> None:
    sent, tell, made = desk(package(tmp_path, VIOLATED))
    tell(VIOLATED, 1)
    made.step(made.turns.take())
    made.step(made.turns.take())
    del sent[:]
    tell(VIOLATED.replace("somebody", "someone"), 2)
    made.step(made.turns.take())
    made.step(made.turns.take())
    assert [(each["version"], len(each["diagnostics"])) for each in sent] == [(2, 1)]


def test_a_check_that_was_stopped_after_its_first_step_is_told_in_two_steps_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent, tell, made = desk(package(tmp_path, VIOLATED))
    real = Edited.diagnostics

    def edit_first(self: Edited, stop: Cancellation) -> Mapping[str, list[Diagnostic]]:
        monkeypatch.setattr(Edited, "diagnostics", real)
        tell(VIOLATED + "\n", 2)
        return real(self, stop)

    monkeypatch.setattr(Edited, "diagnostics", edit_first)
    tell(VIOLATED, 1)
    for _ in range(3):
        made.step(made.turns.take())
    assert [(each["version"], len(each["diagnostics"])) for each in sent] == [(1, 0), (2, 0), (2, 1)]
