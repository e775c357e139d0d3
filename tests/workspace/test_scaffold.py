"""What `argon new` and `argon init` write, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from argon_lang.errors import ArgonError
from argon_lang.queries.snippet import check_files, module_of
from argon_lang.workspace.manifest import is_package_name
from argon_lang.workspace.root import Project
from argon_lang.workspace.scaffold import create, init_package, suggested_name
from argon_lang.workspace.sources import read_inputs

FILES = ("ox.toml", "root.ar", ".gitignore", ".gitattributes")


def test_a_new_package_has_a_clean_manifest_a_source_and_git_settings(tmp_path: Path) -> None:
    folder = tmp_path / "school"
    assert create("school", tmp_path) == FILES
    inputs = read_inputs(Project(folder, "flag"))
    assert inputs.manifest().problems == ()
    assert inputs.manifest().manifest.package.name == "school"
    assert [source.path for source in inputs.sources("school")] == ["root.ar"]
    assert (folder / ".gitignore").read_text().splitlines() == ["target/", ".argon/"]
    assert (folder / ".gitattributes").read_text() == "*.ar text eol=lf\n"


def test_a_new_package_passes_the_gates_without_so_much_as_a_warning(tmp_path: Path) -> None:
    create("school", tmp_path)
    texts = {path: (tmp_path / "school" / path).read_text("utf-8") for path in ("ox.toml", "root.ar")}
    assert check_files(texts) == []
    module = module_of(texts)
    assert module is not None
    assert (len(module.tests), len(module.checks), len(module.queries), len(module.mutations)) == (3, 1, 1, 1)


def test_an_empty_folder_can_become_a_new_package_and_a_full_one_cannot(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    create("empty", tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    with pytest.raises(ArgonError) as refusal:
        create("full", tmp_path)
    assert refusal.value.code == "ARGON_ALREADY_EXISTS"
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["notes.txt"]


def test_init_keeps_what_the_folder_holds(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("mine\n")
    (tmp_path / "notes.txt").write_text("mine\n")
    assert init_package(tmp_path, "school") == ("ox.toml", "root.ar", ".gitattributes")
    assert (tmp_path / ".gitignore").read_text() == "mine\n"


@pytest.mark.parametrize("name", ["ox.toml", "root.ar"])
def test_init_never_overwrites_a_package(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine\n")
    with pytest.raises(ArgonError) as refusal:
        init_package(tmp_path, "school")
    assert dict(refusal.value.args_) == {"path": name}
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "mine\n")]


def test_a_dangling_link_in_the_way_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "root.ar").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ArgonError) as refusal:
        init_package(tmp_path, "school")
    assert refusal.value.code == "ARGON_ALREADY_EXISTS"
    assert [path.name for path in tmp_path.iterdir()] == ["root.ar"]


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("my package", "my_package"),
        ("2nd", "nd"),
        ("", "my_package"),
        ("a/b", "a_b"),
        ("..", "my_package"),
        ("a--b", "a_b"),
    ],
)
def test_a_name_that_no_package_may_have_is_refused_with_one_that_it_may(
    tmp_path: Path, name: str, suggestion: str
) -> None:
    with pytest.raises(ArgonError) as refusal:
        create(name, tmp_path)
    assert refusal.value.code == "ARGON_NAME_INVALID"
    assert dict(refusal.value.args_) == {"name": name}
    assert dict(refusal.value.notes[-1].args) == {"suggestion": suggestion}
    assert is_package_name(suggested_name(name))
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_one_clear_refusal(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ArgonError) as refusal:
        create("school", tmp_path / "file")
    assert refusal.value.code == "ARGON_TARGET_UNWRITABLE"
