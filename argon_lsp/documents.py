"""An open document: its text as the client has it, edited in the client's own positions.

Lines end at LF, CR LF and CR and nowhere else; a column past the end of a line is its end. The table of line starts is
mended around each edit instead of being made anew, so that one notification with hundreds of edits (a formatter, many
cursors) costs little more than one.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from argon_lang.text import Encoding, code_points

_LINE_END = re.compile(r"\r\n?|\n")


class Document:
    """One open document. `version` is the client's; `uri` is spelled as the client spells it."""

    __slots__ = ("_starts", "encoding", "text", "uri", "version")

    def __init__(self, uri: str, text: str, version: int, encoding: Encoding) -> None:
        self.uri = uri
        self.version = version
        self.encoding: Encoding = encoding
        self.replace(text)

    def replace(self, text: str) -> None:
        """Give the document another text."""
        self.text = text
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def edit(self, start: tuple[int, int], end: tuple[int, int], text: str) -> tuple[int, int]:
        """Replace what lies between two positions (line, column); in the wrong order they are exchanged.

        Gives the two offsets that they were.
        """
        low, high = sorted((self.offset(*start), self.offset(*end)))
        self.text = f"{self.text[:low]}{text}{self.text[high:]}"
        self._mend(low, high, len(text) - (high - low))
        return low, high

    def offset(self, line: int, column: int) -> int:
        """The code-point offset of a position, clamped to the document."""
        starts = self._starts
        if line >= len(starts):
            return len(self.text)
        start = starts[line]
        stop = starts[line + 1] if line + 1 < len(starts) else len(self.text)
        return start + code_points(self.text[start:stop].rstrip("\r\n"), column, self.encoding)

    def _mend(self, low: int, high: int, grown: int) -> None:
        """Find the line starts again around an edit of `[low, high)` of the old text.

        One more line on each side is read, since an edit can part or join a CR LF.
        """
        starts = self._starts
        first = max(1, bisect_right(starts, low) - 1)
        last = min(len(starts), bisect_right(starts, high) + 1)
        begin = starts[first - 1]
        rest = [each + grown for each in starts[last:]] if grown else starts[last:]
        stop = rest[0] if rest else len(self.text) + 1
        found = (match.end() for match in _LINE_END.finditer(self.text, begin))
        middle = []
        for each in found:
            if each >= stop:
                break
            middle.append(each)
        self._starts = [*starts[:first], *middle, *rest]
