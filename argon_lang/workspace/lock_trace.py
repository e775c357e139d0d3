"""The lock trace: how long each acquisition of a lock was kept waiting, in this process and, on request, in a file.

Nobody may wait for anybody for long (architecture, invariant 9); this is where one sees it. The environment variable
`ARGON_LOCK_TRACE` names a file to which every process appends one JSON line per acquisition, so that a test reads the
waits of all of them together: `{"lock", "waitedMs", "pid"}`.
"""

from __future__ import annotations

import json
import os
from collections import deque
from contextlib import suppress
from dataclasses import dataclass

_MOST = 4_096


@dataclass(frozen=True, slots=True)
class Wait:
    """One acquisition: the lock's name, and the seconds that it was waited for."""

    lock: str
    seconds: float


_waits: deque[Wait] = deque(maxlen=_MOST)


def record(lock: str, seconds: float) -> None:
    """Note that `lock` was acquired, or given up, after waiting so long. A trace that cannot be written is left out."""
    _waits.append(Wait(lock, seconds))
    path = os.environ.get("ARGON_LOCK_TRACE")
    if path is None:
        return
    line = json.dumps({"lock": lock, "waitedMs": round(seconds * 1000, 3), "pid": os.getpid()}) + "\n"
    with suppress(OSError):
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(descriptor, line.encode())
        finally:
            os.close(descriptor)


def waits(lock: str | None = None) -> tuple[Wait, ...]:
    """What this process noted last, oldest first; of one lock when it is named."""
    return tuple(each for each in _waits if lock in (None, each.lock))
