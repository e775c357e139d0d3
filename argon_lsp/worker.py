"""The one thread that asks and changes databases: the event loop never computes, and never waits for it.

Jobs run one at a time, the most urgent first, equals in the order of their arrival. The thread is a daemon, unlike
those of `concurrent.futures`, so that a long computation never keeps the process alive. pygls' own pool is not used:
it reads the client's messages.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeVar

T = TypeVar("T")

QUESTION, BACKGROUND = 0, 1
"""How urgent a job is: a person waits for a question."""


class Worker:
    """A thread with a queue of jobs by urgency; `running` is the urgency of the job at hand."""

    def __init__(self) -> None:
        self._jobs: list[tuple[int, int, Callable[[], Any], Future[Any]]] = []
        self._numbers = count()
        self._arrived = threading.Condition()
        self.running: int | None = None
        threading.Thread(target=self._work, name="argon-lsp-worker", daemon=True).start()

    def submit(self, urgency: int, job: Callable[[], T]) -> Future[T]:
        """Queue a job. Cancelling its future before it starts takes it off the queue."""
        future: Future[T] = Future()
        with self._arrived:
            heappush(self._jobs, (urgency, next(self._numbers), job, future))
            self._arrived.notify()
        return future

    def _work(self) -> None:
        while True:
            with self._arrived:
                while not self._jobs:
                    self._arrived.wait()
                self.running, _, job, future = heappop(self._jobs)
            if future.set_running_or_notify_cancel():
                _run(job, future)
            self.running = None


def _run(job: Callable[[], Any], future: Future[Any]) -> None:
    try:
        result = job()
    except BaseException as error:  # noqa: BLE001  (whoever waits for the future gets it)
        future.set_exception(error)
    else:
        future.set_result(result)
