"""One revision of a package as an editor's question sees it.

Places name files as the client does: an open document by the client's own name for it, any other file by its path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from argon_lang.queries.database import Database
from argon_lang.session.editor.edited import Edited
from argon_lang.session.editor.library import std_path
from argon_lang.session.places import Placer
from argon_lang.text import Encoding

Json = Any


@dataclass(frozen=True, slots=True)
class Asked:
    """One revision of a package, asked about `file`."""

    package: Edited
    file: str
    placer: Placer
    given: Mapping[str, Json]

    @property
    def database(self) -> Database:
        """The program at this revision."""
        return self.package.database

    @property
    def offset(self) -> int:
        """The offset of the position that was given."""
        return self.placer.offset(self.file, self.given["position"])

    @property
    def span(self) -> tuple[int, int]:
        """The offsets of the range that was given."""
        return self.span_of(self.given)

    def span_of(self, range_: Mapping[str, Json]) -> tuple[int, int]:
        """The offsets of a range of the file."""
        start, end = (self.placer.offset(self.file, range_[each]) for each in ("start", "end"))
        return start, end


def placer_of(package: Edited, encoding: Encoding) -> Placer:
    """How this revision of a package is told to the client."""
    return Placer(package.text, encoding, lambda file: name_of(package, file))


def name_of(package: Edited, file: str) -> str | None:
    """What the client calls a file; None for one that it cannot know."""
    document = package.document(package.relative(file))
    if document is not None:
        return document.name
    path = std_path(file) or package.path_of(file)
    return str(path) if path is not None else None
