"""Whether processes work, by what the system says of their processor time. Linux only."""

from __future__ import annotations

import time
from pathlib import Path


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split()]


def memory_kb(pid: int) -> int:
    """Memory that a process holds, in kB, without what it shares with its parent."""
    (line,) = [each for each in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines() if each.startswith("VmRSS")]
    return int(line.split()[1])


def works(pid: int) -> bool:
    """Whether some thread of a process runs, or would if there were a processor for it."""
    states = [
        each.read_text("utf-8").rpartition(")")[2].split()[0] for each in Path(f"/proc/{pid}/task").glob("*/stat")
    ]
    return any(state in "RD" for state in states)


def until_idle(pid: int, patience: float, looks: int = 10) -> float:
    """Wait until no thread of a process works, looking every 5 ms; the instant (`time.monotonic`) of the first."""
    deadline = time.monotonic() + patience
    since, quiet = time.monotonic(), 0
    while quiet < looks:
        assert time.monotonic() < deadline, "the process never stops working"
        quiet = 0 if works(pid) else quiet + 1
        if quiet == 1:
            since = time.monotonic()
        time.sleep(0.005)
    return since
