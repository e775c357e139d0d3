"""`textDocument/formatting`: the canonical layout, as the smallest edits that lead to it."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_FORMATTING
QUESTION = "format"


def given(_params: lsp.DocumentFormattingParams) -> dict[str, Json]:
    """Nothing but the document: the layout has no options."""
    return {}


def result(found: Json, _context: Context) -> Json:
    """The edits; none for a text that is laid out already or has syntax errors."""
    return [convert.text_edit(each) for each in found]
