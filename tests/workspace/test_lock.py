"""The project lock, between real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from argon_lang.errors import ArgonError
from argon_lang.workspace.lock import lock_holder, project_lock
from argon_lang.workspace.root import Project

HOLD = """
import sys
from pathlib import Path
from argon_lang.workspace.lock import project_lock
from argon_lang.workspace.root import Project
with project_lock(Project(Path(sys.argv[1]), "flag"), "argon build --force"):
    print("held", flush=True)
    sys.stdin.readline()
print("released", flush=True)
sys.stdin.readline()
"""


@contextmanager
def holder(project: Project) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock until it is sent a line."""
    words = [sys.executable, "-c", HOLD, str(project.root)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def tell(process: subprocess.Popen[str]) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return process.stdout.readline()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path, "flag")


def test_a_second_process_is_refused_in_bounded_time_and_told_who_holds_the_project(project: Project) -> None:
    with holder(project) as other:
        with pytest.raises(ArgonError) as refusal, project_lock(project, "argon build", wait=0.1):
            pass
        error = refusal.value
        assert (error.code, error.retryable) == ("ARGON_PROJECT_LOCKED", True)
        assert dict(error.args_)["pid"] == str(other.pid)
        assert dict(error.args_)["name"] == "argon build --force"
        assert error.details["pid"] == str(other.pid)


def test_the_lock_is_free_as_soon_as_its_holder_lets_go(project: Project) -> None:
    with holder(project) as other:
        assert tell(other) == "released\n"
        with project_lock(project, "argon build", wait=0):
            assert json.loads((project.root / ".argon" / "lock.json").read_text())["pid"] == os.getpid()


def test_a_waiter_gets_the_lock_when_its_holder_lets_go(project: Project) -> None:
    with holder(project) as other:
        asked = threading.Event()

        def ask() -> bool:
            asked.set()
            return False

        def let_go() -> None:
            asked.wait()
            tell(other)

        thread = threading.Thread(target=let_go)
        thread.start()
        with project_lock(project, "argon build", cancelled=ask):
            pass
        thread.join()
        assert asked.is_set()


def test_the_lock_of_a_killed_process_is_free_though_its_name_still_stands(project: Project) -> None:
    with holder(project) as other:
        other.kill()
        other.wait()
        assert (project.root / ".argon" / "lock.json").exists()
        assert lock_holder(project) is None
        with project_lock(project, "argon build", wait=0):
            pass


def test_what_a_killed_holder_left_half_written_is_cleared_by_the_next(project: Project) -> None:
    project.machine_state.mkdir()
    (project.machine_state / ".lock.json.4711.tmp").write_text("{")
    with project_lock(project, "argon build"):
        assert sorted(each.name for each in project.machine_state.iterdir()) == ["lock", "lock.json"]


def test_waiting_can_be_cancelled(project: Project) -> None:
    with holder(project), pytest.raises(ArgonError) as refusal, project_lock(project, "x", cancelled=lambda: True):
        pass
    assert refusal.value.code == "ARGON_RUNTIME_CANCELLED"


def test_asking_for_the_holder_names_it_and_creates_nothing(project: Project) -> None:
    assert lock_holder(project) is None
    assert list(project.root.iterdir()) == []
    with holder(project) as other:
        found = lock_holder(project)
        assert found is not None
        assert (found.pid, found.command) == (str(other.pid), "argon build --force")


def test_a_damaged_name_of_the_holder_does_not_hide_that_there_is_one(project: Project) -> None:
    with holder(project):
        (project.root / ".argon" / "lock.json").write_text("{")
        found = lock_holder(project)
        assert found is not None
        assert found.pid == "?"


def test_nothing_names_a_holder_after_the_body_even_when_it_raises(project: Project) -> None:
    with pytest.raises(ZeroDivisionError), project_lock(project, "x"):
        raise ZeroDivisionError
    assert not (project.root / ".argon" / "lock.json").exists()
    assert lock_holder(project) is None


def test_two_threads_of_one_process_exclude_each_other(project: Project) -> None:
    with project_lock(project, "first"):
        seen: list[str] = []

        def try_it() -> None:
            try:
                with project_lock(project, "second", wait=0):
                    seen.append("entered")
            except ArgonError as error:
                seen.append(dict(error.args_)["name"])

        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join()
        assert seen == ["first"]


def test_a_place_where_no_lock_can_be_made_is_one_clear_refusal(project: Project) -> None:
    (project.root / ".argon").write_text("a file in the way")
    with pytest.raises(ArgonError) as refusal, project_lock(project, "x"):
        pass
    assert refusal.value.code == "ARGON_TARGET_UNWRITABLE"
    assert (project.root / ".argon").read_text() == "a file in the way"
