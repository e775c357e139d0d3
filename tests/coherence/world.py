"""One project with everybody on it, and what every answer about it is held against.

An answer is held against the window of its question: the states of the sources that were on disk between question and
answer, and the generations between the last write acknowledged before the question and the last one on record after the
answer. Alone, an answer has one state and one generation that fit it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from argon_lang.artifact.decode import decode
from argon_lang.session.stamps import read_stamp
from tests.coherence.ledger import Ledger, Write
from tests.coherence.sources import State, judged
from tests.coherence.surfaces import Agent, Editor, Terminal
from tests.support.served_packages import lease, save

Json = Any
Step = Callable[["World"], Iterator[None]]
PINNED = "2100-01-01"
"""The valid time of every read: later than whatever is written here."""
PACE = 0.8
"""Seconds within which a command is killed, when not by its lock."""
NO_STORE = "00000000-0000-0000-0000-000000000000"


@dataclass(frozen=True, slots=True)
class Window:
    """When a question was asked: the index of the state on disk, and the last generation that was acknowledged."""

    state: int
    generation: int


class World:
    """The project, its surfaces, and its history."""

    def __init__(self, folder: Path, dice: random.Random) -> None:
        self.root = lease(folder)
        self.trace = folder / "locks.jsonl"
        self.dice = dice
        self.history = [State()]
        self.ledger = Ledger(self.root / ".argon" / "store.sqlite3")
        self.agent, self.editor = Agent(self.root, dice), Editor(self.root)
        self.lost = False
        self._store_id = NO_STORE

    @property
    def saved(self) -> State:
        """The sources on disk."""
        return self.history[-1]

    def save(self, file: str, version: str) -> None:
        """Put a version of a file on disk, at once and whole."""
        state = self.saved.having(file, version)
        judged(state)
        save(self.root / file, state.text(file))
        self.history.append(state)

    def terminal(self, *words: str) -> Terminal:
        """Begin a command."""
        return Terminal(self.root, self.trace, *words)

    def kill(self, command: Terminal) -> None:
        """Kill a command at a random instant: of its life, or of the time around its first lock."""
        if self.dice.random() < 0.5:
            command.kill_after(self.dice.random() * PACE)
        else:
            command.kill_under_lock(self.dice.random() * 0.04)

    def round(self, steps: list[Step]) -> None:
        """Let everybody begin, in the given order, and end in another one; then all is quiet and right."""
        self.lost = self.editor.lost = False
        running = [step(self) for step in steps]
        for each in running:
            next(each)
        self.dice.shuffle(running)
        for each in running:
            for _ in each:
                raise AssertionError("a step has two parts")
        self.settle()

    # -- what an answer may rest on ------------------------------------------------------------------------------------

    def asking(self) -> Window:
        """The window that opens with a question now."""
        return Window(len(self.history) - 1, self.ledger.acknowledged)

    def states(self, window: Window) -> set[State]:
        """What was on disk since."""
        return set(self.history[window.state :])

    def resting(self, window: Window, answer: Json) -> list[tuple[State, int]]:
        """The states and the generation that an answer may rest on; fails when there are none."""
        states = [each for each in self.states(window) if _names(judged(each), answer)]
        assert states, f"stale: the answer rests on what was not on disk: {answer}"
        newest = len(self.ledger.log())
        assert window.generation <= answer["generation"] <= newest, f"stale: of another generation: {answer}"
        self._of_our_store(answer)
        assert not answer.get("staleArtifact"), answer
        return [(each, answer["generation"]) for each in states]

    def _of_our_store(self, answer: Json) -> None:
        if answer["generation"] > 0 and self._store_id == NO_STORE:
            self._store_id = answer["storeId"]
        allowed = {self._store_id} if answer["generation"] > 0 else {NO_STORE, answer["storeId"]}
        assert answer["storeId"] in allowed, answer

    def refused_as_dirty(self, window: Window, answer: Json) -> bool:
        """Refused since the sources do not build? Then one of the states in the window has these codes."""
        error = answer.get("error")
        if error is None or error["code"] != "DIRTY_WORKSPACE":
            return False
        codes = set(error["details"]["diagnosticCodes"])
        assert any(judged(each).codes == codes for each in self.states(window)), answer
        return True

    def take_rows(self, window: Window, answer: Json | None) -> None:
        """Hold the answer to `late_payers` against sources and writes; None is no answer."""
        if answer is None or self.refused_as_dirty(window, answer):
            return
        found = {row[0]["label"] for row in _values(answer)}
        wanted = [self.ledger.debtors(*each) for each in self.resting(window, answer)]
        assert found in wanted, f"stale: {found}, where {wanted} would be right"

    def take_report(self, window: Window, report: Json | None, over: State | None = None) -> None:
        """Hold the answer to a check against a check anew; `over` when unsaved texts were sent along."""
        if report is None:
            return
        plain = [{key: value for key, value in each.items() if key != "sourceLine"} for each in report["diagnostics"]]
        states = self.states(window) if over is None else {over}
        assert (report["inputsDigest"], plain) in [_checked(each) for each in states], f"stale: {report}"

    def take_build(self, window: Window, report: Json | None) -> None:
        """Hold the answer to a build against one anew."""
        if report is None:
            return
        found = (report["inputsDigest"], report.get("moduleHash"), report["ok"])
        wanted = [judged(each) for each in self.states(window)]
        assert found in [(each.inputs_digest, each.module_hash, each.module_hash is not None) for each in wanted], (
            report
        )

    def take_receipt(self, window: Window, write: Write, answer: Json | None) -> None:
        """Note what came of a write. Without an answer it stays in doubt."""
        if answer is None:
            return
        if answer.get("error", {}).get("code") == "MCP-INTERNAL":
            assert self.lost, answer
            return
        if "error" in answer:
            assert self.refused_as_dirty(window, answer), answer
            self.ledger.refused.add(write.key)
            return
        self.ledger.acknowledge(write, answer)
        if not answer["replayed"]:
            self.resting(window, answer)

    # -- when everybody is done ----------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Between rounds nothing is under way: everything agrees with the disk exactly."""
        self._resolve_doubts()
        before = len(self.ledger.log())
        self._artifact_is_whole()
        self.editor.settle(self.saved)
        status, here = self.agent.call("argon_status"), judged(self.saved)
        # Between the two looks at the log only what was cancelled may still have been done.
        assert before <= status["generation"] <= len(self.ledger.log()), status
        assert status["inputsDigest"] == here.inputs_digest, status
        assert status["sourceDirty"] == (self._stamp() != (here.inputs_digest, here.module_hash)), status
        assert status.get("lockHolder") is None, status

    def _resolve_doubts(self) -> None:
        """Repeat each write that was never answered, under its key: it is there once, however often it was tried."""
        if judged(self.saved).module_hash is None:
            return
        for write in self.ledger.in_doubt:
            there = {each.key for each in self.ledger.log()}
            window = self.asking()
            if self.dice.random() < 0.8:
                answer = self.agent.call(
                    "argon_mutate", name=write.name, args=dict(write.args), idempotencyKey=write.key
                )
            else:
                answer = self.terminal("mutate", *write.words).answer()
            assert answer["replayed"] or write.key not in there, answer
            self.take_receipt(window, write, answer)

    def _stamp(self) -> tuple[str, str] | None:
        try:
            found = read_stamp((self.root / "target" / "root.oxbin").read_bytes())
        except FileNotFoundError:
            return None
        return found.inputs_digest, found.module_hash

    def _artifact_is_whole(self) -> None:
        """What is under the artifact's name is a whole artifact of sources that once were on disk."""
        stamp = self._stamp()
        if stamp is not None:
            decode((self.root / "target" / "root.oxbin").read_bytes())
            known = [judged(each) for each in set(self.history)]
            assert stamp in [(each.inputs_digest, each.module_hash) for each in known], "an artifact of no sources"

    def finish(self) -> None:
        """Mend the sources, build, and ask everybody the same: all agree, to the last number."""
        for file in ("root.ar", "world.ar", "parties.ar"):
            self.save(file, "plain")
        for file in self.editor.OPEN:
            self.editor.edit(file, "plain")
            self.editor.saved(file)
        window, built = self.asking(), self.agent.call("argon_build", force=True)
        self.take_build(window, built)
        assert self._leftovers() == [], "somebody was killed, and what it left was not cleared by the next"
        self.settle()
        assert self.ledger.in_doubt == []
        said = self.terminal("query", "late_payers", "--as-of", PINNED).answer()
        told = self.agent.call("argon_query", name="late_payers", args={}, asOf=PINNED)
        for answer in (said, told):
            self.take_rows(self.asking(), answer)
        one, other = ([each["moduleHash"], each["storeId"], _values(each)] for each in (said, told))
        assert one == other, f"the command line and the agent differ: {one}, {other}"
        assert (told["moduleHash"], told["needsBuild"]) == (built["moduleHash"], False)

    def _leftovers(self) -> list[str]:
        """Half-written files of whoever was killed."""
        return [path.name for folder in (".argon", "target") for path in (self.root / folder).glob("*.tmp")]

    def waits(self) -> list[Json]:
        """Every acquisition of a lock so far, by every process: `{"lock", "waitedMs", "pid"}`."""
        lines = self.trace.read_text("utf-8").splitlines() if self.trace.exists() else []
        return [json.loads(line) for line in lines]

    def leave(self) -> None:
        """Everybody leaves."""
        self.agent.leave()
        self.editor.leave()


def _values(answer: Json) -> list[Json]:
    return [row["values"] for row in answer["rows"]]


def _names(here: Any, answer: Json) -> bool:
    """Does an answer name this state? The command line names the module alone."""
    digest = answer.get("inputsDigest", here.inputs_digest)
    return here.module_hash is not None and (digest, answer["moduleHash"]) == (here.inputs_digest, here.module_hash)


def _checked(state: State) -> tuple[str, list[Json]]:
    here = judged(state)
    return here.inputs_digest, list(here.diagnostics)


@contextmanager
def world(folder: Path, dice: random.Random) -> Iterator[World]:
    """A project with everybody on it, who are gone afterwards."""
    found = World(folder, dice)
    try:
        yield found
        found.leave()
    finally:
        found.agent.kill(0.0)
        found.editor.kill()
