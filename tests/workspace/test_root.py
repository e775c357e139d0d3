"""Which folder is the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from argon_lang.errors import ArgonError
from argon_lang.workspace.root import Project, find_project, manifest_of


def package(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ox.toml").write_text('[package]\nname = "x"\n')
    return folder


def test_the_nearest_manifest_upward_is_the_project(tmp_path: Path) -> None:
    package(tmp_path)
    inner = package(tmp_path / "a" / "b")
    deep = inner / "c" / "d"
    deep.mkdir(parents=True)
    assert find_project(start=deep) == Project(inner.resolve(), "manifest")


def test_without_a_manifest_the_working_folder_is_a_nameless_project(tmp_path: Path) -> None:
    project = find_project(start=tmp_path)
    assert project == Project(tmp_path.resolve(), "fallback")
    assert not project.has_manifest
    nameless = manifest_of(None).manifest.package
    assert (nameless.name, nameless.prelude) == ("", ["std::core::{type, rel}"])


def test_a_folder_named_ox_toml_is_no_manifest(tmp_path: Path) -> None:
    (tmp_path / "ox.toml").mkdir()
    assert find_project(start=tmp_path).source == "fallback"


def test_an_explicit_project_wins_and_its_symlinks_are_resolved(tmp_path: Path) -> None:
    real = package(tmp_path / "real")
    link = tmp_path / "link"
    link.symlink_to(real)
    assert find_project(str(link), start=tmp_path) == Project(real.resolve(), "flag")


@pytest.mark.parametrize("name", ["absent", "ox.toml"])
def test_an_explicit_project_that_is_no_folder_is_refused_by_name(tmp_path: Path, name: str) -> None:
    package(tmp_path)
    with pytest.raises(ArgonError) as refusal:
        find_project(str(tmp_path / name))
    assert refusal.value.code == "ARGON_PROJECT_NOT_FOUND"
    assert dict(refusal.value.args_) == {"path": str(tmp_path / name)}


def workspace(folder: Path) -> Path:
    """A root package with two members below `packages`, one of them without a name."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ox.toml").write_text('[package]\nname = "all"\n[workspace]\nmembers = ["packages/*", "absent"]\n')
    for name, text in {"one": '[package]\nname = "lease"\n', "two": "[package]\n", "three": ""}.items():
        (folder / "packages" / name).mkdir(parents=True)
        (folder / "packages" / name / "ox.toml").write_text(text)
    (folder / "packages" / "notes").mkdir()
    return folder


def test_a_member_of_a_workspace_may_be_named_from_anywhere_in_it(tmp_path: Path) -> None:
    root = workspace(tmp_path / "w")
    lease = Project((root / "packages" / "one").resolve(), "flag")
    assert find_project("lease", start=root) == lease
    assert find_project("lease", start=root / "packages" / "notes") == lease


def test_a_name_that_no_member_has_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ArgonError) as refusal:
        find_project("loan", start=workspace(tmp_path / "w"))
    assert (refusal.value.code, refusal.value.details["candidates"]) == ("ARGON_PROJECT_NOT_FOUND", ["lease"])


def test_the_artifact_is_named_after_the_entry(tmp_path: Path) -> None:
    project = Project(tmp_path, "flag")
    assert project.artifact("src/main.ar") == tmp_path / "target" / "main.oxbin"


def test_a_path_of_the_user_counts_from_where_the_user_is(tmp_path: Path) -> None:
    project = Project(package(tmp_path / "p").resolve(), "flag")
    assert project.relative("p/a.ar", base=tmp_path) == "a.ar"
    with pytest.raises(ArgonError):
        project.relative("a.ar", base=tmp_path)
