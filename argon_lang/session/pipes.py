"""The two ends of a process that serves over pipes: private descriptors, an ordered writer, signals. Standard library.

A server runs this before anything else is imported.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from queue import Queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import FrameType

_CHUNK = 1 << 16


def private_stdio() -> tuple[int, int]:
    """Descriptors of the other side's pipes; 0 then reads nothing, and what is printed by mistake goes to the log."""
    reading, writing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return reading, writing


class Outbox:
    """Writes in the order of `send`, from any thread, on a thread of its own; drops all when nobody reads any more.

    `most` bounds what may be queued; 0 for no bound.
    """

    def __init__(self, descriptor: int, most: int = 0) -> None:
        self._descriptor = descriptor
        self._queue: Queue[bytes | threading.Event] = Queue(most)
        self._broken = False
        threading.Thread(target=self._write, name="argon-outbox", daemon=True).start()

    @property
    def full(self) -> bool:
        """Would `send` wait for the other side to read?"""
        return self._queue.full()

    def send(self, data: bytes) -> None:
        """Queue some bytes, which are written whole. Waits while `most` are queued."""
        self._queue.put(data)

    def flush(self, seconds: float) -> bool:
        """Wait until everything sent so far is written; False when that takes longer than `seconds`."""
        written = threading.Event()
        if self._queue.full():
            return False
        self._queue.put(written)
        return written.wait(seconds)

    def _write(self) -> None:
        while True:
            data = self._queue.get()
            if isinstance(data, threading.Event):
                data.set()
            elif not self._broken:
                self._broken = not written(self._descriptor, data)


def chunks(descriptor: int) -> Iterator[bytes]:
    """What comes from the other side, in pieces as they come, until it closes its end."""
    with suppress(OSError):
        while data := os.read(descriptor, _CHUNK):
            yield data


def written(descriptor: int, data: bytes) -> bool:
    """Write bytes, all of them; False when nobody reads any more."""
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(descriptor, view) :]
    except OSError:
        return False
    return True


def on_signals(numbers: Iterable[int], leave: Callable[[int], None]) -> None:
    """When one of the signals comes, call `leave`, on a thread of its own, with the exit status as shells count it.

    A handler of Python's runs only when the main thread next does something, and a signal that slips in just before a
    wait would be handled when the wait is over. So the number of the signal goes through a pipe to a thread.
    """
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in numbers:
        signal.signal(number, _nothing)
    threading.Thread(target=lambda: leave(128 + os.read(reading, 1)[0]), name="argon-signals", daemon=True).start()


def _nothing(_signal: int, _frame: FrameType | None) -> None:
    """The handler that makes the signal be told to the pipe."""
