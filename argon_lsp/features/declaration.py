"""`textDocument/declaration`: where a thing is declared, which in Argon is where it is defined."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_DECLARATION
QUESTION = "definition"


def given(params: lsp.DeclarationParams) -> dict[str, Json]:
    """The position."""
    return {"position": convert.position(params.position)}


def result(found: Json, _context: Context) -> Json:
    """Every declaration."""
    return [convert.location(each) for each in found]
