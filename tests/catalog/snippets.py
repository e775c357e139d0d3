"""What the tests read off a catalog snippet: the marked spans, the program without markers, its tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from shared_catalog.model import Snippet

_MARKER = re.compile(r"^\s*(?://|#)\s*(\^+)\s*$")
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"?|#[0-9][^#\n]*#|//[^\n]*|\w+|::|<:|:-|->|=>|[<>=!]=|&&|\|\||\S')


@dataclass(frozen=True)
class Mark:
    """Code points `[start, end)` of `file`, on one line, markers removed; `line_end` is where that line ends."""

    file: str
    start: int
    end: int
    line_end: int

    def fits(self, start: int, end: int) -> bool:
        """Whether a span `[start, end)` looks like this mark: an empty span shows as one caret."""
        shown = max(min(end, self.line_end), start + 1)
        return start == self.start and shown == self.end


def unmarked(snippets: Iterable[Snippet]) -> dict[str, str]:
    """The files of an Example or Fix, without their marker lines."""
    return {snippet.file: "".join(line for line in _lines(snippet) if not _MARKER.match(line)) for snippet in snippets}


def marks(snippets: Iterable[Snippet]) -> list[Mark]:
    """Every marked span, in order."""
    found = []
    for snippet in snippets:
        begin, start = 0, 0
        for line in _lines(snippet):
            match = _MARKER.match(line)
            if match:
                end = start - 1
                found.append(Mark(snippet.file, begin + match.start(1), begin + match.end(1), end))
            else:
                begin, start = start, start + len(line)
    return found


def tokens(snippets: Iterable[Snippet]) -> list[str]:
    """Words and signs of all files together; a string, a date and a comment are one token each."""
    return [token for text in unmarked(snippets).values() for token in _TOKEN.findall(text)]


def difference(before: list[str], after: list[str]) -> int:
    """How many tokens change: a replaced run counts as the longer of its two sides."""
    steps = SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes()
    return sum(max(a2 - a1, b2 - b1) for tag, a1, a2, b1, b2 in steps if tag != "equal")


def _lines(snippet: Snippet) -> list[str]:
    return snippet.text.splitlines(keepends=True)
