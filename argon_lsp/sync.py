"""The open documents: edits in the positions of the client become edits by offset, which the reasoner is told."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from lsprotocol import types as lsp

from argon_lang.text import Encoding
from argon_lsp import convert
from argon_lsp.documents import Document
from argon_lsp.reasoner import Reasoner

Json = Any
log = logging.getLogger("argon.lsp")


class Documents:
    """Every open document by the client's URI.

    `told` counts the texts that the client has told, so that a question can be held against what was told since.
    """

    def __init__(self, reasoner: Reasoner, encoding: Encoding) -> None:
        self._reasoner = reasoner
        self.encoding: Encoding = encoding
        self._open: dict[str, Document] = {}
        self.told = 0

    def get(self, uri: str) -> Document | None:
        """An open document; None when the client has not opened it."""
        return self._open.get(uri)

    def known(self) -> Iterator[tuple[str, dict[str, Json]]]:
        """The news of every open document as it is now."""
        for document in self._open.values():
            yield "opened", self._news(document) | {"path": convert.to_path(document.uri), "text": document.text}

    def opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """The client opened a document. Opening it twice starts it anew, as editors do after a reload."""
        given = params.text_document
        self.told += 1
        document = Document(given.uri, given.text, given.version, self.encoding)
        self._open[given.uri] = document
        path = convert.to_path(given.uri)
        self._reasoner.tell("opened", self._news(document) | {"path": path, "text": document.text})

    def changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """The client edited a document."""
        document = self._open.get(params.text_document.uri)
        if document is None:
            log.error("an edit of a document that is not open: %s", params.text_document.uri)
            return
        self.told += 1
        edits = [_applied(document, each) for each in params.content_changes]
        document.version = params.text_document.version
        self._reasoner.tell("edited", self._news(document) | {"edits": edits})

    def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """The client closed a document."""
        document = self._open.pop(params.text_document.uri, None)
        if document is not None:
            self._reasoner.tell("closed", {"document": document.uri})

    def _news(self, document: Document) -> dict[str, Json]:
        return {"document": document.uri, "version": document.version, "told": self.told}


def _applied(document: Document, change: lsp.TextDocumentContentChangeEvent) -> tuple[int, int, str]:
    """Make one change; the offsets that it replaced, and the text."""
    if isinstance(change, lsp.TextDocumentContentChangePartial):
        start, end = change.range.start, change.range.end
        low, high = document.edit((start.line, start.character), (end.line, end.character), change.text)
    else:
        low, high = 0, len(document.text)
        document.replace(change.text)
    return low, high, change.text
