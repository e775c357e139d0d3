"""The catalog has every code of the specification, and what is not live says why."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from shared_catalog import load

LISTED = tomllib.loads(Path(__file__).with_name("specified.toml").read_text("utf-8"))
SPECIFIED = [code for table in LISTED.values() for code in table.split()]

SHOWN_BY_TESTS = {
    "OE0005": "no fenced text can hold bytes that are not UTF-8",
    "OE0017": "a text nested that deep does not fit a page",
    **dict.fromkeys(
        ("OE1202", "OE1203", "OE1204", "OE1210", "OE1213", "OE1214", "OE1216"), "an artifact is not a text"
    ),
}
"""Live numbered codes whose Example is no program, with the reason; `docs/coverage.md` names the tests instead."""


@pytest.mark.parametrize("code", SPECIFIED)
def test_a_code_of_the_specification_is_live_or_says_why_not(code: str) -> None:
    entry = load.entry(code)
    assert entry.status == "live" or entry.reason


def test_every_live_numbered_code_has_an_executed_example_or_is_listed_here() -> None:
    numbered = [entry for entry in load.catalog().values() if entry.category != "runtime" and entry.status == "live"]
    assert {entry.code for entry in numbered if not entry.executed} == SHOWN_BY_TESTS.keys()
