"""How long a command takes from nothing: a new process each time, wall clock."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from benchmarks.table import Budget, Samples

COMMANDS = {
    "`argon --version`, process start": ("--version",),
    "`argon explain OE1317`, process start": ("explain", "OE1317"),
}
BUDGETS = tuple(Budget(what, p50=150) for what in COMMANDS)


def run(words: tuple[str, ...]) -> float:
    """Milliseconds of one process."""
    begin = time.monotonic()
    command = [sys.executable, "-m", "argon_lang", *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=Path(__file__).parents[1])
    return (time.monotonic() - begin) * 1e3


def measure(quick: bool) -> Samples:
    """See the module's docstring; the first process, which may have to write bytecode, does not count."""
    for what, words in COMMANDS.items():
        run(words)
        yield what, [run(words) for _ in range(1 if quick else 15)]
