"""What a package is compiled from, and the digest that decides whether an artifact is current."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from argon_lang.errors import ArgonError
from argon_lang.workspace import sources
from argon_lang.workspace.root import Project
from argon_lang.workspace.sources import InputMemo, inputs_of, read_inputs

MANIFEST = '[package]\nname = "lease"\n'


def project(folder: Path, **files: str) -> Project:
    """A package; `__` in a keyword stands for `/`, and `.ar` is added."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ox.toml").write_text(MANIFEST)
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.ar"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Project(folder.resolve(), "flag")


def paths(of: Project) -> list[str]:
    return [file.path for file in read_inputs(of).files]


def age(path: Path) -> None:
    """Give a file a time stamp from long ago, so that its memo is trusted."""
    os.utime(path, ns=(10**18, 10**18))


def test_every_source_below_the_root_is_an_input_in_the_order_of_paths(tmp_path: Path) -> None:
    here = project(tmp_path, root="a", b__c="b", b__mod="c")
    (tmp_path / "ox.lock").write_text("")
    (tmp_path / "notes.txt").write_text("no input")
    assert paths(here) == ["b/c.ar", "b/mod.ar", "ox.lock", "ox.toml", "root.ar"]


def test_what_was_built_and_what_is_hidden_is_no_input(tmp_path: Path) -> None:
    here = project(tmp_path, root="", target__x="", deep__target__x="")
    for name in (".argon/x.ar", ".git/x.ar", ".hidden.ar"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert paths(here) == ["ox.toml", "root.ar"]


def test_a_folder_with_a_manifest_of_its_own_is_another_package(tmp_path: Path) -> None:
    here = project(tmp_path, root="")
    project(tmp_path / "packages" / "other", root="")
    assert paths(here) == ["ox.toml", "root.ar"]


def test_the_same_bytes_have_the_same_digest_in_another_folder(tmp_path: Path) -> None:
    digests = {read_inputs(project(tmp_path / name, root="x", a__b="y")).digest for name in ("one", "two")}
    assert len(digests) == 1


def test_any_change_of_content_name_manifest_or_mode_changes_the_digest(tmp_path: Path) -> None:
    here = project(tmp_path, root="x", a="yz", b="")
    seen = {read_inputs(here).digest, read_inputs(here, mode="other").digest}
    (tmp_path / "root.ar").write_text("X")
    seen.add(read_inputs(here).digest)
    (tmp_path / "a.ar").rename(tmp_path / "c.ar")
    seen.add(read_inputs(here).digest)
    (tmp_path / "ox.toml").write_text(MANIFEST + "\n")
    seen.add(read_inputs(here).digest)
    (tmp_path / "b.ar").write_text("yz")
    (tmp_path / "c.ar").write_text("")
    seen.add(read_inputs(here).digest)
    assert len(seen) == 6


def test_the_digest_covers_the_versions_of_argon_and_std(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = project(tmp_path, root="x")
    seen = {read_inputs(here).digest}
    monkeypatch.setattr(sources, "VERSION", "999.0.0")
    seen.add(read_inputs(here).digest)
    monkeypatch.setattr(sources, "std_digest", lambda: b"other")
    seen.add(read_inputs(here).digest)
    assert len(seen) == 3


def test_an_unsaved_text_stands_for_its_file_and_may_add_one(tmp_path: Path) -> None:
    here = project(tmp_path, root="saved")
    inputs = read_inputs(here, overlay={"root.ar": "unsaved", "new.ar": "é"})
    assert (inputs.data("root.ar"), inputs.data("new.ar")) == (b"unsaved", "é".encode())
    assert read_inputs(here).data("root.ar") == b"saved"
    (tmp_path / "root.ar").write_text("unsaved")
    (tmp_path / "new.ar").write_text("é", "utf-8")
    assert read_inputs(here).digest == inputs.digest


def test_texts_alone_make_the_same_inputs_as_their_files(tmp_path: Path) -> None:
    texts = {"ox.toml": MANIFEST, "root.ar": "x", "a/b.ar": "y"}
    assert inputs_of(texts) == read_inputs(project(tmp_path, root="x", a__b="y"))


def test_an_unchanged_old_file_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, memo = project(tmp_path, root="x", a="y"), InputMemo()
    for name in ("root.ar", "ox.toml"):
        age(tmp_path / name)
    read_inputs(here, memo=memo)
    read: list[str] = []
    original = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path.name) or original(path))
    again = read_inputs(here, memo=memo)
    assert read == ["a.ar"]
    assert again.data("root.ar") == b"x"


