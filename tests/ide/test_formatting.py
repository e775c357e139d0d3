"""The canonical layout as edits."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.ide.formatting import format_edits, line_edits
from argon_lang.problems import Replacement
from argon_lang.queries.snippet import database_of
from argon_lang.syntax.format import format_text

UNTIDY = "// head\npub   type A{b:Int,\n  c :  Int }\n\n\n\npub type B { a: A }\npub rel r( a:A,b :B );\n"


def applied(text: str, edits: tuple[Replacement, ...]) -> str:
    for edit in reversed(edits):
        text = text[: edit.location.start] + edit.text + text[edit.location.end :]
    return text


@pytest.mark.parametrize("text", [UNTIDY, UNTIDY.replace("\n", "\r\n"), "pub type A { }", "", UNTIDY + "pub type ("])
def test_the_edits_lead_to_the_canonical_layout(text: str) -> None:
    edits = format_edits(database_of({"root.ar": text}), "root.ar")
    assert applied(text, edits) == format_text(text)


def test_a_text_in_canonical_layout_needs_no_edit() -> None:
    text = format_text(UNTIDY)
    assert format_edits(database_of({"root.ar": text}), "root.ar") == ()


def test_lines_that_stay_are_not_touched() -> None:
    (edit, *_) = format_edits(database_of({"root.ar": UNTIDY}), "root.ar")
    assert edit.location.start == UNTIDY.index("pub   type A")


def test_an_unknown_file_has_no_edits() -> None:
    assert format_edits(database_of({"root.ar": UNTIDY}), "other.ar") == ()


@given(st.text("ab\n\r\u2028", max_size=30), st.text("ab\n\r\u2028", max_size=30))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_line_edits_turn_any_text_into_any_other(before: str, after: str) -> None:
    edits = line_edits("root.ar", 3, before, after)
    assert applied("xyz" + before, edits) == "xyz" + after
