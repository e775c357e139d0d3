"""`python -m benchmarks [--only NAME] [--quick] [--write] [--beside]`: measure the budgets of the architecture.

Each figure is taken together with the speed of the machine (`calibrate`), so that a busy or slow machine tells the same
ratio as a quiet one, more or less. `--write` keeps the table in `benchmarks/RESULTS.md`; `--beside` adds what checkers
and language servers of another language take for as many lines (`beside.py`, `beside_lsp.py`).
"""

from __future__ import annotations

import argparse
import importlib
import platform
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import beside, beside_lsp
from benchmarks.calibrate import REFERENCE_MS, slowness
from benchmarks.table import HEADER, Bench, Figure, markdown, row

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"

_ABOUT = """# Benchmark results

Taken {date} with Python {version} by `python -m benchmarks --write`. Milliseconds are processor time where the work
runs in one process, and wall clock where processes are started or talk over pipes. The last two columns are scaled to
the reference speed: a machine on which the piece of work of `calibrate.py` takes {reference} ms; this one was {slow}
times slower in the median. Ratios above 1 exceed the budget of the architecture.

"""


def benches() -> tuple[Bench, ...]:
    """Every bench module of this folder."""
    names = sorted(path.stem for path in HERE.glob("bench_*.py"))
    modules = [(name, importlib.import_module(f"benchmarks.{name}")) for name in names]
    return tuple(Bench(name.removeprefix("bench_"), each.BUDGETS, each.measure) for name, each in modules)


def figures(chosen: Iterable[Bench], quick: bool) -> Iterator[Figure]:
    """The figures of some benches in the order of their budgets, each with the speed just before and after it."""
    for bench in chosen:
        budgets = {budget.what: budget for budget in bench.budgets}
        before = slowness(3 if quick else 15)
        for what, samples in bench.measure(quick):
            after = slowness(3 if quick else 15)
            yield Figure(budgets[what], samples, (before + after) / 2)
            before = after


def main(arguments: Sequence[str]) -> int:
    """Run the benches that the command line names, print a line for each figure."""
    known = benches()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure the architecture's budgets.")
    parser.add_argument("--only", choices=[bench.name for bench in known], help="run one bench")
    parser.add_argument("--quick", action="store_true", help="short texts and few rounds: does the harness run?")
    parser.add_argument("--write", action="store_true", help=f"keep the table in {RESULTS.name}")
    parser.add_argument("--beside", action="store_true", help="measure programs for Python too, installed for it")
    options = parser.parse_args(arguments)
    if options.write and (options.only or options.quick):
        parser.error("--write keeps a whole table: leave out --only and --quick")
    taken: list[Figure] = []
    print(" | ".join(HEADER))
    chosen = [bench for bench in known if options.only in (None, bench.name)]
    besides = (beside, beside_lsp) if options.beside else ()
    chosen += [Bench("beside", each.BUDGETS, each.measure) for each in besides]
    for figure in figures(chosen, options.quick):
        print(" | ".join(row(figure)), flush=True)
        taken.append(figure)
    if options.write:
        RESULTS.write_text(results(taken), encoding="utf-8")
    return 0


def results(taken: Sequence[Figure]) -> str:
    """The text of `RESULTS.md`."""
    slow = sorted(figure.slowness for figure in taken)[len(taken) // 2]
    date, version = datetime.now(UTC).date().isoformat(), platform.python_version()
    head = _ABOUT.format(date=date, version=version, reference=REFERENCE_MS, slow=f"{slow:.2f}")
    return head + markdown([row(figure) for figure in taken])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
