"""Growing selections."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.ide.selection import selections
from tests.ide.packages import marked

SOURCE = "/// Docs.\ntype P { }\nderive d(x: P) :- x: P, not (1 + $0size > 2);\n"


def test_a_selection_grows_from_the_word_to_the_file() -> None:
    package = marked(SOURCE)
    texts = [package.text(each) for each in selections(package.db, *package.at(0))]
    assert texts[:3] == ["size", "1 + size", "1 + size > 2"]
    assert texts[-1] == package.db.text("root.ar")


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(-2, len(SOURCE) + 2))
def test_each_selection_holds_the_place_and_lies_within_the_next(offset: int) -> None:
    package = marked(SOURCE)
    found = selections(package.db, "root.ar", offset)
    assert found
    for inner, outer in pairwise(found):
        assert outer.start <= inner.start <= inner.end <= outer.end
        assert (outer.start, outer.end) != (inner.start, inner.end)


def test_a_file_that_is_not_there_has_an_empty_selection() -> None:
    assert [(each.start, each.end) for each in selections(marked("").db, "other.ar", 3)] == [(0, 0)]
