"""Every fixture gives exactly the problems that it marks; together they cover every code of the parser."""

from __future__ import annotations

from pathlib import Path

import pytest

from argon_lang.syntax.document import Document
from shared_catalog import render
from tests.syntax.marked import Mark, expected_marks, found_marks

FIXTURES = sorted((Path(__file__).parent / "fixtures").glob("*.ar"))
CODES = {
    *(f"OE{number:04}" for number in (1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)),
    "OW0006", "OE1315", "OE1345", "OE1352", "OE1353",
}  # fmt: skip


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_a_fixture_has_the_problems_that_it_marks_and_no_others(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert found_marks(text) == expected_marks(text)


def test_the_fixtures_cover_every_code_that_the_parser_reports() -> None:
    marks = [mark for path in FIXTURES for mark in expected_marks(path.read_text(encoding="utf-8"))]
    assert {mark.code for mark in marks} == CODES


def test_a_marker_that_nothing_matches_is_noticed() -> None:
    text = "type A {}\n//   ^ OE0001\n"
    assert expected_marks(text) == [Mark(0, 5, 6, "OE0001")] != found_marks(text)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_the_catalog_has_words_for_all_that_is_reported(path: Path) -> None:
    document = Document.parse(path.read_text(encoding="utf-8"))
    for _, problem in document.problems:
        assert render.message(problem.code, problem.args)
        assert all(render.label(problem.code, each.key, each.args) for each in problem.related)
        assert all(render.note(problem.code, each.key, each.args) for each in problem.notes)
        assert all(render.fix_title(problem.code, each.key, each.args) for each in problem.fixes)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_a_fix_leaves_fewer_problems(path: Path) -> None:
    document = Document.parse(path.read_text(encoding="utf-8"))
    for index, problem in document.problems:
        for fix in problem.fixes:
            text = document.text
            for edit in sorted(fix.edits, key=lambda edit: -edit.start):
                start = document.starts[index] + edit.start
                text = text[:start] + edit.text + text[document.starts[index] + edit.end :]
            assert len(Document.parse(text).problems) < len(document.problems), (problem, fix)
