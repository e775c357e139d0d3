"""The worker process: reasons for a server, so that the server's own loop never waits (`python -m argon_lang.session`).

The main thread reads; the service has threads of its own, so a cancellation is read while they reason. When the pipe to
the server ends, for whatever reason, the process ends at once, in mid-reasoning too: a write that is being committed is
whole or absent by the store's own promise.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any, Protocol

from argon_lang import logs
from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.queries.database import Cancelled
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.frames import FrameReader, FrameWriter, Message
from argon_lang.session.pipes import private_stdio
from argon_lang.session.refusals import error_body

Json = Any
log = logging.getLogger("argon.worker")


@dataclass(eq=False)
class Call:
    """One question under way. `stage` tells whoever waits what is being done."""

    given: Mapping[str, Json]
    stage: Callable[[str], None] = lambda _: None
    cancellation: Cancellation = field(default_factory=Cancellation)
    _guard: Lock = field(default_factory=Lock)
    _state: str = "waiting"

    def begin(self) -> bool:
        """May the work begin, or go on after it was interrupted? Not when the request was withdrawn."""
        with self._guard:
            if self._state == "waiting":
                self._state = "begun"
            return self._state == "begun"

    def withdraw(self) -> bool:
        """Cancel it; whether its work has not begun, and never will."""
        self.cancellation.cancel()
        with self._guard:
            if self._state == "waiting":
                self._state = "withdrawn"
                return True
            return False


class Service(Protocol):
    """What a worker process serves: one project, or one editor."""

    def begin(self, question: str, job: Callable[[], None]) -> None:
        """Do the job of answering a question, on a thread of the service's own."""
        ...

    def answer(self, name: str, call: Call) -> Json:
        """Answer a question; called by the job. Raises ArgonError, and Cancelled when the job is to be done again."""
        ...

    def tell(self, name: str, given: Mapping[str, Json]) -> None:
        """Take news in."""
        ...


class Worker:
    """Answers `{"id", "question", "given"}`, cancelled by `{"cancel": id}`, and takes `{"tell", "given"}` in.

    Sends `{"id", "answer"}` or `{"id", "error"}`, before them `{"id", "stage"}`; and `{"event"}` of the service's own.
    """

    def __init__(self, service: Service, send: Callable[[Message], None]) -> None:
        self._service = service
        self._send = send
        self._calls: dict[int, Call] = {}

    def receive(self, message: Message) -> None:
        """Take a message from the server."""
        if "cancel" in message:
            self._cancel(message["cancel"])
        elif "tell" in message:
            self._service.tell(message["tell"], message["given"])
        else:
            number, question = message["id"], message["question"]
            call = Call(message["given"], lambda stage: self._send({"id": number, "stage": stage}))
            self._calls[number] = call
            self._service.begin(question, partial(self._work, number, question, call))

    def _cancel(self, number: int) -> None:
        """Cancel a request; one that waits is answered at once, for it may have to wait long."""
        call = self._calls.get(number)
        if call is not None and call.withdraw():
            self._finish(number, {"error": error_body(ArgonError("ARGON_RUNTIME_CANCELLED", retryable=True))})

    def _work(self, number: int, question: str, call: Call) -> None:
        if call.begin():
            self._finish(number, self._answered(question, call))

    def _finish(self, number: int, answer: Message) -> None:
        self._calls.pop(number, None)
        self._send({"id": number} | answer)

    def _answered(self, question: str, call: Call) -> Message:
        try:
            call.cancellation.check()
            return {"answer": self._service.answer(question, call)}
        except ArgonError as error:
            return {"error": error_body(error)}
        except Cancelled:
            raise
        except Exception as error:
            log.error("fault while answering %s", question, exc_info=error)
            found = f"{type(error).__name__}: {error}"
            return {"error": error_body(ArgonError("ARGON_RUNTIME_INTERNAL", args(found=found)))}


def main(service: Callable[[Message, Callable[[Message], None]], Service]) -> None:
    """Serve the process that holds the other ends of standard input and output, until it goes.

    Its first message is the settings of the service.
    """
    logs.configure()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    reading, writing = private_stdio()
    frames, out = FrameReader(reading), FrameWriter(writing)
    first = frames.read()
    if first is not None:

        def send(message: Message) -> None:
            out.write(message)

        worker = Worker(service(first, send), send)
        while (message := frames.read()) is not None:
            worker.receive(message)
    # Not by returning: the interpreter would first take down everything that is still being computed.
    signal.raise_signal(signal.SIGTERM)
