"""One error of each kind of gate in `examples/lease`: pointed at as rustc would, and gone when it is mended."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.cli import argon, copy

BROKEN: list[tuple[str, str, str, str, str, str]] = [
    # gate, file, what is written now, instead of it, code, marked text
    ("parse", "root.ar", "mod parties;", "mod parties", "OE0011", ""),
    ("names", "root.ar", "    overdue(i),\n", "    overdu(i),\n", "OE0101", "overdu"),
    ("types", "root.ar", "require rent > 0;", 'require rent > "0";', "OE0202", '"0"'),
    ("constructs", "root.ar", "set { paid = true }", "set { amount = 1.00 }", "OE0231", "amount"),
    ("tiers", "ox.toml", 'license = "MIT"', 'max_tier = "structural"', "OE0711", "answers_for"),
    (
        "evaluability",
        "root.ar",
        "/// The fee",
        "derive calm(p: Person) :- not in_arrears(p);\n/// The fee",
        "OE1303",
        "p",
    ),
    ("instances", "world.ar", "guarantees(cleo, ada)", "guarantees(loft, ada)", "OE0229", "loft"),
    (
        "checks",
        "world.ar",
        "fact guarantees(cleo, ada);",
        "fact guarantees(cleo, ada);\nfact lets(ben, garden_flat) { rent: 1.00, start: #2026-01-01# };",
        "OE1354",
        "one_tenant_per_flat",
    ),
]


@pytest.fixture
def lease(tmp_path: Path) -> Path:
    return copy("lease", tmp_path / "lease")


def marked(shown: str) -> list[str]:
    """The source text over each run of carets."""
    lines = shown.splitlines()
    found = []
    for above, below in pairwise(lines):
        carets = re.match(r"^ *\| ( *)(\^+)", below)
        source = re.match(r"^ *\d+ \| (.*)$", above)
        if carets and source:
            start = len(carets[1])
            found.append(source[1][start : start + len(carets[2])])
    return found


@pytest.mark.parametrize(("gate", "file", "old", "new", "code", "text"), BROKEN, ids=[row[0] for row in BROKEN])
def test_an_error_of_each_gate_is_pointed_at_and_clears_when_it_is_mended(
    lease: Path, gate: str, file: str, old: str, new: str, code: str, text: str
) -> None:
    path = lease / file
    sound = path.read_text(encoding="utf-8")
    assert sound.count(old) >= 1, gate
    path.write_text(sound.replace(old, new, 1), encoding="utf-8")
    done = argon("check", cwd=lease)
    assert done.status == 1
    codes = re.findall(r"^error\[(\w+)\]", done.out, re.MULTILINE)
    assert codes
    assert set(codes) == {code}, done.out
    assert text in marked(done.out), done.out
    path.write_text(sound, encoding="utf-8")
    assert argon("check", cwd=lease).out == "no problems found\n"
