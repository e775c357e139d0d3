"""Every Example is compiled and gives its own code where it is marked; every Fix compiles clean."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from argon_lang.problems import Diagnostic, PublishedFix, Replacement
from shared_catalog import load
from shared_catalog.model import Entry, FixExample
from tests.catalog.compiled import check_files
from tests.catalog.snippets import marks, unmarked

ENTRIES = [entry for entry in load.catalog().values() if entry.executed]
COMPILED = [entry for entry in ENTRIES if not entry.body.example[0].at_write]
WRITTEN = [entry for entry in ENTRIES if entry.body.example[0].at_write]
FIXES = [(entry, fix) for entry in ENTRIES for fix in entry.body.fixes]


def _code(value: object) -> str:
    if isinstance(value, Entry):
        return value.code
    return str(value.fix_class) if isinstance(value, FixExample) else str(value)


def _errors(found: list[Diagnostic], *, but: str = "") -> list[tuple[str, str]]:
    return [(d.code, d.message) for d in found if d.severity == "error" and d.code != but]


def _apply(files: Mapping[str, str], fix: PublishedFix) -> dict[str, str]:
    changed = dict(files)
    for edit in sorted(fix.edits, key=_from_the_end):
        at = edit.location
        text = changed.get(at.file, "")
        changed[at.file] = text[: at.start] + edit.text + text[at.end :]
    return changed


def _from_the_end(edit: Replacement) -> tuple[str, int]:
    return edit.location.file, -edit.location.start


@pytest.mark.parametrize("entry", COMPILED, ids=_code)
def test_an_example_gives_its_own_code_at_the_marked_span_and_no_other_error(entry: Entry) -> None:
    found = check_files(unmarked(entry.body.example))
    own = [d for d in found if d.code == entry.code]
    assert own
    assert _errors(found, but=entry.code) == []
    expected = marks(entry.body.example)
    spans = [(d.location.file, d.location.start, d.location.end) for d in own]
    if expected:
        assert len(expected) == len(own), spans
        assert all(
            mark.file == file and mark.fits(start, end)
            for mark, (file, start, end) in zip(expected, sorted(spans), strict=True)
        ), spans


@pytest.mark.parametrize("entry", WRITTEN, ids=_code)
def test_an_example_of_a_refused_write_compiles_clean(entry: Entry) -> None:
    assert _errors(check_files(unmarked(entry.body.example))) == []


@pytest.mark.parametrize(("entry", "fix"), FIXES, ids=_code)
def test_a_fix_compiles_without_errors_and_without_the_code(entry: Entry, fix: FixExample) -> None:
    found = check_files(unmarked(fix.snippets))
    assert _errors(found) == []
    assert [d.message for d in found if d.code == entry.code] == []


@pytest.mark.parametrize("entry", COMPILED, ids=_code)
def test_every_quick_fix_turns_the_example_into_a_clean_program(entry: Entry) -> None:
    files = unmarked(entry.body.example)
    for diagnostic in check_files(files):
        if diagnostic.code == entry.code:
            for fix in diagnostic.fixes:
                left = check_files(_apply(files, fix))
                assert _errors(left) == [], fix.title
                assert [d.message for d in left if d.code == entry.code] == [], fix.title
