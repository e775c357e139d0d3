"""The worker process: it answers, it can be cancelled, and it never outlives whoever started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from argon_lang.session.client import GRACE_SECONDS, Ticket, WorkerClient, WorkerGone
from argon_lang.session.frames import Message
from argon_lang.session.lanes import LANES
from argon_lang.session.settings import Settings
from tests.support.served_packages import SMALL, endless, package, save

PATIENCE = 30.0


class Served:
    """A client with what it was told."""

    def __init__(self, root: Path, grace: float = GRACE_SECONDS) -> None:
        self.events: list[Message] = []
        self.event = threading.Event()
        self.client = WorkerClient("project", lambda: [Settings(project=str(root)).wire()], self._told, grace=grace)

    def _told(self, message: Message) -> None:
        self.events.append(message)
        self.event.set()

    def start(self, question: str, **given: Any) -> Ticket:
        return self.client.ask(question, given)

    def ask(self, question: str, **given: Any) -> Message:
        return self.start(question, **given).future.result(PATIENCE)

    def reasoning(self, question: str, **given: Any) -> Ticket:
        """A question that is being reasoned about."""
        reached = threading.Event()
        ticket = self.client.ask(question, given, lambda stage: reached.set() if stage == "reasoning" else None)
        assert reached.wait(PATIENCE)
        return ticket


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Served]:
    served = Served(package(tmp_path))
    yield served
    served.client.close()


@pytest.fixture
def grace() -> float:
    return GRACE_SECONDS


@pytest.fixture
def busy(tmp_path: Path, grace: float) -> Iterator[Served]:
    served = Served(endless(tmp_path), grace)
    yield served
    served.client.close()


def test_answers_carry_what_they_rest_on(small: Served, tmp_path: Path) -> None:
    answer = small.ask("query", name="everyone", args={})["answer"]
    assert [row["values"] for row in answer["rows"]] == [["Ann"], ["Bob"]]
    assert (answer["staleArtifact"], answer["needsBuild"]) == (False, True)
    assert small.events == [{"event": "reloaded", "moduleHash": answer["moduleHash"]}]
    assert small.ask("status")["answer"]["artifact"]["loadedHash"] == answer["moduleHash"]


def test_a_refusal_is_an_answer_and_so_is_a_question_that_is_none(small: Served) -> None:
    assert small.ask("query", name="nobody", args={})["error"]["code"] == "ARGON_RUNTIME_NOT_FOUND"
    assert small.ask("nonsense")["error"]["code"] == "ARGON_RUNTIME_INTERNAL"
    assert small.ask("query", name="everyone", args={})["answer"]["rowCount"] == 2


def test_a_cancelled_question_stops_reasoning_and_others_are_answered_meanwhile(busy: Served) -> None:
    long = busy.reasoning("query", name="hits", args={})
    assert busy.ask("check", filePaths=[], overlay=[], mode="full")["answer"]["summary"]["errors"] == 0
    pid = busy.client.pid
    busy.client.cancel(long)
    assert long.future.result(PATIENCE)["error"]["code"] == "ARGON_RUNTIME_CANCELLED"
    assert busy.client.pid == pid


def test_a_worker_that_was_killed_fails_who_waits_and_the_next_question_starts_another(busy: Served) -> None:
    long = busy.reasoning("query", name="hits", args={})
    first = busy.client.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    with pytest.raises(WorkerGone):
        long.future.result(PATIENCE)
    assert busy.ask("status")["answer"]["project"]["package"] == "small"
    assert busy.client.pid != first


@pytest.mark.parametrize("grace", [0.05])
def test_a_worker_that_does_not_listen_is_replaced_when_nobody_waits_for_anything_else(busy: Served) -> None:
    long = busy.reasoning("query", name="hits", args={})
    first = busy.client.pid
    assert first is not None
    os.kill(first, signal.SIGSTOP)
    busy.client.cancel(long)
    with pytest.raises(WorkerGone):
        long.future.result(PATIENCE)
    assert "answer" in busy.ask("status")
    assert busy.client.pid != first


def test_questions_that_are_given_up_in_a_flood_cost_one_clock(busy: Served) -> None:
    long = [busy.reasoning("query", name="hits", args={})]
    long += [busy.start("query", name="hits", args={}) for _ in range(200)]
    assert busy.client.pid is not None
    os.kill(busy.client.pid, signal.SIGSTOP)
    for each in long:
        busy.client.cancel(each)
    assert len([each for each in threading.enumerate() if isinstance(each, threading.Timer)]) == 1
    os.kill(busy.client.pid, signal.SIGCONT)
    for each in long:
        assert each.future.result(PATIENCE)["error"]["code"] == "ARGON_RUNTIME_CANCELLED"


def test_questions_about_the_sources_never_wait_for_evaluations(busy: Served) -> None:
    for _ in range(LANES["runtime"]):
        busy.reasoning("query", name="hits", args={})
    waiting = busy.start("query", name="hits", args={})
    assert busy.ask("check", filePaths=[], overlay=[], mode="full")["answer"]["summary"]["errors"] == 0
    assert busy.ask("build", force=False)["answer"]["ok"]
    assert not waiting.future.done()
    busy.client.cancel(waiting)


def test_the_worker_ends_when_the_pipe_does_in_the_middle_of_reasoning(tmp_path: Path) -> None:
    root = endless(tmp_path)
    code = (
        "import sys, os, threading\n"
        "from argon_lang.session.client import WorkerClient\n"
        "from argon_lang.session.settings import Settings\n"
        "client = WorkerClient('project', lambda: [Settings(project=sys.argv[1]).wire()])\n"
        "reached = threading.Event()\n"
        "client.ask('query', {'name': 'hits', 'args': {}}, lambda s: reached.set() if s == 'reasoning' else None)\n"
        "reached.wait(30)\n"
        "print(client.pid, flush=True)\n"
        "sys.stdin.read()\n"
        "os._exit(0)\n"
    )
    server = subprocess.Popen(
        [sys.executable, "-c", code, str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stderr is not None
    assert int(server.stdout.readline()) > 0
    os.kill(server.pid, signal.SIGKILL)
    server.wait(PATIENCE)
    # The worker inherited standard error: its end is the end of the worker.
    assert b"Traceback" not in server.stderr.read()
    for stream in (server.stdin, server.stdout, server.stderr):
        stream.close()


def test_what_another_process_builds_is_noticed_and_told(small: Served, tmp_path: Path) -> None:
    first = small.ask("query", name="everyone", args={})["answer"]["moduleHash"]
    small.event.clear()
    save(tmp_path / "small" / "root.ar", SMALL + 'fact Person(cid) { name: "Cid" };\n')
    subprocess.run(
        [sys.executable, "-m", "argon_lang", "build", "--project", str(tmp_path / "small")],
        check=True,
        capture_output=True,
    )
    assert small.event.wait(PATIENCE)
    assert small.events[-1]["moduleHash"] != first


def test_a_read_leaves_the_folder_as_it_was(small: Served, tmp_path: Path) -> None:
    small.ask("query", name="everyone", args={})
    small.ask("explain", fact="liked(bob)", maxDepth=3, maxAlternatives=3)
    assert sorted(each.name for each in (tmp_path / "small").iterdir()) == ["ox.toml", "root.ar"]
