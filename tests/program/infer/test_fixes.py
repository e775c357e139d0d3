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


MATCHES = {
    "fn f(a: A) -> Int = match a { A::X => 1 };": "fn f(a: A) -> Int = match a { A::X => 1, A::Y(_) => 0, A::Z => 0 };",
    "fn f(a: A) -> Int = match a { A::X => 1, };": (
        "fn f(a: A) -> Int = match a { A::X => 1, A::Y(_) => 0, A::Z => 0 };"
    ),
    "fn f(a: A) -> A {\n    match a {\n        A::X => A::Z,\n        A::Y(n) => a,\n    }\n}": (
        "fn f(a: A) -> A {\n    match a {\n        A::X => A::Z,\n        A::Y(n) => a,\n"
        "        A::Z => A::X,\n    }\n}"
    ),
    'fn f(n: Int) -> String = match n { 1 => "one" };': 'fn f(n: Int) -> String = match n { 1 => "one", _ => "" };',
    'test "t" { match A::X { A::X => {} } }': 'test "t" { match A::X { A::X => {}, A::Y(_) => {}, A::Z => {} } }',
}


@pytest.mark.parametrize("text", MATCHES)
def test_a_match_that_forgets_cases_is_given_an_arm_for_each(text: str) -> None:
    before = f"enum A {{ X, Y(Int), Z }}\n{text}\n"
    (fix,) = [fix for each in diagnostics(before) if each.code == "OE0203" for fix in each.fixes]
    after = applied(before, fix)
    assert after.splitlines()[1:] == MATCHES[text].splitlines()
    assert not errors(diagnostics(after))


def test_no_arm_is_offered_where_no_value_can_be_written_down() -> None:
    text = "enum A { X, Y }\ntype B;\nfn f(a: A, b: B) -> B = match a { A::X => b };\n"
    assert [each.fixes for each in diagnostics(text) if each.code == "OE0203"] == [()]
