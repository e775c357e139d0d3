"""What a text parses to, with what its items declare and write, survives its bytes; other bytes are none of it."""

from __future__ import annotations

import random
from pathlib import Path

import cbor2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.program.view import PackageInfo
from argon_lang.queries.database import Database
from argon_lang.queries.parsed import Parsed, edited, from_bytes, parse, to_bytes
from tests.support.markers import FIXTURES, files_of
from tests.syntax.test_incremental import VALID, assert_same, random_edit

PACKAGES = sorted((FIXTURES / "check").iterdir())
LABELLED = "type A { x: Int }\npub derive q(x: A, y: A) :- x: A, y: A;\nuse pkg::a::{b, c as d};\nfact A(ada);\n"


def bytes_of(parsed: Parsed) -> bytes:
    found = to_bytes(parsed)
    assert found is not None
    return found


def again(parsed: Parsed) -> Parsed:
    found = from_bytes(parsed.document.text, bytes_of(parsed))
    assert found is not None
    return found


def assert_equal(left: Parsed, right: Parsed) -> None:
    assert_same(left.document, right.document)
    assert (left.declared, left.reaches) == (right.declared, right.reaches)


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.name)
def test_a_fixture_from_its_bytes_says_what_the_parsed_one_says(path: Path) -> None:
    """The same trees and declarations, and from them the same diagnostics in the same order."""
    texts = {f"f/{name}": text for name, text in files_of(path).items() if name.endswith(".ar")}
    cold, kept = (Database(PackageInfo("f", prelude=("std::core::{type, rel}",))) for _ in range(2))
    cold.set_files(texts)
    for file, text in texts.items():
        found = again(parse(text))
        assert_equal(found, parse(text))
        kept.set_file(file, text, parsed=found)
    assert kept.diagnostics() == cold.diagnostics()
    assert [kept.reaches(file) for file in texts] == [cold.reaches(file) for file in texts]


@pytest.mark.parametrize("seed", range(4))
def test_editing_what_came_back_equals_parsing_the_new_text(seed: int) -> None:
    chooser, parsed = random.Random(seed), parse(VALID)
    for _ in range(20):
        text = parsed.document.text
        start, end, new = random_edit(chooser, len(text))
        parsed = again(edited(parsed, text[:start] + new + text[end:]))
        assert_equal(parsed, parse(parsed.document.text))


def test_an_edit_keeps_the_items_that_it_leaves_alone() -> None:
    before = again(parse(VALID))
    after = edited(before, VALID.replace("n += 1", "n += 2"))
    kept = [old is new for old, new in zip(before.document.items, after.document.items, strict=True)]
    assert kept.count(False) == 1


def test_the_bytes_of_equal_texts_are_equal() -> None:
    assert to_bytes(parse(VALID)) == to_bytes(parse(VALID))


def test_a_text_that_is_no_unicode_has_no_bytes_where_a_problem_repeats_it() -> None:
    parsed = parse("type A;\n\ud800\n")
    data = to_bytes(parsed)
    assert data is None or from_bytes(parsed.document.text, data) is not None


DATA = bytes_of(parse(LABELLED))


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=3))
def test_damaged_bytes_are_none_or_something_whole_over_the_same_text(changes: list[tuple[int, int]]) -> None:
    data = bytearray(DATA)
    for place, value in changes:
        data[place % len(data)] = value
    found = from_bytes(LABELLED, bytes(data))
    if found is not None:
        assert found.document.text == LABELLED
        assert len(found.document.items) == len(found.declared) == len(found.reaches)
        assert all(each.declares <= each.words for each in found.reaches)


@pytest.mark.parametrize("length", range(0, len(DATA), 7))
def test_truncated_bytes_are_none(length: int) -> None:
    assert from_bytes(LABELLED, DATA[:length]) is None


@pytest.mark.parametrize("place", [1, 2])
def test_rows_of_other_items_are_none(place: int) -> None:
    form = cbor2.loads(DATA)
    rows = form[1] if place == 1 else form[2][1]
    rows.pop()
    assert from_bytes(LABELLED, cbor2.dumps(form)) is None


@pytest.mark.parametrize(
    "fields", [[], [3], ["l", "nothing"], ["l", None, None, -1], ["l", None, None, None, "secret"], ["l"] * 16]
)
def test_fields_that_no_declaration_has_are_none(fields: list[object]) -> None:
    form = cbor2.loads(DATA)
    form[1][0] = fields
    assert from_bytes(LABELLED, cbor2.dumps(form)) is None
