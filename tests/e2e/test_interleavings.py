"""An editor, an agent and a terminal on one project, in random order: nobody is stale, nothing is lost, nobody waits.

Each interleaving is a seeded sequence of editor edits, saves, agent builds, reads and writes, terminal builds and
writes, and kills of the agent's server or of its worker. After each step the agent's answers must be those of the saved
sources and of all writes that were acknowledged; at the end, no lock was waited for longer than a tenth of a second.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.lsp_client import Client as Editor
from tests.support.mcp_client import Client as Agent
from tests.support.served_packages import BROKEN, SMALL, package, save

LONGEST_WAIT_MS = 100
STEPS = 24


class World:
    """The project, who works on it, and what must be true of it."""

    def __init__(self, root: Path, chooser: random.Random) -> None:
        self.root, self.chooser = root, chooser
        self.source, self.extra = SMALL, 0
        self.names = ["Ann", "Bob"]
        self.version = 0
        self.agent = Agent(root)
        self.editor = Editor()
        self.editor.initialize(root)
        self.uri = (root / "root.ar").as_uri()
        self.editor.open(self.uri, self.source)
        self.unsaved = self.source

    def close(self) -> None:
        self.agent.__exit__()
        self.editor.__exit__()

    # -- steps ---------------------------------------------------------------------------------------------------------

    def edit(self) -> None:
        """The editor's buffer changes; nothing is saved, so nobody else may see it."""
        self.unsaved = self.chooser.choice([BROKEN, self.texts()])
        self.editor.change(self.uri, {"text": self.unsaved})
        self.editor.codes_until(self.uri, ["OE0101"] if self.unsaved == BROKEN else [])

    def save(self) -> None:
        self.source = self.unsaved
        save(self.root / "root.ar", self.source)
        self.editor.notify("textDocument/didSave", {"textDocument": {"uri": self.uri}})

    def texts(self) -> str:
        """A version of the sources that builds, with another module each time."""
        self.extra += 1
        return SMALL + f"pub query extra{self.extra}() -> liked;\n"

    def agent_builds(self) -> None:
        built = self.agent.call("argon_build")
        assert built["ok"] is self.sound
        if built["ok"]:
            assert self.agent.call("argon_status")["artifact"]["onDiskHash"] == built["moduleHash"]

    def agent_writes(self) -> None:
        name = self.fresh()
        receipt = self.agent.call("argon_mutate", name="arrive", args={"name": name})
        self.acknowledged(name, receipt.get("committed", False), receipt)

    def terminal_builds(self) -> None:
        assert self.terminal("build")["ok"] is self.sound

    def terminal_writes(self) -> None:
        name = self.fresh()
        answer = self.terminal("mutate", "arrive", name)
        self.acknowledged(name, "tx" in answer, answer)

    def both_write_at_once(self) -> None:
        mine, theirs = self.fresh(), self.fresh()
        number = self.agent.calling("argon_mutate", name="arrive", args={"name": mine})
        answer = self.terminal("mutate", "arrive", theirs)
        receipt = self.agent.answer(number)["result"]["structuredContent"]
        self.acknowledged(mine, receipt.get("committed", False), receipt)
        self.acknowledged(theirs, "tx" in answer, answer)

    def both_build_at_once(self) -> None:
        number = self.agent.calling("argon_build")
        assert self.terminal("build")["ok"] is self.sound
        assert self.agent.answer(number)["result"]["structuredContent"]["ok"] is self.sound

    def agent_is_killed(self) -> None:
        """In the middle of a write: it is whole or absent, and the next agent goes on."""
        name = self.fresh()
        self.agent.calling("argon_mutate", name="arrive", args={"name": name})
        self.agent.process.send_signal(signal.SIGKILL)
        self.agent.__exit__()
        self.agent = Agent(self.root)
        if name in self.seen():
            self.names.append(name)

    # -- what must be true ---------------------------------------------------------------------------------------------

    @property
    def sound(self) -> bool:
        return self.source != BROKEN

    def fresh(self) -> str:
        self.version += 1
        return f"n{self.version:03}"

    def acknowledged(self, name: str, committed: bool, answer: Any) -> None:
        assert committed is self.sound, answer
        if committed:
            self.names.append(name)

    def terminal(self, *words: str) -> Any:
        command = [sys.executable, "-m", "argon_lang", words[0], "--json", "--project", str(self.root), *words[1:]]
        return json.loads(subprocess.run(command, capture_output=True, check=False).stdout)

    def seen(self) -> list[str]:
        """The names in the store, whatever state the sources are in."""
        if not self.sound:
            self.unsaved = SMALL
            self.editor.change(self.uri, {"text": SMALL})
            self.save()
        return [row["values"][0] for row in self.agent.call("argon_query", name="everyone")["rows"]]

    def check(self) -> None:
        """Nobody is stale."""
        answer = self.agent.call("argon_query", name="everyone")
        if not self.sound:
            assert answer["error"]["code"] == "DIRTY_WORKSPACE"
            return
        assert [row["values"][0] for row in answer["rows"]] == sorted(self.names)
        assert answer["staleArtifact"] is False
        assert answer["inputsDigest"] == self.agent.call("argon_check")["inputsDigest"]


STEP_NAMES = (
    "edit",
    "save",
    "agent_builds",
    "agent_writes",
    "terminal_builds",
    "terminal_writes",
    "both_write_at_once",
    "both_build_at_once",
    "agent_is_killed",
)
WEIGHTS = (6, 6, 4, 5, 2, 2, 2, 2, 1)


@pytest.fixture
def trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[dict[str, Any]]]:
    """The waits of all processes."""
    path = tmp_path / "trace.jsonl"
    monkeypatch.setenv("ARGON_LOCK_TRACE", str(path))
    return lambda: [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def interleave(root: Path, seed: int) -> None:
    chooser = random.Random(seed)
    world = World(root, chooser)
    try:
        for name in chooser.choices(STEP_NAMES, WEIGHTS, k=STEPS):
            getattr(world, name)()
            world.check()
    finally:
        world.close()


def quick(waits: list[dict[str, Any]]) -> None:
    assert {each["lock"] for each in waits} >= {"project", "session", "program", "store"}
    assert [each for each in waits if each["waitedMs"] > LONGEST_WAIT_MS] == []


@pytest.mark.parametrize("seed", range(2))
def test_some_interleavings(seed: int, tmp_path: Path, trace: Callable[[], list[dict[str, Any]]]) -> None:
    interleave(package(tmp_path), seed)
    assert len({each["pid"] for each in trace()} - {os.getpid()}) > 1


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 102))
def test_a_hundred_interleavings_with_no_long_wait(
    seed: int, tmp_path: Path, trace: Callable[[], list[dict[str, Any]]]
) -> None:
    interleave(package(tmp_path), seed)
    quick(trace())
