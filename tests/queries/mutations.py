"""Single-token mutations of every example and of std: where the first diagnostic lands, and how many follow.

`python -m tests.queries.mutations [--every N] [--worst] [--figures FILE]` deletes, doubles and swaps with the next each
significant token (each N-th one), and asks an incremental database. Only errors that the text did not have count; a
mutant without any is *silent* (still a program). The first one *lands* when it begins in an item that was damaged.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from argon_lang.problems import Diagnostic
from argon_lang.queries.database import Database
from argon_lang.queries.snippet import database_of as lone_text
from argon_lang.session.compiler import database_of
from argon_lang.session.project import Project
from argon_lang.syntax.document import Document

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
STD = ROOT / "argon_lang" / "std"
WAYS = ("delete", "double", "swap")
LANDING, EXTRA = 0.95, 0
"""The targets: the share of first diagnostics on the damaged item, and the median of those that follow."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """Replace `[start, end)` of a file by `text`; the damaged items cover `[low, high)` of the original."""

    way: str
    file: str
    start: int
    end: int
    text: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a mutant: the new errors in the order in which they are told; whether the first one lands."""

    mutant: Mutant
    errors: tuple[Diagnostic, ...]
    lands: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts of one run: mutants, those without an error, the share that lands, median and worst of those behind."""

    mutants: int
    silent: int
    landing: float
    extra: float
    alone: float

    def table(self) -> str:
        """One row: mutants, silent, landing, alone, median of those that follow."""
        return f"{self.mutants} | {self.silent} | {self.landing:.1%} | {self.alone:.1%} | {self.extra:g}"


def packages() -> Iterator[Database]:
    """A database of each example, and of each module of std as a text of its own."""
    for manifest in sorted(EXAMPLES.rglob("ox.toml")):
        if "target" not in manifest.parts:
            yield database_of(Project.open(manifest.parent).inputs())[1]
    for path in sorted(STD.rglob("*.ar")):
        yield lone_text({"root.ar": path.read_text("utf-8")})


def mutants(file: str, document: Document, every: int = 1, phase: int = 0) -> Iterator[Mutant]:
    """The mutants of a text, item by item; of each `every`-th token only, beginning with `phase`."""
    spans = [
        (document.starts[number] + token.start, document.starts[number] + token.end, number)
        for number, item in enumerate(document.items)
        for token in map(item.token, range(item.count))
    ]
    ends = [*document.starts[1:], len(document.text)]
    for at in range(phase, len(spans), every):
        start, end, number = spans[at]
        low, high, text = document.starts[number], ends[number], document.text
        yield Mutant("delete", file, start, end, "", low, high)
        yield Mutant("double", file, end, end, " " + text[start:end], low, high)
        if at + 1 < len(spans):
            second, last, following = spans[at + 1]
            swapped = text[second:last] + text[end:second] + text[start:end]
            yield Mutant("swap", file, start, last, swapped, low, ends[following])


def outcomes(db: Database, every: int = 1, phase: int = 0) -> Iterator[Outcome]:
    """Every mutant of a package, tried and taken back."""
    before = Counter((each.code, each.message) for each in db.diagnostics() if each.severity == "error")
    for file in db.files_of(db.package):
        text = db.documents()[file].text
        for mutant in mutants(file, db.documents()[file], every, phase):
            db.edit_file(file, mutant.start, mutant.end, mutant.text)
            errors = tuple(_new(db.diagnostics(), before))
            db.edit_file(file, mutant.start, mutant.start + len(mutant.text), text[mutant.start : mutant.end])
            yield Outcome(mutant, errors, _lands(mutant, errors))


def _new(found: tuple[Diagnostic, ...], before: Counter[tuple[str, str]]) -> Iterator[Diagnostic]:
    left = before.copy()
    for each in found:
        if each.severity == "error":
            left[each.code, each.message] -= 1
            if left[each.code, each.message] < 0:
                yield each


def _lands(mutant: Mutant, errors: tuple[Diagnostic, ...]) -> bool:
    """Whether the first error begins in a damaged item, whose end moved with the text."""
    if not errors:
        return True
    first, moved = errors[0].location, len(mutant.text) - (mutant.end - mutant.start)
    return first.file == mutant.file and mutant.low <= first.start <= mutant.high + moved


def figures(found: list[Outcome]) -> Figures:
    """The counts of some outcomes."""
    told = [each for each in found if each.errors]
    return Figures(
        len(found),
        len(found) - len(told),
        sum(each.lands for each in told) / max(1, len(told)),
        median([len(each.errors) - 1 for each in told] or [0]),
        sum(len(each.errors) == 1 for each in told) / max(1, len(told)),
    )


def by_way(found: list[Outcome]) -> dict[str, Figures]:
    """The counts of each way of mutating, and of all."""
    rows = {way: figures([each for each in found if each.mutant.way == way]) for way in WAYS}
    return {**rows, "all": figures(found)}


def report(found: list[Outcome]) -> str:
    """The figures as a table of Markdown."""
    head = "| | mutants | silent | first error on the damaged item | alone | median of those that follow |"
    rows = [f"| {way} | {each.table()} |" for way, each in by_way(found).items()]
    return "\n".join((head, "|---|---|---|---|---|---|", *rows, ""))


def worst(found: list[Outcome], most: int = 25) -> str:
    """The kinds of mutants that land elsewhere, or bring most errors along, with one of each."""
    kinds: Counter[str] = Counter()
    shown: dict[str, Outcome] = {}
    for each in found:
        if each.errors and (not each.lands or len(each.errors) > 1):
            key = f"{each.mutant.way} {'elsewhere' if not each.lands else 'more'} {each.errors[0].code}"
            key += f" then {each.errors[1].code}" if len(each.errors) > 1 else ""
            kinds[key] += len(each.errors)
            shown.setdefault(key, each)
    lines = []
    for key, count in kinds.most_common(most):
        mutant, errors = shown[key].mutant, shown[key].errors
        lines.append(f"{count:5} {key}: {mutant.file} {mutant.start}-{mutant.end} -> {mutant.text!r}")
        lines += [f"        {each.code} {each.message} @{each.location.start}" for each in errors[:4]]
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Run, print the table, and say by the exit status whether the targets hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.queries.mutations")
    parser.add_argument("--every", type=int, default=1, help="try each N-th token only")
    parser.add_argument("--worst", action="store_true", help="show the kinds that do worst")
    options = parser.parse_args(arguments)
    found = [each for db in packages() for each in outcomes(db, options.every)]
    sys.stdout.write(report(found) + (f"\n{worst(found)}\n" if options.worst else ""))
    total = figures(found)
    return int(total.landing < LANDING or total.extra > EXTRA)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
