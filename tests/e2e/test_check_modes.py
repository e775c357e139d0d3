"""`argon check` as others than a reader at a prompt use it: watching, explaining, answering an agent's hook."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from pathlib import Path
from queue import Queue

import pytest

from tests.support.cli import COMMAND, PATIENCE, argon, copy, environment

WRONG = "struct A { b: B }\n"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A small package in a folder of its own."""
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "ox.toml").write_text('[package]\nname = "p"\n')
    (folder / "root.ar").write_text("struct A { n: Int }\n")
    return folder


class Watched:
    """`argon check --watch` at work; `until` reads its output up to a line."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "check", "--watch", "--codes"], cwd=folder, env=environment({"PYTHONUNBUFFERED": "1"}),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip
        self.lines: Queue[str] = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip())

    def until_idle(self) -> list[str]:
        """What is printed before it waits again."""
        found: list[str] = []
        while not found or "watching" not in found[-1]:
            found.append(self.lines.get(timeout=PATIENCE))
        return found[:-1]


def test_a_watched_package_is_checked_again_after_each_change_and_ctrl_c_ends_it(package: Path) -> None:
    watched = Watched(package)
    try:
        assert watched.until_idle() == []
        (package / "root.ar").write_text(WRONG)
        assert watched.until_idle() == ["root.ar:1:15: error OE0101"]
        (package / "ox.toml").write_text('[package]\nname = "p"\nnam = 1\n')
        assert watched.until_idle() == ["ox.toml:3:1: error OE1241", "root.ar:1:15: error OE0101"]
        (package / "ox.toml").write_text('[package]\nname = "p"\n')
        (package / "root.ar").write_text("struct A { n: Int }\n")
        while watched.until_idle():
            pass
        watched.process.send_signal(signal.SIGINT)
        assert watched.process.wait(PATIENCE) == 130
    finally:
        watched.process.kill()
        _, errors = watched.process.communicate()
    assert errors == ""


def test_explain_adds_the_page_of_each_code_once(package: Path) -> None:
    (package / "root.ar").write_text(WRONG + "struct C { d: D }\n")
    done = argon("check", "--explain", cwd=package)
    assert done.status == 1
    page = argon("explain", "OE0101").out
    assert done.out.count(page.rstrip()) == 1
    assert argon("check", cwd=package).out.count(page.rstrip()) == 0


@pytest.mark.parametrize("mode", ["--watch", "--explain", "--hook"])
def test_one_json_answer_goes_with_no_mode_for_others(package: Path, mode: str) -> None:
    assert argon("check", "--json", mode, cwd=package).status == 2


def hook(call: object, cwd: Path) -> tuple[int, str]:
    """Status and standard error of `argon check --hook` for what a hook sends."""
    done = subprocess.run(
        [*COMMAND, "check", "--hook"], cwd=cwd, env=environment(), capture_output=True, encoding="utf-8",
        input=call if isinstance(call, str) else json.dumps(call), timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.stdout == ""
    return done.returncode, done.stderr


def edited(path: Path | str, **more: object) -> dict[str, object]:
    """What Claude Code sends after a tool edited a file."""
    return {"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": {"file_path": str(path)}, **more}


def test_a_hook_hands_the_errors_of_the_edited_package_to_the_agent(package: Path, tmp_path: Path) -> None:
    assert hook(edited(package / "root.ar"), tmp_path) == (0, "")
    (package / "root.ar").write_text(WRONG)
    status, said = hook(edited(package / "root.ar"), tmp_path)
    assert status == 2
    assert said.splitlines()[0].startswith("root.ar:1:15: OE0101 ")
    assert said.splitlines()[-1] == "argon check finds 1 error; `argon explain CODE` says more"
    assert hook(edited("p/root.ar", cwd=str(tmp_path)), tmp_path)[0] == 2


def test_a_hook_that_wants_to_stop_is_told_once(package: Path) -> None:
    (package / "root.ar").write_text(WRONG)
    stop = {"hook_event_name": "Stop", "cwd": str(package), "stop_hook_active": False}
    assert hook(stop, package)[0] == 2
    assert hook({**stop, "stop_hook_active": True}, package) == (0, "")


def test_a_hook_about_something_else_is_let_pass(package: Path, tmp_path: Path) -> None:
    (package / "root.ar").write_text(WRONG)
    assert hook(edited(package / "notes.md"), package) == (0, "")
    assert hook({"hook_event_name": "Stop", "cwd": str(tmp_path)}, tmp_path) == (0, "")
    assert hook(edited(tmp_path / "gone" / "x.ar"), package) == (0, "")


def test_many_errors_are_told_in_part_with_their_number(package: Path) -> None:
    (package / "root.ar").write_text("".join(f"struct A{n} {{ b: B{n} }}\n" for n in range(30)))
    _, said = hook(edited(package / "root.ar"), package)
    assert [line for line in said.splitlines() if line.startswith("… and")] == ["… and 10 more"]


@pytest.mark.parametrize("text", ["", "no json", "[]", '{"tool_input": 3}'])
def test_what_is_no_call_of_a_hook_never_blocks_the_agent(package: Path, text: str) -> None:
    status, said = hook(text, package)
    assert status in (0, 1)
    assert "Traceback" not in said


def test_warnings_do_not_hold_an_agent_up(tmp_path: Path) -> None:
    folder = copy("lease", tmp_path / "lease")
    (folder / "lost.ar").write_text("struct X { n: Int }\n")
    assert hook(edited(folder / "lost.ar"), folder) == (0, "")
