"""A question of the client about one document, as a feature gets to see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp

from argon_lang.problems import Location
from argon_lang.queries.database import Database
from argon_lsp import convert
from argon_lsp.project import Project

Json = Any


@dataclass(frozen=True, slots=True)
class Question:
    """One revision of a project, asked about `file`. `places` and `uri_of` convert what the ide answers."""

    project: Project
    file: str
    places: convert.Places
    uri_of: Callable[[str], str | None]

    @property
    def database(self) -> Database:
        """The program at this revision."""
        return self.project.database

    def offset(self, position: lsp.Position) -> int:
        """The code-point offset of a position."""
        return self.places.offset(self.file, position.line, position.character)

    def span(self, range_: lsp.Range) -> Location:
        """A range as a location."""
        return Location(self.file, self.offset(range_.start), self.offset(range_.end))


Answer = Callable[[Question, Any], Json]
"""A feature: the question and its parameters to a plain JSON result."""
