"""`textDocument/documentHighlight`: the places in this file that name what the cursor is on."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lang.ide import references
from argon_lsp import convert
from argon_lsp.asking import Json, Question

METHOD = lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT


def answer(question: Question, params: lsp.DocumentHighlightParams) -> Json:
    """The places; a declaration counts as a write."""
    found = references.highlights(question.database, question.file, question.offset(params.position))
    return [convert.highlight(location, declares, question.places) for location, declares in found]
