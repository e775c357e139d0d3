"""Editing a document gives what parsing the new text gives (architecture, invariant 2)."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.syntax.document import Document
from argon_lang.syntax.tree import Item

FIXTURES = Path(__file__).parent / "fixtures"
VALID = (FIXTURES / "valid.ar").read_text(encoding="utf-8")
PIECES = (
    "", "x", " ", ".", "}", "{", "(", ")", "[", "]", "\n", "pub ", "/// d\n", "//! i\n", '"', " , ", "/*", "*/", ";",
    "derive q(x: A) :- x: A;\n", "type A { }\n", "mod z {\n", "#[", "a.R+(b)", "::", "not ", "=", "é", "@", "'",
    "#2026-13-01#", "fn ", "match x {", "if ", "for x in ", "\r", "\r\n", "= A | B", "where", "\u2028", "((((",
)  # fmt: skip


def content(item: Item) -> tuple[Any, ...]:
    """Everything that an item says."""
    arrays = (item.node_kinds, item.node_starts, item.node_ends, item.node_firsts)
    return (item.text, item.tokens, item.kinds, *arrays, item.problems, item.count, item.reach)


def assert_same(edited: Document, parsed: Document) -> None:
    assert edited.text == parsed.text == "".join(item.text for item in edited.items)
    assert [content(item) for item in edited.items] == [content(item) for item in parsed.items]
    assert edited.starts == parsed.starts
    assert edited.problems == parsed.problems
    assert edited.labels == parsed.labels


def random_edit(chooser: random.Random, length: int) -> tuple[int, int, str]:
    start = chooser.randrange(length + 1)
    return start, min(length, start + chooser.choice((0, 0, 0, 1, 1, 3, 30, 200))), chooser.choice(PIECES)


def run_edits(seed: int, count: int) -> None:
    chooser, document = random.Random(seed), Document.parse(VALID)
    for _ in range(count):
        document = document.edit(*random_edit(chooser, len(document.text)))
        assert_same(document, Document.parse(document.text))


@pytest.mark.parametrize("seed", range(10))
def test_fifty_random_edits_in_a_row_equal_a_full_parse(seed: int) -> None:
    run_edits(seed, 50)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 160))
def test_many_random_edits_equal_a_full_parse(seed: int) -> None:
    run_edits(seed, 250)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(PIECES), max_size=12), st.integers(0, 60), st.integers(0, 20), st.sampled_from(PIECES))
def test_an_edit_of_any_pieces_equals_a_full_parse(parts: list[str], start: int, length: int, new: str) -> None:
    document = Document.parse("".join(parts)).edit(start, start + length, new)
    assert_same(document, Document.parse(document.text))


def test_items_that_an_edit_leaves_alone_are_the_same_objects() -> None:
    before = Document.parse(VALID)
    place = VALID.index("n += 1")
    after = before.edit(place, place + 1, "k")
    assert after.damage is not None
    changed = after.damage.first + after.damage.added
    assert after.items[changed:] == before.items[after.damage.first + after.damage.removed :]
    same = [old is new for old, new in zip(before.items, after.items, strict=True)]
    assert same.count(False) == 1


def test_an_edit_inside_an_inline_module_reparses_that_item_only() -> None:
    text = "mod m {\n    type A { x: Int }\n\n    type B { y: Int }\n\n    type C { z: Int }\n}\n"
    before = Document.parse(text)
    after = before.edit(text.index("y"), text.index("y") + 1, "why")
    assert [old is new for old, new in zip(before.items, after.items, strict=True)].count(False) == 1


def test_offsets_outside_the_text_are_clamped() -> None:
    document = Document.parse("type A {}\n").edit(-5, 0, "//\n").edit(100, 200, "type B {}\n")
    assert document.text == "//\ntype A {}\ntype B {}\n"


def test_an_empty_document_can_be_typed_into() -> None:
    document = Document.parse("")
    for character in "type A { x: Int }\n":
        document = document.edit(len(document.text), len(document.text), character)
    assert_same(document, Document.parse("type A { x: Int }\n"))
