"""A beginner's mistake is told once, where it was made, in words that say what to type."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from argon_lang.queries.snippet import check_files
from argon_lang.session.editing import apply
from tests.queries import beginners

SOURCES = beginners.sources()
UNMENDED = {
    "rust_methods": "the receiver has to be named",
    "rust_none": "the field has to go, with its comma",
    "rust_some": "the call has to go, and its brackets",
    "rust_macro": "what it was to tell is the author's to say",
    "python_none": "the field has to go, with its comma",
    "python_len": "the function becomes a method",
    "python_class": "a block becomes fields in braces",
    "python_def": "types have to be named",
    "python_colon_block": "where the block ends is not written",
    "prolog_question": "a query has a name and a type",
    "prolog_head_and_tail": "there is no such pattern",
    "python_floor": "which division is meant is the author's to say",
    "datalog_untyped": "the types are the author's to say",
    "datalog_wildcard_head": "the head needs a name",
    "sql_create_table": "columns become fields",
    "sql_join": "a join becomes a condition",
    "sql_count_star": "what is counted has to be named",
}
"""Mistakes whose message says what to write, and that no edit can mend, with the reason."""


@pytest.fixture(params=SOURCES, ids=lambda path: path.stem)
def source(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


def test_every_habit_has_six_mistakes_at_least() -> None:
    counted = Counter(path.stem.partition("_")[0] for path in SOURCES)
    assert set(counted) == set(beginners.HABITS)
    assert min(counted.values()) >= 6


def test_a_mistake_gives_one_diagnostic_on_its_line(source: Path) -> None:
    text = source.read_text("utf-8")
    found = beginners.diagnostics(source)
    lines = [text.count("\n", 0, each.location.start) for each in found]
    assert lines == [beginners.damaged_line(text)], [(each.code, each.message) for each in found]


def test_a_message_says_what_to_type(source: Path) -> None:
    (found,) = beginners.diagnostics(source)
    assert found.help or found.fixes
    assert found.fixes or source.stem in UNMENDED


def test_a_fix_gives_a_program_without_the_mistake(source: Path) -> None:
    text = source.read_text("utf-8")
    (found,) = beginners.diagnostics(source)
    for fix in found.fixes:
        left = check_files({"root.ar": apply(text, fix.edits)})
        assert [(each.code, each.message) for each in left if each.severity == "error"] == [], fix.title


def test_what_is_printed_is_the_golden_text(source: Path) -> None:
    assert source.with_suffix(".txt").read_text("utf-8") == beginners.rendered(source)


def test_no_golden_text_is_left_over() -> None:
    assert {path.stem for path in beginners.FOLDER.glob("*.txt")} == {path.stem for path in SOURCES}
