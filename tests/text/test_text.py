"""Source bytes, lines and columns."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.text import Encoding, LineIndex, SourceText, decode_source, units

TEXTS = st.text(alphabet=st.sampled_from(list("ab \n\r\té\u2028\x0c😀\ud800")), max_size=40)
ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")


def test_a_leading_byte_order_mark_is_skipped() -> None:
    assert decode_source(b"\xef\xbb\xbftype A;") == ("type A;", ())


def test_a_byte_that_is_not_utf8_is_named_with_its_offset() -> None:
    text, problems = decode_source("é\n".encode() + b"a\xffb", "root.ar")
    assert text == "é\na�b"
    assert [(p.code, p.start, p.end) for p in problems] == [("OE0005", 3, 4)]
    assert dict(problems[0].args) == {"path": "root.ar", "found": "0xFF", "offset": "4"}


def test_a_utf16_file_is_recognised() -> None:
    _, problems = decode_source("type".encode("utf-16"))
    assert [note.key for note in problems[0].notes] == ["encoding"]


def test_only_line_feed_and_carriage_return_end_a_line() -> None:
    index = LineIndex("a\nb\r\nc\rd\u2028e\x0cf\x85g")
    assert [index.line_text(line) for line in range(index.line_count)] == ["a", "b", "c", "d\u2028e\x0cf\x85g"]


def test_a_text_that_ends_with_a_line_end_has_an_empty_last_line() -> None:
    index = LineIndex("a\n")
    assert (index.line_count, index.position(2)) == (2, (1, 0))


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 6), ("utf-16", 3), ("utf-32", 2)])
def test_columns_count_the_units_of_the_encoding(encoding: Encoding, column: int) -> None:
    assert LineIndex("é😀x").position(2, encoding) == (0, column)
    assert LineIndex("é😀x").offset(0, column, encoding) == 2


def test_a_column_past_the_line_is_the_end_of_the_line_and_a_line_past_the_end_the_end_of_the_text() -> None:
    index = LineIndex("ab\r\ncd")
    assert index.offset(0, 99) == 2
    assert index.offset(9, 0) == 6
    assert index.offset(-1, 5) == 0
    assert index.offset(1, -3) == 4


def test_a_column_between_two_surrogates_is_the_start_of_the_character() -> None:
    assert LineIndex("😀x").offset(0, 1, "utf-16") == 0


def test_an_offset_inside_a_line_end_is_the_end_of_its_line() -> None:
    assert LineIndex("ab\r\ncd").position(3) == (0, 2)


def test_lone_surrogates_count_as_one_unit() -> None:
    assert units("\ud800", "utf-16") == 1


@settings(max_examples=200, deadline=None, derandomize=True)
@given(TEXTS, st.integers(-3, 50), st.sampled_from(ENCODINGS))
def test_an_offset_survives_the_way_to_a_position_and_back(text: str, offset: int, encoding: Encoding) -> None:
    source = SourceText(text)
    line, column = source.position(offset, encoding)
    back = source.offset(line, column, encoding)
    assert 0 <= back <= len(source)
    assert source.position(back, encoding) == (line, column)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(TEXTS)
def test_lines_and_their_ends_make_the_text(text: str) -> None:
    index = LineIndex(text)
    ends = [*index.starts[1:], len(text)]
    pieces = [text[start:end] for start, end in zip(index.starts, ends, strict=True)]
    assert "".join(pieces) == text
    assert all(piece.rstrip("\r\n") == index.line_text(line) for line, piece in enumerate(pieces))
