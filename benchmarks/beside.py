"""What `ruff` and `ty` take for files of equal length, for orientation: another language, other questions, native code.

Both are installed from the package registry into an environment that is thrown away. The files are Python of the same
size as those of `generate_source`: classes, functions, calls between them, everything annotated. New processes without
a cache, wall clock.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from benchmarks.table import Budget, Samples

TOOLS = {"ruff": ("check", "--no-cache", "--isolated", "--exit-zero", "--quiet"), "ty": ("check", "--exit-zero")}
SIZES = {"a file of 5,000 lines": (1, 5_000), "100 files × 500 lines": (100, 500)}
BUDGETS = tuple(Budget(f"beside: `{tool}` on {size} of Python") for tool in TOOLS for size in SIZES)

_UNIT = """

@dataclass(frozen=True)
class Lease{n}:
    \"\"\"A lease that somebody looks after.\"\"\"

    title: str
    amount: int
    above: "Lease{n} | None" = None

    def owes(self, since: int) -> int:
        \"\"\"What is owed since then.\"\"\"
        if self.above is not None and self.amount > since:
            return self.above.owes(since) + self.amount
        return max(0, self.amount - since)


def overdue{n}(leases: list[Lease{n}], floor: int) -> list[str]:
    \"\"\"The titles of those that owe more.\"\"\"
    found = [each for each in leases if each.owes(floor) > {n}]
    return sorted(each.title for each in found)


def doubled{n}(leases: dict[str, Lease{n}]) -> dict[str, int]:
    \"\"\"Twice what each is worth.\"\"\"
    return {{name: each.amount * 2 for name, each in leases.items() if name in overdue{n}([each], {n})}}
"""


def text_of(lines: int, first: int = 0) -> str:
    """Python of at least so many lines."""
    found = ['"""Leases."""', "", "from dataclasses import dataclass"]
    number = first
    while len(found) < lines:
        found += _UNIT.format(n=number).rstrip("\n").split("\n")
        number += 1
    return "\n".join(found) + "\n"


def installed(folder: Path) -> Mapping[str, Path]:
    """The two programs in an environment of their own."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    scripts = folder / ("Scripts" if sys.platform == "win32" else "bin")
    words = [str(scripts / "python"), "-m", "pip", "install", "--quiet", *TOOLS]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return {tool: scripts / tool for tool in TOOLS}


def run(words: list[str], root: Path) -> float:
    """Milliseconds of one process."""
    begin = time.monotonic()
    subprocess.run(words, cwd=root, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (time.monotonic() - begin) * 1e3


def measure(quick: bool) -> Samples:
    """See the module's docstring."""
    with tempfile.TemporaryDirectory() as folder:
        programs = installed(Path(folder) / "environment")
        budgets = iter(BUDGETS)
        for tool, words in TOOLS.items():
            for files, lines in SIZES.values():
                root = Path(folder) / f"{tool}{files}"
                root.mkdir()
                for number in range(files):
                    (root / f"part{number:03}.py").write_text(text_of(lines, number * 100), encoding="utf-8")
                command = [str(programs[tool]), *words, "."]
                run(command, root)
                yield next(budgets).what, [run(command, root) for _ in range(1 if quick else 5)]
