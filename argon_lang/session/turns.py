"""Who may reason next: one turn at a time; whatever was told comes first, then questions, then work in the background.

A turn takes its `stop` under the same lock under which it finds out what there is to do, and whoever tells or asks
something later cancels it under that lock: a question what runs in the background, news whatever runs. So nothing that
comes after a turn was taken can be overlooked by it, however little of its work it has begun. What was stopped goes
back to where it was, by `again`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Condition

from argon_lang.session.cancellation import Cancellation

Job = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Turn:
    """`news` to take in, then `job`, if there is one. `key` names a job in the background; None for a question."""

    news: tuple[Job, ...] = ()
    job: Job | None = None
    key: Hashable = None
    stop: Cancellation = field(default_factory=Cancellation)


class Turns:
    """The queue. Everything but `take` and `again`, which are the reasoning thread's, may be called on any thread."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._news: list[Job] = []
        self._questions: deque[Job] = deque()
        self._background: dict[Hashable, Job] = {}
        self._idle: deque[Job] = deque()
        self._running = Turn()

    def tell(self, news: Job) -> None:
        """Have some news taken in before anything else is done."""
        with self._changed:
            self._news.append(news)
            self._running.stop.cancel()
            self._changed.notify()

    def ask(self, question: Job) -> None:
        """Have a question answered after those that were asked before it."""
        with self._changed:
            self._questions.append(question)
            if self._running.key is not None:
                self._running.stop.cancel()
            self._changed.notify()

    def later(self, key: Hashable, job: Job) -> None:
        """Have something done when nothing else is to be done; once, however often that is said meanwhile."""
        with self._changed:
            self._background.setdefault(key, job)
            self._changed.notify()

    def settled(self, job: Job) -> None:
        """Have something done as soon as nothing else is to be done."""
        with self._changed:
            self._idle.append(job)
            self._changed.notify()

    def take(self) -> Turn:
        """The next turn; waits for it."""
        with self._changed:
            while not (self._news or self._questions or self._background or self._idle):
                self._running = Turn()
                self._changed.wait()
            news, self._news = tuple(self._news), []
            # News may put something in question, so nothing is settled in the turn that takes them in.
            key, job = self._next(settled=not news)
            self._running = Turn(news, job, key)
            return self._running

    def again(self, turn: Turn) -> None:
        """Put back the job of a turn that was stopped: a question before all others."""
        if turn.job is None:
            return
        with self._changed:
            if turn.key is None:
                self._questions.appendleft(turn.job)
            else:
                self._background.setdefault(turn.key, turn.job)

    def _next(self, *, settled: bool) -> tuple[Hashable, Job | None]:
        if self._questions:
            return None, self._questions.popleft()
        if self._background:
            key = next(iter(self._background))
            return key, self._background.pop(key)
        return None, self._idle.popleft() if self._idle and settled else None
