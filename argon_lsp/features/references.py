"""`textDocument/references`: every place where a thing is named."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lang.ide import references
from argon_lsp.asking import Json, Question

METHOD = lsp.TEXT_DOCUMENT_REFERENCES


def answer(question: Question, params: lsp.ReferenceParams) -> Json:
    """The places, in the order of files and text."""
    offset, declaration = question.offset(params.position), params.context.include_declaration
    found = references.references(question.database, question.file, offset, declaration=declaration)
    return question.places.places(found)
