"""After any edits a database says what a new one says (architecture, invariant 2): typed, cut, moved, taken away."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from argon_lang.problems import Diagnostic
from argon_lang.program.view import PackageInfo
from argon_lang.queries.database import Database
from benchmarks.generate_source import package
from tests.support.markers import FIXTURES, files_of

INFO = PackageInfo("bench", prelude=("std::core::{type, rel}",))
EXAMPLES = Path(__file__).parents[2] / "examples"
SOURCES = sorted((
    *(path.parent for path in EXAMPLES.rglob("ox.toml") if "target" not in path.parts),
    *(path for path in (FIXTURES / "check").iterdir() if path.is_dir() or path.suffix == ".ar"),
    *(FIXTURES / "beginners").glob("*.ar"),
))  # fmt: skip
"""Every example and every fixture: what holds for one text need not hold for another."""

TYPED = (
    "x", "y", ".", " ", "(", ")", "{", "}", "0", "==", "\n", ";", ",", "not ", "pub ", "/*", "", "", "", "",
    "use std::time::today;\n", "derive q(x) :- p(x);\n", "type Z;\n", "fact Z(a);\n", "mod m;\n", "'", "#", "is ",
    "p(a).\n", "select ", "trait T {}\n", "standpoint S {\n", "#[default]\n",
)  # fmt: skip


def texts_of(chance: random.Random, source: Path | None) -> dict[str, str]:
    """A source, as if it were the package `bench`; a small generated package without one."""
    if source is None:
        return {f"bench/{path}": text for path, text in package(2, 90).items()}
    files = {path: text for path, text in files_of(source).items() if path.endswith(".ar")}
    return {f"bench/{path}": text for path, text in files.items() if "target" not in Path(path).parts}


def cold(texts: dict[str, str]) -> tuple[Diagnostic, ...]:
    db = Database(INFO)
    db.set_files(texts)
    return db.diagnostics()


def typed(db: Database, texts: dict[str, str], file: str, chance: random.Random) -> None:
    text = texts[file]
    start = chance.randrange(len(text) + 1)
    end = min(len(text), start + chance.choice([0, 0, 1, 5, 12, 150]))
    new = chance.choice(TYPED)
    texts[file] = text[:start] + new + text[end:]
    db.edit_file(file, start, end, new)


def line_moved(db: Database, texts: dict[str, str], file: str, chance: random.Random) -> None:
    lines = texts[file].split("\n")
    line = lines.pop(chance.randrange(len(lines)))
    lines.insert(chance.randrange(len(lines) + 1), line)
    texts[file] = "\n".join(lines)
    db.set_file(file, texts[file])


def gone_and_back(db: Database, texts: dict[str, str], file: str, chance: random.Random) -> None:
    db.set_file(file, None)
    if chance.random() < 0.5:
        assert db.diagnostics() == cold({name: text for name, text in texts.items() if name != file})
    db.set_file(file, texts[file])


def edits_agree(seed: int, count: int) -> None:
    """One walk of `count` edits over each source in turn; now and then without asking in between, or with a sweep."""
    chance = random.Random(seed)
    texts = texts_of(chance, [*SOURCES, None][seed % (len(SOURCES) + 1)])
    db = Database(INFO)
    db.set_files(texts)
    db.diagnostics()
    for step in range(count):
        edit = chance.choices((typed, line_moved, gone_and_back), (80, 15, 5))[0]
        edit(db, texts, chance.choice(sorted(texts)), chance)
        if chance.random() < 0.8:
            db.diagnostics(gates=chance.random() < 0.9)
            assert db.diagnostics() == cold(texts), (seed, step)
        if chance.random() < 0.1:
            db.memory.sweep()


@pytest.mark.parametrize("seed", range(len(SOURCES) + 1))
def test_a_walk_of_random_edits_says_what_a_new_database_says(seed: int) -> None:
    edits_agree(seed, 10)


def test_the_walks_are_a_thousand_edits() -> None:
    assert (len(SOURCES) + 1) * 10 >= 1_000


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1_000, 1_400))
def test_long_walks_of_random_edits_say_what_a_new_database_says(seed: int) -> None:
    edits_agree(seed, 25)


def test_a_file_beside_a_missing_entry_file_has_no_fix_in_it() -> None:
    found = cold({"bench/other.ar": "pub type A;\n"})
    assert [(each.code, each.location.file, each.fixes) for each in found if each.code == "OW0107"] == [
        ("OW0107", "bench/other.ar", ())
    ]
