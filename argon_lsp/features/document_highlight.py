"""`textDocument/documentHighlight`: the places in this file that name what the cursor is on."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT
QUESTION = "highlights"


def given(params: lsp.DocumentHighlightParams) -> dict[str, Json]:
    """The position."""
    return {"position": convert.position(params.position)}


def result(found: Json, _context: Context) -> Json:
    """The places; a declaration counts as a write."""
    return [convert.highlight(each) for each in found]
