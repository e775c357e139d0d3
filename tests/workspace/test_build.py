"""When an artifact is written, and that a refused or interrupted build leaves the project as it was."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from argon_lang.errors import ArgonError
from argon_lang.problems import Diagnostic, Location
from argon_lang.workspace import writing
from argon_lang.workspace.build import BuildResult, Compiled, Stamp, build, build_in_memory, freshness
from argon_lang.workspace.lock import lock_holder
from argon_lang.workspace.root import Project
from argon_lang.workspace.sources import Inputs

REFUSAL = Diagnostic("OE0101", "error", "no such name", Location("x/root.ar", 0, 1))


def compile_text(inputs: Inputs) -> Compiled:
    """A compiler for these tests: the artifact is digest, hash, and the entry in capitals; `!` is its one error."""
    text = inputs.data("root.ar") or b""
    if b"!" in text:
        return Compiled((REFUSAL,))
    module_hash = text.hex()
    return Compiled((), f"{inputs.digest} {module_hash} ".encode() + text.upper(), module_hash)


def stamp_of(data: bytes) -> Stamp:
    parts = data.split(b" ", 2)
    if len(parts) != 3:
        raise ArgonError("OE1216")
    return Stamp(parts[0].decode(), parts[1].decode())


def run(project: Project, compiler: Callable[[Inputs], Compiled] = compile_text, *, force: bool = False) -> BuildResult:
    return build(project, compiler, stamp_of, force=force)


def contents(root: Path) -> dict[str, bytes]:
    """Every file but the machine state's."""
    files = (path for path in root.rglob("*") if path.is_file() and ".argon" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def untouchable(_: Inputs) -> Compiled:
    raise AssertionError("compiled though nothing changed")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "ox.toml").write_text('[package]\nname = "x"\n')
    (tmp_path / "root.ar").write_text("abc")
    return Project(tmp_path, "flag")


def artifact(project: Project) -> bytes:
    return (project.root / "target" / "root.oxbin").read_bytes()


def test_a_first_build_writes_the_artifact_and_nothing_else(project: Project) -> None:
    before = contents(project.root)
    result = run(project)
    assert (result.ok, result.wrote, result.current, result.artifact) == (True, True, False, "target/root.oxbin")
    assert result.module_hash == b"abc".hex()
    assert set(contents(project.root)) - set(before) == {"target/root.oxbin"}
    assert artifact(project).endswith(b"ABC")


def test_a_second_build_of_the_same_inputs_compiles_nothing(project: Project) -> None:
    first = run(project)
    result = run(project, untouchable)
    assert (result.ok, result.wrote, result.current) == (True, False, True)
    assert (result.module_hash, result.inputs_digest) == (first.module_hash, first.inputs_digest)


def test_a_touched_but_unchanged_source_is_no_change(project: Project) -> None:
    run(project)
    os.utime(project.root / "root.ar")
    assert run(project, untouchable).current


def test_force_compiles_what_is_current(project: Project) -> None:
    run(project)
    assert run(project, force=True).wrote


def test_a_changed_source_or_manifest_is_built_anew(project: Project) -> None:
    first = run(project)
    (project.root / "root.ar").write_text("abd")
    second = run(project)
    (project.root / "ox.toml").write_text('[package]\nname = "y"\n')
    third = run(project)
    assert second.wrote
    assert third.wrote
    assert len({first.inputs_digest, second.inputs_digest, third.inputs_digest}) == 3


def test_a_refused_build_reports_and_keeps_the_old_artifact(project: Project) -> None:
    run(project)
    old = artifact(project)
    (project.root / "root.ar").write_text("!")
    before = contents(project.root)
    result = run(project)
    assert (result.ok, result.wrote) == (False, False)
    assert result.compiled == Compiled((REFUSAL,))
    assert contents(project.root) == before
    assert artifact(project) == old


def test_a_first_build_that_is_refused_leaves_no_trace(project: Project) -> None:
    (project.root / "root.ar").write_text("!")
    assert not run(project).ok
    assert sorted(path.name for path in project.root.iterdir()) == ["ox.toml", "root.ar"]


def test_a_first_build_compiles_once(project: Project) -> None:
    count = 0

    def counted(inputs: Inputs) -> Compiled:
        nonlocal count
        count += 1
        return compile_text(inputs)

    assert run(project, counted).wrote
    assert count == 1


@pytest.mark.parametrize("damage", [b"", b"ARGOX", b"\x00" * 50])
def test_a_damaged_artifact_is_replaced(project: Project, damage: bytes) -> None:
    run(project)
    (project.root / "target" / "root.oxbin").write_bytes(damage)
    assert run(project).wrote
    assert artifact(project).endswith(b"ABC")


def test_a_build_in_memory_writes_nothing_at_all(project: Project) -> None:
    result = build_in_memory(project, compile_text)
    assert (result.ok, result.wrote) == (True, False)
    assert result.compiled is not None
    assert result.compiled.artifact is not None
    assert sorted(path.name for path in project.root.iterdir()) == ["ox.toml", "root.ar"]


