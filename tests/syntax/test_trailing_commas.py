"""A comma list may end in a comma, with brackets around it or without (language, the head of the page)."""

from __future__ import annotations

import pytest

from argon_lang.queries.snippet import check_files
from argon_lang.syntax.format import format_text

AROUND = "type A { n: Int }\ntype B;\nrel r(a: A, b: A);\nstandpoint R;\n"


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("type C <: A, B,;", "type C <: A, B;"),
        ("type C <: A, { m: Int }", "type C <: A { m: Int }"),
        ("type C <: A, : B, where { self.n > 1 };", "type C <: A: B where { self.n > 1 };"),
        ("type C <: A, iff { self.n > 1 };", "type C <: A iff { self.n > 1 };"),
        ("rel s(a: A, b: A,) <: r,;", "rel s(a: A, b: A) <: r;"),
        ("standpoint S <: R,;", "standpoint S <: R;"),
        ("query q() -> [A] { select a from a: A order by a.n, }", "select a from a: A order by a.n\n"),
        ("query q() -> [A] { select a from a: A order by a.n desc, limit 3 }", "order by a.n desc limit 3\n"),
        ("query q() -> [A] { select a from a: A group by a, }", "select a from a: A group by a\n"),
        ("query q() -> [A] { select a from a: A group by a, having true }", "group by a having true\n"),
        ("query q() -> [A] { select a from a: A group by a, order by a, }", "group by a order by a\n"),
    ],
)
def test_a_list_without_brackets_may_end_in_a_comma_that_the_formatter_drops(written: str, canonical: str) -> None:
    text = AROUND + written + "\n"
    assert [each for each in check_files({"root.ar": text}) if each.severity == "error"] == []
    laid = format_text(text)
    assert canonical in laid
    assert format_text(laid) == laid


@pytest.mark.parametrize("name", ["limit", "having", "group", "order", "union"])
def test_behind_a_comma_the_word_of_a_clause_may_be_a_name(name: str) -> None:
    text = AROUND + f"query q({name}: Int) -> [A] {{ select a from a: A order by a.n, {name} }}\n"
    assert [each.code for each in check_files({"root.ar": text}) if each.severity == "error"] == []
