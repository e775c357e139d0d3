"""Every fixture of `fixtures/check` gives the diagnostics that its markers say, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from argon_lang.queries.snippet import check_files
from tests.support.markers import FIXTURES, check_marked, expected, files_of

CHECK = sorted(path for path in (FIXTURES / "check").iterdir() if path.is_dir() or path.suffix == ".ar")


@pytest.mark.parametrize("path", CHECK, ids=lambda path: path.stem)
def test_a_fixture_gives_exactly_the_marked_diagnostics(path: Path) -> None:
    files = files_of(path)
    check_marked(files, check_files(files))


def test_a_marker_stands_for_the_code_points_above_its_carets() -> None:
    (mark,) = expected({"root.ar": "type A;\ntype B <: C;\n       // ^ OE0101\n"})
    assert (mark.line, mark.start, mark.end, mark.code) == (1, 10, 11, "OE0101")


def test_an_unmarked_diagnostic_fails() -> None:
    files = {"root.ar": "type B <: C;\n"}
    with pytest.raises(AssertionError, match="not marked"):
        check_marked(files, check_files(files))


def test_a_marker_without_its_diagnostic_fails() -> None:
    files = {"root.ar": "type B;\n  // ^ OE0101\n"}
    with pytest.raises(AssertionError, match="not found"):
        check_marked(files, check_files(files))