def test_a_young_file_is_read_again_even_with_the_same_time_and_size(tmp_path: Path) -> None:
    here, memo = project(tmp_path, root="one"), InputMemo()
    before = read_inputs(here, memo=memo)
    status = (tmp_path / "root.ar").stat()
    (tmp_path / "root.ar").write_text("two")
    os.utime(tmp_path / "root.ar", ns=(status.st_atime_ns, status.st_mtime_ns))
    after = read_inputs(here, memo=memo)
    assert after.data("root.ar") == b"two"
    assert after.digest != before.digest


def test_a_memo_forgets_files_that_are_gone(tmp_path: Path) -> None:
    here, memo = project(tmp_path, root="one", a="x"), InputMemo()
    age(tmp_path / "a.ar")
    read_inputs(here, memo=memo)
    assert "a.ar" in memo.known
    (tmp_path / "a.ar").unlink()
    read_inputs(here, memo=memo)
    assert "a.ar" not in memo.known


def test_a_source_is_text_with_the_file_name_of_its_package(tmp_path: Path) -> None:
    here = project(tmp_path, a__b="concept")
    (source,) = read_inputs(here).sources("lease")
    assert (source.file, source.path, source.text, source.problems) == ("lease/a/b.ar", "a/b.ar", "concept", ())
    assert read_inputs(here).sources("")[0].file == "a/b.ar"


def test_bytes_that_are_not_utf8_are_a_problem_of_their_source_and_not_an_error(tmp_path: Path) -> None:
    here = project(tmp_path, root="")
    (tmp_path / "root.ar").write_bytes(b"ok \xff")
    (source,) = read_inputs(here).sources("lease")
    assert [problem.code for problem in source.problems] == ["OE0005"]


def test_a_source_that_cannot_be_read_is_refused_by_its_name(tmp_path: Path) -> None:
    here = project(tmp_path, root="")
    (tmp_path / "gone.ar").symlink_to(tmp_path / "absent")
    with pytest.raises(ArgonError) as refusal:
        read_inputs(here)
    assert refusal.value.code == "ARGON_INPUT_UNREADABLE"
    assert dict(refusal.value.args_)["path"] == "gone.ar"


def test_a_pipe_named_like_a_source_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    here = project(tmp_path, root="")
    os.mkfifo(tmp_path / "pipe.ar")
    with pytest.raises(ArgonError) as refusal:
        read_inputs(here)
    assert dict(refusal.value.args_)["path"] == "pipe.ar"


def test_a_symlinked_source_inside_the_project_counts_and_one_outside_is_refused(tmp_path: Path) -> None:
    here = project(tmp_path / "p", root="x")
    (here.root / "same.ar").symlink_to(here.root / "root.ar")
    assert read_inputs(here).data("same.ar") == b"x"
    (tmp_path / "secret.ar").write_text("secret")
    (here.root / "leak.ar").symlink_to(tmp_path / "secret.ar")
    with pytest.raises(ArgonError) as refusal:
        read_inputs(here)
    assert refusal.value.code == "ARGON_PATH_OUTSIDE_PROJECT"


def test_an_empty_folder_has_no_inputs_and_is_the_nameless_package(tmp_path: Path) -> None:
    inputs = read_inputs(Project(tmp_path, "fallback"))
    assert inputs.files == ()
    assert inputs.manifest().manifest.package.name == ""
