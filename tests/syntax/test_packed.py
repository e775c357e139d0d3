"""A tree that was packed and unpacked is the parsed one, and a form of anything else is none."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import cbor2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.problems import Edit, Fix, ItemId, Place, Problem, Related
from argon_lang.syntax.document import Document
from argon_lang.syntax.packed import pack, unpack
from tests.syntax.test_incremental import PIECES, VALID, assert_same, content, random_edit

ROOT = Path(__file__).resolve().parents[1]
TEXTS = sorted([*(ROOT / "syntax" / "fixtures").rglob("*.ar"), *(ROOT / "fixtures").rglob("*.ar")])
CHANGES = st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=3)


def again(document: Document) -> Document:
    """The document, packed to bytes and unpacked."""
    found = unpack(document.text, cbor2.loads(cbor2.dumps(pack(document), canonical=True)))
    assert found is not None
    return found


def shown(document: Document) -> list[Any]:
    """Everything that somebody may ask of a document."""
    said: list[Any] = [document.problems, document.labels, document.scopes, document.module_docs]
    for item in document.items:
        said.append((item.kind, item.extent, [item.token(place) for place in range(item.count)]))
        said += [(view.kind, view.start, view.end, view.docs, view.child_indexes) for view in item.root.descendants()]
    return said


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_every_fixture_comes_back_as_it_was_parsed(path: Path) -> None:
    parsed = Document.parse(path.read_text(encoding="utf-8", errors="replace"))
    found = again(parsed)
    assert_same(found, parsed)
    assert shown(found) == shown(parsed)


@pytest.mark.parametrize("seed", range(6))
def test_a_walk_of_random_edits_goes_on_from_what_came_back(seed: int) -> None:
    chooser, document = random.Random(seed), Document.parse(VALID)
    for _ in range(25):
        document = again(document.edit(*random_edit(chooser, len(document.text))))
        assert_same(document, Document.parse(document.text))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_any_pieces_come_back_as_they_were_parsed(parts: list[str]) -> None:
    parsed = Document.parse("".join(parts))
    assert_same(again(parsed), parsed)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.text(st.characters(), max_size=200))
def test_any_text_comes_back_as_it_was_parsed(text: str) -> None:
    parsed = Document.parse(text)
    found = unpack(text, pack(parsed))
    assert found is not None
    assert_same(found, parsed)


def test_a_text_of_more_tokens_than_two_bytes_count_comes_back() -> None:
    parsed = Document.parse("fact f(" + "a, " * 40_000 + "b);\n")
    assert_same(again(parsed), parsed)


def test_tokens_that_are_equal_are_one_object() -> None:
    items = again(Document.parse("type Alpha;\ntype Beta <: Alpha;\n")).items
    words = [token for item in items for token in item.tokens if token == "Alpha"]
    assert len(words) == 2
    assert words[0] is words[1]


@pytest.mark.parametrize("other", ["", "type A;", "type A;\n\n", "type  A;\n"])
def test_the_form_of_another_text_is_none_where_the_lengths_differ(other: str) -> None:
    assert unpack(other, pack(Document.parse("type A;\n"))) is None


FOREIGN = (None, 0, "", b"", [], {}, [b"", [], []], [b"\x00", [[2, b""]] * 8, []], [[], [], [], []])


@pytest.mark.parametrize("form", FOREIGN)
def test_what_is_no_form_gives_no_document(form: object) -> None:
    assert unpack("", form) is None


def test_a_problem_that_names_another_item_has_no_plain_form() -> None:
    other = ItemId("a.ar", "type A")
    for problem in (
        Problem("OE0001", 0, 0, related=(Related("first", place=Place(other, 0, 0)),)),
        Problem("OE0001", 0, 0, fixes=(Fix("plain", (Edit(0, 0, "", other),)),)),
    ):
        document = Document.parse("type A;\n")
        document.items[0].problems = (problem,)
        assert pack(document) is None


def _damaged(data: bytes, changes: list[tuple[int, int]]) -> bytes:
    found = bytearray(data)
    for place, value in changes:
        found[place % len(found)] = value
    return bytes(found)


_BROKEN = Document.parse("type A { x: Int }\npub derive q(x: A) :- x: A, ;\n/// d\nfact p(a);\nmod z { type B;\n}}\n")
_FORM = cbor2.dumps(pack(_BROKEN), canonical=True)


@settings(max_examples=500, deadline=None, derandomize=True)
@given(CHANGES)
def test_a_damaged_form_is_none_or_a_sound_tree_over_the_same_text(changes: list[tuple[int, int]]) -> None:
    """Damage on disk is found by the cache's checksum; this is what holds of a form with a checksum of its own."""
    try:
        form = cbor2.loads(_damaged(_FORM, changes))
    except (cbor2.CBORError, ValueError, TypeError, OverflowError, RecursionError, MemoryError):
        return
    found = unpack(_BROKEN.text, form)
    if found is not None:
        assert "".join(token for item in found.items for token in item.tokens) == _BROKEN.text
        assert len(shown(found)) >= 4


@pytest.mark.parametrize("row", range(8))
def test_every_number_in_a_row_is_checked_against_the_tree_that_it_is_part_of(row: int) -> None:
    """One number too large: a length, a count, a kind, a place. Only how far an item looked behind itself is free."""
    kinds, rows, problems = pack(_BROKEN)
    width, numbers = rows[row]
    for place in range(0, len(numbers), width):
        wrong = numbers[:place] + (60_000).to_bytes(width, "little") + numbers[place + width :]
        found = unpack(_BROKEN.text, [kinds, [*rows[:row], [width, wrong], *rows[row + 1 :]], problems])
        assert (found is None) == (row != 3)


def test_content_is_compared_in_every_array() -> None:
    parsed = Document.parse("type A;\n")
    found = again(parsed)
    found.items[0].node_firsts[-1] += 1
    assert content(found.items[0]) != content(parsed.items[0])
