"""How long a check takes: opening a file, one keystroke in it, a whole package, and what a large one weighs.

Asked of `queries.Database` in this process, as the language server asks it; processor time. Every edit is undone before
the next and undoing is measured as well. Body edits and signature edits are at random places, most of them break
something. A cold check of a whole package is what `argon check` is timed at (`bench_start`): it is the work of several
processes, and nobody waits for it in one.
"""

from __future__ import annotations

import gc
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from argon_lang.program.view import PackageInfo
from argon_lang.queries.collector import collect_again
from argon_lang.queries.database import Database
from argon_lang.session.checking import remembered_check
from argon_lang.workspace.cache import Cache
from argon_lang.workspace.root import Project
from argon_lang.workspace.sources import read_inputs
from benchmarks.generate_source import package, source
from benchmarks.table import Budget, Samples

BODY = "body edit → diagnostics, 5,000-line file"
SIGNATURE = "signature edit → diagnostics, 5,000-line file"
OPEN = "open a 5,000-line file → first semantic diagnostics (syntax, names, types)"
WHOLE = "open a 5,000-line file → all diagnostics, those of the gates too"
WARM = "warm check of 100 files × 500 lines, from the cache"
MEMORY = "memory: a checked workspace of 50,000 lines"

BUDGETS = (
    Budget(OPEN, p50=400),
    Budget(WHOLE),
    Budget(BODY, p50=15, p95=50),
    Budget(SIGNATURE, p95=150),
    Budget(WARM, p50=800),
    Budget(MEMORY, p50=250, unit="MB"),
)

INFO = PackageInfo("bench", prelude=("std::core::{type, rel}",))
FILE = "bench/root.ar"
MANIFEST = '[package]\nname = "bench"\nprelude = ["std::core::{type, rel}"]\n'
Edit = tuple[int, int, str]


def database(files: Mapping[str, str]) -> Database:
    """A database of these files, nothing asked yet."""
    made = Database(INFO)
    made.set_files({f"bench/{path}": text for path, text in files.items()})
    return made


def cold(files: Mapping[str, str], *, gates: bool = True) -> float:
    """Milliseconds from texts to diagnostics."""
    collect_again()
    gc.collect()
    begin = time.process_time()
    database(files).diagnostics(gates=gates)
    return (time.process_time() - begin) * 1e3


def warm(files: Mapping[str, str], count: int) -> list[float]:
    """Milliseconds from files on disk to diagnostics that an earlier check of them found out."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        project, cache = Project(Path(folder) / "bench", "flag"), Cache(Path(folder) / "cache")
        for path, text in {**files, "ox.toml": MANIFEST}.items():
            (project.root / path).parent.mkdir(parents=True, exist_ok=True)
            (project.root / path).write_text(text, encoding="utf-8")
        remembered_check(read_inputs(project), cache)
        for _ in range(count):
            begin = time.process_time()
            remembered_check(read_inputs(project), cache)
            times.append((time.process_time() - begin) * 1e3)
    return times


def body_edit(text: str, chooser: random.Random) -> Edit:
    """Something typed into a line of a rule's body."""
    while True:
        place = chooser.randrange(len(text))
        begin, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
        if text[begin:end].strip().startswith("x."):
            return place, place, chooser.choice(["y", ".", " ", "(", "0", "=="])


def signature_edit(text: str, chooser: random.Random) -> Edit:
    """Another name for a rule, or another field, parameter or result in a declaration."""
    mark = chooser.choice(["pub derive ", "pub type ", "pub fn ", "mut amount", "pub query ", "title: String"])
    place = text.find(mark, chooser.randrange(len(text)))
    if place < 0:
        return signature_edit(text, chooser)
    return place + len(mark), place + len(mark), chooser.choice(["y", "x2", "Q"])


def edits(db: Database, kind: Callable[[str, random.Random], Edit], count: int) -> list[float]:
    """Milliseconds from each of `count` edits, and from each undoing, to the diagnostics of the package."""
    chooser, times = random.Random(3), []
    for _ in range(count):
        start, end, new = kind(db.text(FILE) or "", chooser)
        old = (db.text(FILE) or "")[start:end]
        for edit in ((start, end, new), (start, start + len(new), old)):
            begin = time.process_time()
            db.edit_file(FILE, *edit)
            db.diagnostics()
            times.append((time.process_time() - begin) * 1e3)
    return times


def measure(quick: bool) -> Samples:
    """See the module's docstring; `quick` takes short texts and few rounds."""
    text = {"root.ar": source(600 if quick else 5_000)}
    cold({"root.ar": source(300, seed=2)})
    yield OPEN, [cold(text, gates=False) for _ in range(1 if quick else 5)]
    yield WHOLE, [cold(text) for _ in range(1 if quick else 5)]
    db = database(text)
    db.diagnostics()
    yield BODY, edits(db, body_edit, 3 if quick else 120)
    yield SIGNATURE, edits(db, signature_edit, 2 if quick else 60)
    del db
    files = package(4, 100) if quick else package()
    yield WARM, warm(files, 1 if quick else 5)
    yield MEMORY, [weight(len(files) - 1, 100 if quick else 500)]


def weight(files: int, lines: int) -> float:
    """Megabytes of a process that has checked a package of so many files."""
    words = [sys.executable, "-m", "benchmarks.bench_check", str(files), str(lines)]
    shown = subprocess.run(words, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1])
    return float(shown.stdout)


def resident() -> float:
    """Megabytes of this process that are in memory; of its peak where the system does not say."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text(encoding="ascii").split("VmRSS:")[1].split()[0]) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024)


if __name__ == "__main__":
    kept = database(package(int(sys.argv[1]), int(sys.argv[2])))
    kept.diagnostics()
    print(resident())
