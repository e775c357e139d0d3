"""Processes by number: the children of one, and waiting for the end of one that somebody else started (Linux)."""

from __future__ import annotations

import os
import select
import signal
from contextlib import suppress
from pathlib import Path


def children(pid: int) -> list[int]:
    """The processes that a process started and that have not been waited for."""
    found: list[int] = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


class Watched:
    """A handle on a process, which stays its own whatever number is given out again."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._handle = os.pidfd_open(pid)

    def ended(self, seconds: float) -> bool:
        """Wait at most so long for its end; whether it has ended."""
        return bool(select.select([self._handle], [], [], seconds)[0])

    def kill(self) -> None:
        """End it at once."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def close(self) -> None:
        """Let the handle go."""
        os.close(self._handle)
