"""`python -m benchmarks.peers [--quick] [--only WORKLOAD] [--prototypes FOLDER] [--write]`: the engine beside others.

A row appears for a system that is installed: clingo and DuckDB from the package registry, `swipl` from the
distribution, the prototypes from a folder of their sources. Every run is a process of its own; `--write` keeps the
tables in `benchmarks/PEERS.md`.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.calibrate import slowness
from benchmarks.peers.engines import ENGINES, Unable
from benchmarks.peers.workloads import WORKLOADS, Workload

RESULTS = Path(__file__).parent.parent / "PEERS.md"
TARGETS = Path(__file__).parent / "targets.md"
"""What the figures say of the targets; written by hand after each run that is kept."""
_PATIENCE = 3_600
_QUICK = 40
"""So many times smaller is a quick run."""
Figure = dict[str, float]
"""`seconds` of processor time, `rows`, and the process's peak of memory in `mb`."""

_ABOUT = """# The engine beside other systems

Taken {date} by `python -m benchmarks.peers --write` with Python {version} on {cores} cores of {machine}, which was
{slow} times slower than the reference of `calibrate.py`. Each run is a process of its own; seconds are processor time
of evaluating facts that are loaded already, MB its peak of memory with all facts. Argon keeps the clause and round of
every row, as do the prototypes; the others keep no reasons. `–`: the system cannot say the program; `>`: given up.

"""


def available(name: str) -> bool:
    """Is the system installed?"""
    if name == "SWI-Prolog":
        return shutil.which("swipl") is not None
    module = {"clingo": "clingo", "DuckDB": "duckdb", "prototype: columns": "engb", "prototype: sets": "enga2"}.get(
        name
    )
    return module is None or importlib.util.find_spec(module) is not None


def child(engine: str, workload: str, size: int, seconds: int) -> None:
    """Run one system in this process, for so long at most, and print what it took."""
    (work,) = (each for each in WORKLOADS if each.name == workload)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    try:
        seconds, rows = ENGINES[engine](work, work.facts(size))
    except Unable:
        print("null")
        return
    peaks = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(json.dumps({"seconds": seconds, "rows": rows, "mb": max(peaks) / 1024}))


def run(engine: str, work: Workload, size: int, seconds: int) -> Figure | str | None:
    """One run in a process of its own: what it took, None where it cannot, and why it did not end."""
    command = [sys.executable, "-m", "benchmarks.peers", "--child", engine, work.name, str(size), str(seconds)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=True)
    except subprocess.CalledProcessError as error:
        ended = ("SIGXCPU", "SIGKILL")
        if -error.returncode in (signal.SIGXCPU, signal.SIGKILL) or any(name in error.stderr for name in ended):
            return f"> {seconds}"
        return "failed: " + (error.stderr.strip().splitlines() or ["killed"])[-1][:60]
    found: Figure | None = json.loads(done.stdout.splitlines()[-1])
    return found


def cell(found: Figure | str | None) -> str:
    """How a run is shown."""
    if found is None:
        return "–"
    return found if isinstance(found, str) else f"{found['seconds']:.2f} ({found['mb']:.0f} MB)"


def compared(
    works: Sequence[Workload], names: Sequence[str], place: int, share: int, seconds: int
) -> Iterator[list[str]]:
    """A row for each workload at one of its sizes. All systems have to derive as many rows."""
    for work in works:
        size = work.sizes[place - 1] // share
        found = [run(name, work, size, seconds) for name in names]
        rows = {int(each["rows"]) for each in found if isinstance(each, dict)}
        derived = f"{rows.pop():,}" if len(rows) == 1 else f"differs: {sorted(rows)}"
        yield [f"{work.name}, {size:,}", derived, *map(cell, found)]


def growth(works: Sequence[Workload], share: int, seconds: int) -> Iterator[list[str]]:
    """How this engine grows over four sizes."""
    for work in works:
        sizes = [size // share for size in work.sizes]
        found = [run("argon", work, size, seconds) for size in sizes]
        told = [f"{size:,}: {each['seconds']:.2f} s, {each['rows']:,} rows, {each['mb']:.0f} MB"
                if isinstance(each, dict) else cell(each) for size, each in zip(sizes, found, strict=True)]  # fmt: skip
        yield [work.name, *told]


def table(header: Sequence[str], rows: Iterator[list[str]]) -> str:
    """A table in Markdown, each row printed as soon as it is known."""
    lines = [list(header), ["---"] * len(header)]
    for row in rows:
        print(" | ".join(row), flush=True)
        lines.append(row)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines) + "\n"


def machine() -> str:
    """The processor's name."""
    path = Path("/proc/cpuinfo")
    names = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return next((line.split(": ")[1] for line in names if line.startswith("model name")), platform.processor())


def main(arguments: Sequence[str]) -> int:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description="The engine beside other systems.")
    parser.add_argument("--quick", action="store_true", help="small facts: does it run?")
    parser.add_argument("--only", choices=[work.name for work in WORKLOADS], help="one workload")
    parser.add_argument("--place", type=int, choices=range(1, 5), default=4, help="compare at this one of four sizes")
    parser.add_argument("--seconds", type=int, default=120, help="processor time that one run may take")
    parser.add_argument("--prototypes", type=Path, help="a folder with the prototypes' sources")
    parser.add_argument("--write", action="store_true", help=f"keep the tables in {RESULTS.name}")
    parser.add_argument("--child", nargs=4, metavar=("SYSTEM", "WORKLOAD", "SIZE", "SECONDS"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        child(*options.child[:2], *map(int, options.child[2:]))
        return 0
    if options.prototypes:
        sys.path.append(str(options.prototypes))
        os.environ["PYTHONPATH"] = os.pathsep.join(
            filter(None, (os.environ.get("PYTHONPATH"), str(options.prototypes)))
        )
    works = [work for work in WORKLOADS if options.only in (None, work.name)]
    names = [name for name in ENGINES if available(name)]
    slow, share = slowness(15), _QUICK if options.quick else 1
    beside = table(("workload", "rows derived", *names), compared(works, names, options.place, share, options.seconds))
    grown = table(("workload", "smallest", "", "", "largest"), growth(works, share, options.seconds))
    if options.write:
        about = _ABOUT.format(date=datetime.now(UTC).date().isoformat(), version=platform.python_version(),
                              cores=os.cpu_count(), machine=machine(), slow=f"{slow:.2f}")  # fmt: skip
        RESULTS.write_text(f"{about}{beside}\n## Growth\n\n{grown}{TARGETS.read_text('utf-8')}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
