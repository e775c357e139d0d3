"""Nothing is claimed that nothing shows: every row of docs/coverage.md, and that no row is missing."""

from __future__ import annotations

import re

import pytest

from argon_lang.syntax.grammar import NODES
from shared_catalog import load
from tests.docs import coverage

CLAIMS = coverage.claims()
PAGE = coverage.PAGE.read_text("utf-8") if coverage.PAGE.exists() else ""
SEMANTICS = {1: 7, 2: 5, 3: 3, 4: 5, 5: 4, 6: 6, 7: 5, 8: 4, 9: 3, 10: 3, 11: 2}
"""The sections of the semantics that this version has to do with, and the number of their clauses."""


def test_the_page_is_current() -> None:
    assert coverage.main(["--check"]) == 0


@pytest.mark.parametrize("folder", [coverage.PARSED, coverage.CHECKED], ids=["parsed", "judged"])
def test_every_production_of_the_language_is_in_a_fixture(folder: coverage.Path) -> None:
    shown = coverage.exercised(folder)
    assert [node.name for node in NODES if node.name not in shown] == []
    assert [node.name for node in NODES if f"\n| {node.name} | " not in PAGE] == []


def test_every_code_has_a_row_that_says_what_shows_it() -> None:
    rows = re.findall(r"^\| \[(\w[\w-]*)\]\(codes\.md#\S+\) \| \w+ \| (.+) \|$", PAGE, re.MULTILINE)
    assert [code for code, _ in rows] == list(load.catalog())
    for code, shown in rows:
        entry = load.catalog()[code]
        assert ("executed example" in shown) == entry.executed
        assert shown != "—", code


def test_every_invariant_and_every_clause_of_the_semantics_has_its_tests() -> None:
    assert list(CLAIMS["invariants"]) == list(coverage.invariants())
    for table in ("invariants", "artifact"):
        assert all(isinstance(tests, list) and tests for tests in CLAIMS[table].values())
    assert list(CLAIMS["clauses"]) == [
        f"S{section}.{at}" for section, most in SEMANTICS.items() for at in range(1, most + 1)
    ]


@pytest.mark.parametrize("claim", [f"{table} {name}" for table, rows in CLAIMS.items() for name in rows])
def test_the_tests_of_a_claim_exist(claim: str) -> None:
    table, _, name = claim.partition(" ")
    tests = CLAIMS[table][name]
    named = [] if isinstance(tests, str) else [each.partition("::") for each in tests]
    assert [f"{file}::{test}" for file, _, test in named if test not in coverage.tests_in(file)] == []
