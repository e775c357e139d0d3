"""Open documents against a naive editor buffer, in every encoding."""

from __future__ import annotations

import random
import re

import pytest

from argon_lang.text import Encoding, LineIndex
from argon_lsp.documents import Document

NO_LINE_ENDS = ["\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x85"]
LETTERS = ["a", "b", " ", "\n", "\n", "\r\n", "\r", "é", "→", "😀", "\t", *NO_LINE_ENDS]
ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
WIDTH = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
UNIT = {"utf-8": 1, "utf-16": 2, "utf-32": 4}


class Buffer:
    """The reference: a text, and positions counted letter by letter."""

    def __init__(self, text: str, encoding: Encoding) -> None:
        self.text = text
        self.encoding = encoding

    def position(self, offset: int) -> tuple[int, int] | None:
        """None inside a CR LF, where no position points."""
        if self.text[offset - 1 : offset + 1] == "\r\n" and offset:
            return None
        before = re.split(r"\r\n|\r|\n", self.text[:offset])
        return len(before) - 1, self.width(before[-1])

    def width(self, text: str) -> int:
        return len(text.encode(WIDTH[self.encoding])) // UNIT[self.encoding]


def some_text(chance: random.Random, most: int) -> str:
    return "".join(chance.choice(LETTERS) for _ in range(chance.randint(0, most)))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_document_is_what_an_editor_shows_after_any_edits(encoding: Encoding) -> None:
    chance = random.Random(7)
    for _ in range(700):
        buffer = Buffer(some_text(chance, 30), encoding)
        document = Document("untitled:a", buffer.text, 1, encoding)
        for _ in range(6):
            low, high = sorted((chance.randint(0, len(buffer.text)), chance.randint(0, len(buffer.text))))
            start, end = buffer.position(low), buffer.position(high)
            if start is None or end is None:
                continue
            new = some_text(chance, 4)
            document.edit(start, end, new)
            buffer.text = buffer.text[:low] + new + buffer.text[high:]
            assert document.text == buffer.text
            assert document._starts == LineIndex(buffer.text).starts


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("text", ["abc", "abc\n", "é😀", "a\r\nbc"])
def test_a_column_past_the_end_of_a_line_is_its_end(text: str, encoding: Encoding) -> None:
    document = Document("untitled:a", text, 1, encoding)
    document.edit((0, 99), (0, 400), "X")
    first, rest = re.match(r"([^\r\n]*)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    assert document.text == f"{first}X{rest}"


def test_a_line_past_the_end_is_the_end_of_the_text() -> None:
    document = Document("untitled:a", "abc\n", 1, "utf-16")
    document.edit((7, 3), (9, 9), "X")
    assert document.text == "abc\nX"


def test_a_range_in_the_wrong_order_is_turned_around() -> None:
    document = Document("untitled:a", "abcdef", 1, "utf-16")
    document.edit((0, 4), (0, 2), "-")
    assert document.text == "ab-ef"


def test_a_column_between_two_surrogates_is_the_letter_s_beginning() -> None:
    document = Document("untitled:a", "😀b", 1, "utf-16")
    document.edit((0, 1), (0, 2), "x")
    assert document.text == "xb"
