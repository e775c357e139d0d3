"""`textDocument/formatting`: the canonical layout, as the smallest edits that lead to it."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lang.ide import formatting
from argon_lsp import convert
from argon_lsp.asking import Json, Question

METHOD = lsp.TEXT_DOCUMENT_FORMATTING


def answer(question: Question, _params: lsp.DocumentFormattingParams) -> Json:
    """The edits; none for a text that is laid out already or has syntax errors. The layout has no options."""
    return convert.text_edits(formatting.format_edits(question.database, question.file), question.places)
