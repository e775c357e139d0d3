"""The worker process: reasons for a server, so that the server's own loop never waits (`python -m argon_lang.session`).

The main thread reads; requests run on daemon threads, so several are under way at once and a cancellation is read while
they are. When the pipe to the server ends, for whatever reason, the process ends at once, in mid-reasoning too: a write
that is being committed is whole or absent by the store's own promise.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
from queue import SimpleQueue

from argon_lang import logs
from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.session import questions
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.frames import FrameReader, FrameWriter, Message
from argon_lang.session.refusals import error_body
from argon_lang.session.serving import Session
from argon_lang.session.settings import Settings
from argon_lang.session.watch import Watcher

LANES = {"program": 2, "runtime": 4}
"""Threads by what they work on: questions about the sources never wait for a long evaluation, nor the other way."""

PROGRAM = frozenset({"status", "check", "build"})
"""The questions about the sources."""

log = logging.getLogger("argon.worker")


class Worker:
    """Answers requests of one server: `{"id", "question", "given"}`, cancelled by `{"cancel": id}`.

    Sends `{"id", "answer"}` or `{"id", "error"}`, before them `{"id", "stage"}`; and `{"event": "reloaded"}`.
    """

    def __init__(self, settings: Settings, out: FrameWriter) -> None:
        self._out = out
        self._session = Session(settings, lambda found: self._send({"event": "reloaded", "moduleHash": found}))
        self._jobs: dict[str, SimpleQueue[Message]] = {lane: SimpleQueue() for lane in LANES}
        self._cancellations: dict[int, Cancellation] = {}
        for lane, count in LANES.items():
            for number in range(count):
                name = f"argon-{lane}-{number}"
                threading.Thread(target=self._work, args=(self._jobs[lane],), name=name, daemon=True).start()
        if settings.watch:
            Watcher(self._session.folder, self._session.glance)

    def receive(self, message: Message) -> None:
        """Take a request or a cancellation from the server."""
        if "cancel" in message:
            found = self._cancellations.get(message["cancel"])
            if found is not None:
                found.cancel()
            return
        self._cancellations[message["id"]] = Cancellation()
        self._jobs["program" if message["question"] in PROGRAM else "runtime"].put(message)

    def _send(self, message: Message) -> None:
        self._out.write(message)

    def _work(self, jobs: SimpleQueue[Message]) -> None:
        while True:
            message = jobs.get()
            number = message["id"]
            cancellation = self._cancellations[number]
            try:
                self._send({"id": number} | self._answered(message, cancellation))
            finally:
                self._cancellations.pop(number, None)

    def _answered(self, message: Message, cancellation: Cancellation) -> Message:
        number = message["id"]
        request = questions.Request(
            self._session,
            message["given"],
            cancellation,
            lambda stage: self._send({"id": number, "stage": stage}),
        )
        try:
            cancellation.check()
            return {"answer": questions.answer(message["question"], request)}
        except ArgonError as error:
            return {"error": error_body(error)}
        except Exception as error:
            log.error("fault while answering %s", message["question"], exc_info=error)
            found = f"{type(error).__name__}: {error}"
            return {"error": error_body(ArgonError("ARGON_RUNTIME_INTERNAL", args(found=found)))}


def main() -> None:
    """Serve the process that holds the other ends of standard input and output, until it goes."""
    logs.configure()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    reading, writing = _private_stdio()
    frames, out = FrameReader(reading), FrameWriter(writing)
    first = frames.read()
    if first is not None:
        worker = Worker(Settings.of(first), out)
        while (message := frames.read()) is not None:
            worker.receive(message)
    # Not by returning: the interpreter would first take down everything that is still being computed.
    signal.raise_signal(signal.SIGTERM)


def _private_stdio() -> tuple[int, int]:
    """Descriptors of the pipes; what is printed by mistake goes to standard error."""
    reading, writing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return reading, writing
