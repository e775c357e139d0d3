"""One project being served to an agent: its questions on threads by what they work on.

Questions about the sources never wait for a long evaluation, nor the other way.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from typing import Any

from argon_lang.session import questions, source_questions
from argon_lang.session.frames import Message
from argon_lang.session.live import Writes
from argon_lang.session.serving import Session
from argon_lang.session.settings import Settings
from argon_lang.session.turns import Job
from argon_lang.session.watch import Watcher
from argon_lang.session.worker import Call

LANES = {"program": 2, "runtime": 4}
"""Threads by what they work on."""

PROGRAM = frozenset({"status", "check", "build", *source_questions.QUESTIONS})
"""The questions about the sources."""


class Lanes:
    """Serves one project for as long as the process lives; tells `{"event": "reloaded", "moduleHash"}`, and if it is to
    `{"event": "written", "generation"}`."""

    def __init__(self, settings: Settings, send: Callable[[Message], None]) -> None:
        self._session = Session(settings, lambda found: send({"event": "reloaded", "moduleHash": found}))
        self._jobs: dict[str, SimpleQueue[Job]] = {lane: SimpleQueue() for lane in LANES}
        for lane, count in LANES.items():
            for number in range(count):
                name = f"argon-{lane}-{number}"
                threading.Thread(target=_work, args=(self._jobs[lane],), name=name, daemon=True).start()
        if settings.watch:
            Watcher(self._session.folder, self._session.glance)
        if settings.tells_writes:
            Writes(self._session, lambda found: send({"event": "written", "generation": found}))

    def begin(self, question: str, job: Job) -> None:
        """Do the job of answering a question."""
        self._jobs["program" if question in PROGRAM else "runtime"].put(job)

    def answer(self, name: str, call: Call) -> Any:
        """Answer a question of `questions`. Raises ArgonError, and KeyError for a name that is no question."""
        return questions.answer(name, questions.Request(self._session, call.given, call.cancellation, call.stage))

    def tell(self, name: str, given: Mapping[str, Any]) -> None:
        """Nothing can be told: every answer looks at the disk. Raises KeyError."""
        raise KeyError(name)


def _work(jobs: SimpleQueue[Job]) -> None:
    while True:
        jobs.get()()


def serve(settings: Message, send: Callable[[Message], None]) -> Lanes:
    """The project that the settings name."""
    return Lanes(Settings.of(settings), send)
