"""After any edits a database says what a new one says (architecture, invariant 2): typed, cut, moved, taken away."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from argon_lang.problems import Diagnostic
from argon_lang.program.view import PackageInfo
from argon_lang.queries.database import Database
from benchmarks.generate_source import package

INFO = PackageInfo("bench", prelude=("std::core::{type, rel}",))
LEASE = Path(__file__).parents[2] / "examples" / "lease"
TYPED = (
    "x", "y", ".", " ", "(", ")", "{", "}", "0", "==", "\n", ";", ",", "not ", "pub ", "/*", "", "", "", "",
    "use std::time::today;\n", "derive q(x) :- p(x);\n", "type Z;\n", "fact Z(a);\n", "mod m;\n",
)  # fmt: skip


def texts_of(chance: random.Random) -> dict[str, str]:
    """The lease example, or a small generated package."""
    if chance.random() < 0.3:
        return {f"bench/{path}": text for path, text in package(2, 90).items()}
    files = (path for path in LEASE.rglob("*.ar") if "target" not in path.parts)
    return {f"bench/{path.relative_to(LEASE).as_posix()}": path.read_text(encoding="utf-8") for path in files}


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
    """One walk of `count` edits; now and then without asking in between, or with a sweep."""
    chance = random.Random(seed)
    texts = texts_of(chance)
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


@pytest.mark.parametrize("seed", [1, 70, 100_000])
def test_a_walk_of_random_edits_says_what_a_new_database_says(seed: int) -> None:
    edits_agree(seed, 12)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1_000, 1_200))
def test_long_walks_of_random_edits_say_what_a_new_database_says(seed: int) -> None:
    edits_agree(seed, 25)


def test_a_file_beside_a_missing_entry_file_has_no_fix_in_it() -> None:
    found = cold({"bench/other.ar": "pub type A;\n"})
    assert [(each.code, each.location.file, each.fixes) for each in found if each.code == "OW0107"] == [
        ("OW0107", "bench/other.ar", ())
    ]
