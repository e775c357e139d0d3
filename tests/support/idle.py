"""Whether processes work, by what the system says of their processor time. Linux only."""

from __future__ import annotations

import os
import time
from pathlib import Path

TICK_SECONDS = 1 / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split()]


def busy_ticks(pid: int) -> int:
    """Processor time of a process so far, in ticks of the system's clock."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def memory_kb(pid: int) -> int:
    """Memory that a process holds, in kB, without what it shares with its parent."""
    (line,) = [each for each in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines() if each.startswith("VmRSS")]
    return int(line.split()[1])


def until_idle(pid: int, patience: float, quiet_ticks: int = 5) -> float:
    """Wait until a process uses no processor for some ticks; the instant (`time.monotonic`) since when it does not."""
    deadline = time.monotonic() + patience
    busy, since = busy_ticks(pid), time.monotonic()
    while (now := time.monotonic()) - since < quiet_ticks * TICK_SECONDS:
        assert now < deadline, "the process never stops working"
        if (found := busy_ticks(pid)) != busy:
            busy, since = found, now
        time.sleep(TICK_SECONDS / 4)
    return since
