"""Every fix that a body's problem offers: applied, it removes that problem and brings no other error."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from argon_lang.problems import Diagnostic, PublishedFix
from argon_lang.queries.snippet import check_files
from tests.support.markers import FIXTURES

SOURCES = sorted((FIXTURES / "check").glob("infer_*.ar"))


def diagnostics(text: str) -> list[Diagnostic]:
    return check_files({"root.ar": text})


def applied(text: str, fix: PublishedFix) -> str:
    for edit in sorted(fix.edits, key=lambda each: each.location.start, reverse=True):
        text = text[: edit.location.start] + edit.text + text[edit.location.end :]
    return text


def errors(found: list[Diagnostic]) -> Counter[str]:
    return Counter(each.code for each in found if each.severity == "error")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_fix_removes_its_problem_and_brings_no_other(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    before = diagnostics(text)
    for diagnostic in before:
        for fix in diagnostic.fixes:
            after = diagnostics(applied(text, fix))
            codes = Counter(each.code for each in after)
            assert codes[diagnostic.code] < Counter(each.code for each in before)[diagnostic.code], fix.title
            assert errors(after) <= errors(before), (diagnostic.code, fix.title, errors(after) - errors(before))
