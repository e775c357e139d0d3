"""The server's end of the worker process: asks it, cancels, starts it again when it has gone.

Nothing here waits: a question gives a future. The process is started by the first question (or `start`), and when it
ends in the middle of something, whoever waits gets an error that may be retried.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import argon_lang
from argon_lang.session.frames import FrameReader, FrameWriter, Message

Stage = Callable[[str], None]
GRACE_SECONDS = 2.0
"""How long, if nothing else is said, a cancelled question may go on before the process is killed."""

log = logging.getLogger("argon.session")


class WorkerGone(Exception):
    """The worker process ended before it answered."""


@dataclass(eq=False)
class Ticket:
    """A question under way. `future` gives `{"answer"}` or `{"error"}`, or raises WorkerGone.

    `process` is the one that was asked. Whoever waits may cancel the future itself, which stops nothing yet.
    """

    number: int
    told: Stage
    future: Future[Message] = field(default_factory=Future)
    abandoned: bool = False
    process: _Process | None = None


@dataclass(frozen=True)
class _Told:
    """Whom a process tells what nobody asked for."""

    event: Callable[[Message], None]
    gone: Callable[[WorkerGone], None]


class _Process:
    """One worker process, and the questions that it has not answered."""

    def __init__(self, service: str, first: Iterable[Message], told: _Told, grace: float) -> None:
        home = str(Path(argon_lang.__file__).parents[1])
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([home, os.environ.get("PYTHONPATH", "")]).rstrip(":;"),
        }
        # -P: the folder that the server was started in may hold a `json.py` of its own.
        self._popen = subprocess.Popen(
            [sys.executable, "-P", "-m", "argon_lang.session", service],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        self._told = told
        self._grace = grace
        self._guard = threading.Lock()
        self._waiting: dict[int, Ticket] = {}
        self._watching = False
        self._outgoing: SimpleQueue[Message | None] = SimpleQueue()
        self.ended = False
        for message in first:
            self._outgoing.put(message)
        for target in (self._read, self._write):
            threading.Thread(target=target, name=f"argon-worker-{target.__name__}", daemon=True).start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._popen.pid

    def ask(self, ticket: Ticket, question: str, given: Message) -> bool:
        """Send a question; False when the process has gone."""
        with self._guard:
            if self.ended:
                return False
            self._waiting[ticket.number] = ticket
        self._outgoing.put({"id": ticket.number, "question": question, "given": given})
        return True

    def tell(self, name: str, given: Message) -> None:
        """Send news."""
        self._outgoing.put({"tell": name, "given": given})

    def cancel(self, ticket: Ticket) -> None:
        """Tell the process that nobody waits for this any more; kill it when it does not listen."""
        ticket.abandoned = True
        self._outgoing.put({"cancel": ticket.number})
        with self._guard:
            self._watch()

    def _watch(self) -> None:
        """See after the grace whether the process listened: one question at a time, for clients give them up in floods.

        Under the guard.
        """
        ticket = next((each for each in self._waiting.values() if each.abandoned), None)
        if not self._watching and ticket is not None:
            self._watching = True
            timer = threading.Timer(self._grace, self._kill_if_useless, [ticket])
            timer.daemon = True
            timer.start()

    def _kill_if_useless(self, ticket: Ticket) -> None:
        with self._guard:
            deaf = ticket.number in self._waiting and all(each.abandoned for each in self._waiting.values())
            self._watching = False
            self._watch()
        if deaf:
            log.warning("the worker did not stop; starting another one")
            self.kill()

    def kill(self) -> None:
        """End the process at once."""
        with suppress(OSError):
            self._popen.kill()

    def _write(self) -> None:
        """The thread that owns the pipe to the process."""
        stream = self._popen.stdin
        if stream is None:
            return
        out = FrameWriter(stream.fileno())
        while (message := self._outgoing.get()) is not None and out.write(message):
            pass
        with suppress(OSError):
            stream.close()

    def _read(self) -> None:
        """The thread that owns the pipe from the process."""
        stream = self._popen.stdout
        if stream is None:
            return
        frames = FrameReader(stream.fileno())
        while (message := frames.read()) is not None:
            self._take(message)
        stream.close()
        self._end()

    def _take(self, message: Message) -> None:
        if "event" in message:
            self._told.event(message)
            return
        with self._guard:
            ticket = self._waiting.get(message["id"])
            if "stage" not in message:
                self._waiting.pop(message["id"], None)
        if ticket is None:
            return
        if "stage" in message:
            ticket.told(message["stage"])
        elif ticket.future.set_running_or_notify_cancel():
            ticket.future.set_result(message)

    def _end(self) -> None:
        with self._guard:
            self.ended = True
            left = list(self._waiting.values())
            self._waiting.clear()
        self._outgoing.put(None)
        gone = WorkerGone(f"the worker process ended with status {self._popen.wait()}")
        for ticket in left:
            _fail(ticket, gone)
        self._told.gone(gone)


class WorkerClient:
    """Questions to a worker process for one service. Safe to use from many threads.

    `service` is `project` or `editor`. `first` gives what each new process is told before anything else, its settings
    to begin with. `event` is called on a thread of its own with what the worker tells unasked (`{"event": …}`), and
    `gone` when a process has ended. A process that goes on with a cancelled question for more than `grace` seconds is
    killed, if nobody waits for anything else in it.
    """

    def __init__(
        self,
        service: str,
        first: Callable[[], Iterable[Message]],
        event: Callable[[Message], None] = lambda _: None,
        gone: Callable[[WorkerGone], None] = lambda _: None,
        grace: float = GRACE_SECONDS,
    ) -> None:
        self._service = service
        self._first = first
        self._told = _Told(event, gone)
        self._grace = grace
        self._numbers = count(1)
        self._guard = threading.Lock()
        self._process: _Process | None = None
        self._closed = False

    def start(self) -> None:
        """Start the process, if it does not run."""
        self._running()

    @property
    def pid(self) -> int | None:
        """The process id of the worker; None while none runs."""
        process = self._process
        return process.pid if process is not None and not process.ended else None

    def ask(self, question: str, given: dict[str, Any], told: Stage = lambda _: None) -> Ticket:
        """Put a question. `told` is called on another thread with each stage of the work."""
        ticket = Ticket(next(self._numbers), told)
        for _ in range(2):
            ticket.process = self._running()
            if ticket.process.ask(ticket, question, given):
                break
        else:
            _fail(ticket, WorkerGone("the worker process does not start"))
        return ticket

    def tell(self, name: str, given: Message) -> None:
        """Tell news, which nobody answers. Where no process runs one is started: it knows the news by `first`."""
        process = self._process
        if process is not None and not process.ended:
            process.tell(name, given)
        else:
            self._running()

    def cancel(self, ticket: Ticket) -> None:
        """Nobody waits for the answer any more."""
        if ticket.process is not None:
            ticket.process.cancel(ticket)

    def close(self) -> None:
        """End the process at once. Takes no lock: a signal handler may call it in the middle of anything."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()

    def _running(self) -> _Process:
        with self._guard:
            if self._closed:
                raise WorkerGone("the server is closing")
            if self._process is None or self._process.ended:
                self._process = _Process(self._service, self._first(), self._told, self._grace)
            return self._process


def _fail(ticket: Ticket, error: Exception) -> None:
    if not ticket.future.done() and ticket.future.set_running_or_notify_cancel():
        ticket.future.set_exception(error)
