"""The governor: bounds on time, size and depth, and cancellation, asked by every long loop (semantics S11).

Nothing is truncated: over a limit the evaluation ends with an `ArgonError` that names the figure reached and the knob.
Generated loops count down a batch and call `Governor.tick` when it is used up; the batch grows while little time passes
and little is produced, so that a tick costs nothing and a runaway join is still seen early.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TypeVar

from argon_lang.errors import ArgonError
from argon_lang.problems import args


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one evaluation; the names in camel case are the knobs of `ox.toml` and of the surfaces."""

    timeout_ms: int = 30_000
    max_rows: int = 10_000
    max_derived: int = 20_000_000
    max_rounds: int = 1_000_000
    max_proof_nodes: int = 2_000
    fn_depth: int = 1_000


_FIRST_BATCH = 16
_LARGEST_BATCH = 8_192
_CALM_SECONDS = 0.002
_CALM_ROWS = 50_000


PACE = 16_384
"""How many rows a loop without a count of its own may pass between two questions: a few milliseconds' worth."""
Row = TypeVar("Row")


def paced(tick: Callable[[], object], rows: Iterable[Row]) -> Iterator[Row]:
    """The same rows, the governor being asked before each `PACE` of them; the loop over them still runs in C."""
    source = iter(rows)

    def parts() -> Iterator[tuple[Row, ...]]:
        while part := tuple(itertools.islice(source, PACE)):
            tick()
            yield part

    return itertools.chain.from_iterable(parts())


def _nothing() -> None:
    """Nobody interrupts."""


_INTERRUPTION: ContextVar[Callable[[], None]] = ContextVar("argon_interruption", default=_nothing)


@contextmanager
def interrupted_by(ask: Callable[[], None]) -> Iterator[None]:
    """Governors that are made inside ask `ask` at every check; it raises to end the evaluation.

    For whoever evaluates in the middle of something that can be given up itself, as the gates do under an editor.
    """
    token = _INTERRUPTION.set(ask)
    try:
        yield
    finally:
        _INTERRUPTION.reset(token)


class Governor:
    """Watches one request. Any thread may call `cancel`; the others belong to the thread that evaluates.

    `clock` gives seconds on a monotone scale (injectable for tests).
    """

    __slots__ = (
        "_batch", "_cancelled", "_clock", "_derived", "_interruption", "_last_produced", "_last_tick", "_started",
        "limits",
    )  # fmt: skip

    def __init__(self, limits: Limits | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """Start the request's time."""
        self.limits = limits or Limits()
        self._clock = clock
        self._cancelled = threading.Event()
        self._interruption = _INTERRUPTION.get()
        self._started = self._last_tick = clock()
        self._derived = 0
        self._batch = _FIRST_BATCH
        self._last_produced = 0

    def anew(self) -> Governor:
        """A governor of the same request, its time and cancellation, that counts what is derived from nothing on."""
        made = Governor(self.limits, self._clock)
        made._cancelled, made._interruption, made._started = self._cancelled, self._interruption, self._started
        return made

    def within(self, derived: int) -> Governor:
        """The same for a part of the work that may derive so many tuples, in as many rounds as it takes."""
        made = self.anew()
        made.limits = replace(self.limits, max_derived=derived, max_rounds=max(derived, self.limits.max_rounds))
        return made

    def cancel(self) -> None:
        """Make the next check raise `ARGON_RUNTIME_CANCELLED`."""
        self._cancelled.set()

    def check(self) -> float:
        """Raise when cancelled or out of time; otherwise the clock's reading."""
        if self._cancelled.is_set():
            raise ArgonError("ARGON_RUNTIME_CANCELLED", retryable=True)
        self._interruption()
        now = self._clock()
        elapsed = round((now - self._started) * 1000)
        limit = self.limits.timeout_ms
        if elapsed > limit:
            raise ArgonError(
                "ARGON_RUNTIME_TIMEOUT",
                args(found=elapsed, knob="timeoutMs", limit=limit),
                details={"reached": elapsed, "limit": limit, "knob": "timeoutMs"},
                retryable=True,
            )
        return now

    def tick(self, produced: int = 0) -> int:
        """Check everything with `produced` tuples in hand; the number of steps to make before the next call."""
        now = self.check()
        self.over("maxDerived", "derived tuples", self._derived + produced, self.limits.max_derived)
        calm = now - self._last_tick < _CALM_SECONDS and produced - self._last_produced < _CALM_ROWS
        self._batch = min(self._batch * 2, _LARGEST_BATCH) if calm else max(self._batch // 4, 1)
        self._last_tick, self._last_produced = now, produced
        return self._batch

    def round(self, number: int) -> None:
        """Check at the start of round `number` of a component."""
        self.tick()
        self.over("maxRounds", "rounds", number, self.limits.max_rounds)

    def derived(self, count: int) -> None:
        """Account for `count` more derived tuples."""
        self._derived += count
        self.over("maxDerived", "derived tuples", self._derived, self.limits.max_derived)

    def forget(self) -> None:
        """What was derived so far is thrown away, and counts no more."""
        self._derived = self._last_produced = 0

    def over(self, knob: str, what: str, reached: int, limit: int) -> None:
        """Raise `ARGON_RUNTIME_BUDGET_EXCEEDED` when `reached` is over `limit`."""
        if reached > limit:
            raise ArgonError(
                "ARGON_RUNTIME_BUDGET_EXCEEDED",
                args(found=reached, what=what, knob=knob, limit=limit),
                details={"reached": reached, "limit": limit, "knob": knob},
            )
