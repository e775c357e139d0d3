"""Source text: bytes to text, line starts, and columns in code points or UTF-8, UTF-16, UTF-32 units.

Offsets count Unicode code points from the start of the text. Lines and columns are zero-based. A line ends at LF,
CR LF or CR and nowhere else, as the Language Server Protocol has it (so not at U+2028, form feed or U+0085).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Literal

from argon_lang.problems import Note, Problem, args

Encoding = Literal["utf-8", "utf-16", "utf-32"]
"""Units that a column is counted in; `utf-32` counts code points."""

_LINE_END = re.compile(r"\r\n?|\n")
_BOM = b"\xef\xbb\xbf"


def decode_source(data: bytes, path: str = "") -> tuple[str, tuple[Problem, ...]]:
    """The text of a source file, without a leading byte-order mark.

    Bytes that are not UTF-8 become U+FFFD, one OE0005 at the first of them says so; `path` names the file in it.
    """
    body = data.removeprefix(_BOM)
    try:
        return body.decode("utf-8"), ()
    except UnicodeDecodeError as error:
        place = len(body[: error.start].decode("utf-8"))
        offset = error.start + len(data) - len(body)
        found = args(path=path, found=f"0x{body[error.start]:02X}", offset=offset)
        problem = Problem("OE0005", place, place + 1, found, notes=(_resave(data),))
        return body.decode("utf-8", errors="replace"), (problem,)


def _resave(data: bytes) -> Note:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Note("encoding", args(encoding="UTF-16"))
    return Note("resave")


def _line_starts(text: str) -> list[int]:
    """Where lines begin; in a text without carriage returns, as nearly all are, without a match for each."""
    if "\r" in text:
        return [0, *(match.end() for match in _LINE_END.finditer(text))]
    ends = accumulate(map(len, text.split("\n")[:-1]))
    return [0, *(end + breaks for breaks, end in enumerate(ends, 1))]


class LineIndex:
    """Where the lines of one text begin. Immutable; every question clamps instead of failing."""

    __slots__ = ("starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts: list[int] = _line_starts(text)

    @property
    def line_count(self) -> int:
        """Number of lines; a text that ends with a line end has an empty last one."""
        return len(self.starts)

    def line_of(self, offset: int) -> int:
        """The line that `offset` lies in."""
        return bisect_right(self.starts, max(0, min(offset, len(self.text)))) - 1

    def line_span(self, line: int) -> tuple[int, int]:
        """Start and end offset of a line, its line end excluded."""
        line = max(0, min(line, len(self.starts) - 1))
        start = self.starts[line]
        stop = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        while stop > start and self.text[stop - 1] in "\r\n":
            stop -= 1
        return start, stop

    def line_text(self, line: int) -> str:
        """The line without its line end."""
        start, stop = self.line_span(line)
        return self.text[start:stop]

    def position(self, offset: int, encoding: Encoding = "utf-32") -> tuple[int, int]:
        """(line, column) of an offset. An offset inside a CR LF counts as the line's end."""
        offset = max(0, min(offset, len(self.text)))
        line = self.line_of(offset)
        start, stop = self.line_span(line)
        return line, units(self.text[start : min(offset, stop)], encoding)

    def offset(self, line: int, column: int, encoding: Encoding = "utf-32") -> int:
        """Offset of (line, column). A line past the end is the end of the text, a column past the end the line's end.

        A column inside a code point (between two UTF-16 surrogates) is the start of that code point.
        """
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        start, stop = self.line_span(line)
        return start + code_points(self.text[start:stop], column, encoding)


def units(text: str, encoding: Encoding) -> int:
    """How many units of `encoding` the text takes. Lone surrogates count as one code unit."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text.encode("utf-16-le", "surrogatepass")) >> 1
    return len(text.encode("utf-8", "surrogatepass"))


def code_points(line: str, column: int, encoding: Encoding) -> int:
    """How many code points of `line` end at or before `column` units; never more than the line has."""
    if column <= 0:
        return 0
    if encoding == "utf-32" or line.isascii():
        return min(column, len(line))
    count = 0
    for place, character in enumerate(line):
        count += units(character, encoding)
        if count > column:
            return place
    return len(line)


@dataclass(frozen=True)
class SourceText:
    """One source text and its line index, which is made on first use."""

    text: str

    @cached_property
    def lines(self) -> LineIndex:
        """The line index."""
        return LineIndex(self.text)

    def position(self, offset: int, encoding: Encoding = "utf-32") -> tuple[int, int]:
        """(line, column) of an offset."""
        return self.lines.position(offset, encoding)

    def offset(self, line: int, column: int, encoding: Encoding = "utf-32") -> int:
        """Offset of (line, column), clamped."""
        return self.lines.offset(line, column, encoding)

    def __len__(self) -> int:
        return len(self.text)
