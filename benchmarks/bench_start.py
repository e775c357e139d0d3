"""How long a command takes from nothing: a new process each time, wall clock."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from benchmarks.generate_source import package
from benchmarks.table import Budget, Samples

COMMANDS = {
    "`argon --version`, process start": ("--version",),
    "`argon explain OE1317`, process start": ("explain", "OE1317"),
}
COLD = "`argon check` of 100 files × 500 lines, cold, on as many processors as there are"
WARM = "`argon check` of 100 files × 500 lines, warm from the cache"
EDITED = "`argon check` of 100 files × 500 lines, one rule of one file edited since"
BUDGETS = (
    *(Budget(what, p50=150) for what in COMMANDS),
    Budget(COLD, p50=3_000),
    Budget(WARM, p50=800),
    Budget(EDITED),
)

HERE = Path(__file__).parents[1]
MANIFEST = '[package]\nname = "bench"\nprelude = ["std::core::{type, rel}"]\n'


def run(words: tuple[str, ...], more: Mapping[str, str]) -> float:
    """Milliseconds of one process, with `more` in its environment."""
    begin = time.monotonic()
    command = [sys.executable, "-m", "argon_lang", *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=HERE, env={**os.environ, **more})
    return (time.monotonic() - begin) * 1e3


def measure(quick: bool) -> Samples:
    """See the module's docstring; the first process, which may have to write bytecode, does not count."""
    for what, words in COMMANDS.items():
        run(words, {})
        yield what, [run(words, {}) for _ in range(1 if quick else 15)]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "package"
        root.mkdir()
        (root / "ox.toml").write_text(MANIFEST, encoding="utf-8")
        for path, text in (package(3, 100) if quick else package()).items():
            (root / path).write_text(text, encoding="utf-8")
        words, kept = ("check", "--project", str(root)), {"ARGON_CACHE_DIR": str(Path(folder) / "cache")}
        yield COLD, [run(words, {"ARGON_CACHE_DIR": str(Path(folder) / f"cold{n}")}) for n in range(1 if quick else 3)]
        run(words, kept)
        yield WARM, [run(words, kept) for _ in range(1 if quick else 9)]
        yield EDITED, [edited(root, n, words, kept) for n in range(1 if quick else 5)]


def edited(root: Path, number: int, words: tuple[str, ...], more: Mapping[str, str]) -> float:
    """Milliseconds of one process after another comparison was put into one rule."""
    file = root / f"part{number % 3:03}.ar"
    text = file.read_text(encoding="utf-8")
    place = text.index("x.opened < today()")
    file.write_text(f"{text[:place]}x.level > {number}, {text[place:]}", encoding="utf-8")
    return run(words, more)
