"""`textDocument/hover`: what the name under the pointer is."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lang.ide import hover
from argon_lsp import convert
from argon_lsp.asking import Json, Question

METHOD = lsp.TEXT_DOCUMENT_HOVER


def answer(question: Question, params: lsp.HoverParams) -> Json:
    """The hover, or null where nothing has a meaning."""
    found = hover.hover(question.database, question.file, question.offset(params.position))
    return None if found is None else convert.hover(found, question.places)
