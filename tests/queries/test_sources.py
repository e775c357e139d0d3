"""A text that replaces another is an edit of what differs."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.queries.sources import changed, opened

TEXTS = st.lists(st.sampled_from(["pub type A { }\n", "fact A(b) { };\n", "x", ";", "\n"]), max_size=12).map("".join)


@given(TEXTS, TEXTS)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_replaced_text_gives_the_document_of_the_new_text(before: str, after: str) -> None:
    found = changed(opened(before), after)
    assert found.text == after
    assert [item.text for item in found.items] == [item.text for item in opened(after).items]


@given(TEXTS, TEXTS, TEXTS)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_items_before_and_behind_what_differs_are_kept(head: str, old: str, tail: str) -> None:
    kept = "pub type First { }\n", "pub type Last { }\n"
    before = opened(kept[0] * 3 + head + old + tail + kept[1] * 3)
    after = changed(before, kept[0] * 3 + head + "fact A(c) { };\n" + tail + kept[1] * 3)
    assert after.items[0] is before.items[0]
