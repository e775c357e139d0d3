"""What a program room finds, as plain JSON with lines and columns: places, diagnostics, fixes.

Lines are zero-based; columns count the units of an encoding, UTF-16 unless the client agreed on another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from argon_lang.problems import Diagnostic, Location, PublishedFix, Replacement
from argon_lang.text import Encoding, LineIndex

Json = Any


def _same(file: str) -> str:
    return file


class Placer:
    """Turns locations into places, for one revision of the texts; each file's line index is made once.

    `text_of` gives the text of a file, None for one that is not at hand, whose places are all at its beginning.
    `name_of` gives what the client calls it, None for one that it cannot know.
    """

    def __init__(
        self,
        text_of: Callable[[str], str | None],
        encoding: Encoding = "utf-16",
        name_of: Callable[[str], str | None] = _same,
    ) -> None:
        self._text_of = text_of
        self.encoding: Encoding = encoding
        self._name_of = name_of
        self._indexes: dict[str, LineIndex] = {}

    def place(self, location: Location) -> Json | None:
        """`{"file", "start", "end"}`; None when the client cannot know the file."""
        name = self._name_of(location.file)
        if name is None:
            return None
        index = self._index(location.file)
        return {
            "file": name,
            "start": self._position(index, location.start),
            "end": self._position(index, location.end),
        }

    def places(self, locations: Iterable[Location]) -> list[Json]:
        """Those whose files the client can know."""
        return [found for each in locations if (found := self.place(each)) is not None]

    def offset(self, file: str, position: Json) -> int:
        """The offset of `{"line", "character"}`, clamped to the file."""
        return self._index(file).offset(position["line"], position["character"], self.encoding)

    def lines(self, file: str) -> LineIndex:
        """The lines of a file."""
        return self._index(file)

    def _index(self, file: str) -> LineIndex:
        found = self._indexes.get(file)
        if found is None:
            found = self._indexes[file] = LineIndex(self._text_of(file) or "")
        return found

    def _position(self, index: LineIndex, offset: int) -> Json:
        line, column = index.position(offset, self.encoding)
        return {"line": line, "character": column}


def plain_diagnostic(found: Diagnostic, placer: Placer) -> Json:
    """A diagnostic; of its related places and fixes those whose files the client can know."""
    related = ((each.message, placer.place(each.location)) for each in found.related)
    fixes = (plain_fix(each, placer) for each in found.fixes)
    return {
        "code": found.code,
        "severity": found.severity,
        "message": found.message,
        "span": placer.place(found.location),
        "related": [{"message": message, "span": span} for message, span in related if span is not None],
        "fixes": [each for each in fixes if each is not None],
        "help": list(found.help),
        "tags": list(found.tags),
    }


def plain_fix(fix: PublishedFix, placer: Placer) -> Json | None:
    """A fix; None when the client cannot know a file that it edits."""
    edits = plain_edits(fix.edits, placer)
    return {"title": fix.title, "safe": fix.safe, "edits": edits} if len(edits) == len(fix.edits) else None


def plain_edits(edits: Iterable[Replacement], placer: Placer) -> list[Json]:
    """Edits of files that the client can know."""
    placed = ((placer.place(each.location), each.text) for each in edits)
    return [{"span": span, "text": text} for span, text in placed if span is not None]
