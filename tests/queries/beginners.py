"""Mistakes that people bring from other languages, and how each is told: `python -m tests.queries.beginners [--check]`.

A fixture of `tests/fixtures/beginners` is a small program with one mistake: on the line below the comment that begins
`// Written from`. Beside it stands, as golden text, what `argon check` prints for it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from io import StringIO
from pathlib import Path

from rich.console import Console

from argon_lang.cli.report import draw_diagnostics
from argon_lang.problems import Diagnostic
from argon_lang.queries.snippet import check_files
from tests.support.markers import FIXTURES

FOLDER = FIXTURES / "beginners"
HABITS = ("rust", "datalog", "sql", "prolog", "python")
SIGN = "// Written from "
WIDTH = 120


def sources() -> list[Path]:
    """Every fixture, by name."""
    return sorted(FOLDER.glob("*.ar"))


def damaged_line(text: str) -> int:
    """The zero-based line of the mistake."""
    (line,) = (number for number, line in enumerate(text.split("\n")) if line.lstrip().startswith(SIGN))
    return line + 1


def diagnostics(path: Path) -> list[Diagnostic]:
    """What is said of a fixture."""
    return check_files({"root.ar": path.read_text("utf-8")})


def rendered(path: Path) -> str:
    """What `argon check` prints for a fixture, without colours."""
    out = StringIO()
    console = Console(file=out, width=WIDTH, color_system=None, force_terminal=False)
    draw_diagnostics(console, diagnostics(path), {"root.ar": path.read_text("utf-8")})
    return "\n".join(line.rstrip() for line in out.getvalue().split("\n"))


def main(arguments: Iterable[str]) -> int:
    """Write the golden texts, or with `--check` name those that differ."""
    stale = [path for path in sources() if _golden(path) != rendered(path)]
    for path in stale:
        if "--check" in arguments:
            sys.stdout.write(f"out of date: {path.with_suffix('.txt').name} (run python -m tests.queries.beginners)\n")
        else:
            path.with_suffix(".txt").write_text(rendered(path), "utf-8", newline="\n")
    return int("--check" in arguments and bool(stale))


def _golden(path: Path) -> str | None:
    written = path.with_suffix(".txt")
    return written.read_text("utf-8") if written.exists() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
