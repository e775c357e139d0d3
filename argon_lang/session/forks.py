"""Work done beside this process by one that is forked from it, where that may be."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

MOST_PROCESSES = 4
_DONE = b"done"
if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess


def processors() -> int:
    """How many processes may work at once, this one among them."""
    return min(MOST_PROCESSES, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)


def may_fork() -> bool:
    """May this process be forked? One with several threads may not: what another thread holds stays locked."""
    return hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1


@dataclass(frozen=True, slots=True)
class Beside:
    """A process at work, and the end of the pipe that its answer comes from."""

    child: BaseProcess
    reading: Connection

    def answer(self) -> bytes | None:
        """What it made, when it is done; None when it did not end well. To be asked once."""
        data = b""
        with self.reading, suppress(EOFError, OSError):
            data = self.reading.recv_bytes()
        self.child.join()
        return data.removeprefix(_DONE) if data.startswith(_DONE) else None


def beside(work: Callable[[], bytes]) -> Beside:
    """Begin `work` in a process of its own. Raises OSError when there can be none."""
    import multiprocessing  # a small package needs none of it

    context = multiprocessing.get_context("fork")
    reading, writing = context.Pipe(duplex=False)
    child = context.Process(target=_tell, args=(work, writing), daemon=True)
    child.start()
    writing.close()
    return Beside(child, reading)


def _tell(work: Callable[[], bytes], writing: Connection) -> None:
    writing.send_bytes(_DONE + work())