def test_a_target_that_cannot_be_a_folder_is_one_clear_refusal(project: Project) -> None:
    (project.root / "target").write_text("a file in the way")
    before = contents(project.root)
    with pytest.raises(ArgonError) as refusal:
        run(project)
    assert refusal.value.code == "ARGON_TARGET_UNWRITABLE"
    assert dict(refusal.value.args_)["path"] == "target/root.oxbin"
    assert contents(project.root) == before


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_write_that_fails_midway_leaves_the_project_as_it_was(
    project: Project, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = contents(project.root)
    original = getattr(os, failing)

    def only_on_the_artifact(*words: object) -> object:
        beside = next((project.root / "target").glob(".root.oxbin.*"), None) if failing == "fsync" else words[0]
        return fail() if beside and "oxbin" in str(beside) else original(*words)

    monkeypatch.setattr(writing.os, failing, only_on_the_artifact)
    with pytest.raises(ArgonError) as refusal:
        run(project)
    assert dict(refusal.value.args_)["found"] == "No space left on device"
    assert contents(project.root) == before
    assert not (project.root / "target").exists()


def test_where_nothing_can_be_written_a_refusing_gate_still_answers(project: Project) -> None:
    (project.root / ".argon").write_text("a file in the way")
    (project.root / "root.ar").write_text("!")
    assert run(project).compiled == Compiled((REFUSAL,))
    (project.root / "root.ar").write_text("abc")
    with pytest.raises(ArgonError):
        run(project)


def test_inputs_saved_during_a_build_are_compiled_before_it_ends(project: Project) -> None:
    def saving(inputs: Inputs) -> Compiled:
        (project.root / "root.ar").write_text("new")
        return compile_text(inputs)

    result = run(project, saving)
    assert artifact(project).endswith(b"NEW")
    assert result.inputs_digest == freshness(project, stamp_of).inputs_digest
    assert not freshness(project, stamp_of).dirty


def test_inputs_that_never_rest_end_in_an_artifact_that_names_what_it_read(project: Project) -> None:
    run(project)
    (project.root / "root.ar").write_text("moving")
    count = 0

    def saving(inputs: Inputs) -> Compiled:
        nonlocal count
        count += 1
        (project.root / "root.ar").write_text("n" * count)
        return compile_text(inputs)

    result = run(project, saving)
    assert count == 3
    assert stamp_of(artifact(project)).inputs_digest == result.inputs_digest
    assert artifact(project).endswith(b" NN")
    assert freshness(project, stamp_of).dirty


def test_a_cancelled_build_writes_nothing(project: Project) -> None:
    with pytest.raises(ArgonError) as refusal:
        build(project, compile_text, stamp_of, cancelled=lambda: True)
    assert refusal.value.code == "ARGON_RUNTIME_CANCELLED"
    assert not (project.root / "target").exists()


def test_what_a_killed_writer_left_is_cleared_by_the_next(project: Project) -> None:
    (project.root / "target").mkdir()
    (project.root / "target" / ".root.oxbin.123.tmp").write_bytes(b"half")
    run(project)
    assert [path.name for path in (project.root / "target").iterdir()] == ["root.oxbin"]


def test_freshness_is_decided_by_content(project: Project) -> None:
    assert freshness(project, stamp_of).dirty
    run(project)
    assert not freshness(project, stamp_of).dirty
    (project.root / "root.ar").write_text("abd")
    assert freshness(project, stamp_of).dirty
    (project.root / "root.ar").write_text("abc")
    assert not freshness(project, stamp_of).dirty


def test_an_input_that_cannot_be_read_counts_as_dirty(project: Project) -> None:
    run(project)
    (project.root / "gone.ar").symlink_to(project.root / "absent")
    state = freshness(project, stamp_of)
    assert state.dirty
    assert state.stamp is not None


def test_nobody_is_kept_waiting_while_a_build_compiles(project: Project) -> None:
    run(project)
    (project.root / "root.ar").write_text("new")
    holders = []

    def looking(inputs: Inputs) -> Compiled:
        holders.append(lock_holder(project))
        return compile_text(inputs)

    assert run(project, looking).wrote
    assert holders == [None]


RACE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.workspace.test_build import compile_text, stamp_of
from argon_lang.workspace.build import build
from argon_lang.workspace.root import Project
project = Project(Path(sys.argv[1]), "flag")
print("ready", flush=True)
sys.stdin.readline()
result = build(project, compile_text, stamp_of)
print(result.module_hash, result.wrote, result.current)
"""


def test_of_two_processes_that_build_at_once_one_writes_and_the_other_finds_it_done(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    (folder / ".argon").mkdir(parents=True)
    (folder / "ox.toml").write_text('[package]\nname = "x"\n')
    (folder / "root.ar").write_text("abc")
    repository = str(Path(__file__).parents[2])
    words = [sys.executable, "-c", RACE, str(folder), repository]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    both = [subprocess.Popen(words, **pipes) for _ in range(2)]
    for process in both:
        assert process.stdout.readline() == "ready\n"
    for process in both:
        process.stdin.write("\n")
        process.stdin.flush()
    answers = sorted(process.communicate(timeout=30)[0].strip() for process in both)
    assert answers == [f"{b'abc'.hex()} False True", f"{b'abc'.hex()} True False"]
