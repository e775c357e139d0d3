"""The open documents: the client's edits become texts, and the texts go to their projects."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from lsprotocol import types as lsp

from argon_lang.text import Encoding
from argon_lsp.documents import Document
from argon_lsp.project import OpenText, Project
from argon_lsp.projects import Projects, Seat

log = logging.getLogger("argon.lsp")


@dataclass(frozen=True, slots=True)
class Opened:
    """An open document with its place in a project. `told` is the number of the text that the client told last."""

    document: Document
    seat: Seat
    told: int


class Documents:
    """Every open document by the client's URI. `check_soon` asks for a project's diagnostics.

    `told` counts the texts that the client has told, so that a question can be held against what was told since.
    """

    def __init__(self, projects: Projects, encoding: Encoding, check_soon: Callable[[Project], None]) -> None:
        self._projects = projects
        self._encoding: Encoding = encoding
        self._check_soon = check_soon
        self._open: dict[str, Opened] = {}
        self.told = 0

    def get(self, uri: str) -> Opened | None:
        """An open document; None when the client has not opened it."""
        return self._open.get(uri)

    def of(self, project: Project) -> list[Opened]:
        """The open documents of a project."""
        return [each for each in self._open.values() if each.seat.project is project]

    def opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """The client opened a document. Opening it twice starts it anew, as editors do after a reload."""
        given = params.text_document
        document = Document(given.uri, given.text, given.version, self._encoding)
        self._tell(document, self._projects.seat(given.uri))
        if given.uri.endswith("/ox.toml"):
            self.seat_again()

    def changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """The client edited a document."""
        found = self._open.get(params.text_document.uri)
        if found is None:
            log.error("an edit of a document that is not open: %s", params.text_document.uri)
            return
        for change in params.content_changes:
            if isinstance(change, lsp.TextDocumentContentChangePartial):
                start, end = change.range.start, change.range.end
                found.document.edit((start.line, start.character), (end.line, end.character), change.text)
            else:
                found.document.replace(change.text)
        found.document.version = params.text_document.version
        self._tell(found.document, found.seat)

    def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """The client closed a document."""
        found = self._open.pop(params.text_document.uri, None)
        if found is not None:
            self._leave(found)

    def seat_again(self) -> None:
        """Look up anew where each document belongs: an `ox.toml` came or went."""
        for uri, found in list(self._open.items()):
            seat = self._projects.seat(uri)
            if seat.project is not found.seat.project:
                self._leave(found)
                self._tell(found.document, seat)

    def _tell(self, document: Document, seat: Seat) -> None:
        self.told += 1
        self._open[document.uri] = Opened(document, seat, self.told)
        seat.project.edited(seat.path, OpenText(document.uri, document.version, document.text))
        self._check_soon(seat.project)

    def _leave(self, found: Opened) -> None:
        project = found.seat.project
        project.closed(found.seat.path)
        self._check_soon(project)
        if project.root is None:
            self._projects.drop(project)
