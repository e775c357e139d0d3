"""`textDocument/hover`: what the name under the pointer is."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_HOVER
QUESTION = "hover"


def given(params: lsp.HoverParams) -> dict[str, Json]:
    """The position."""
    return {"position": convert.position(params.position)}


def result(found: Json, _context: Context) -> Json:
    """The hover, or null where nothing has a meaning."""
    return None if found is None else convert.hover(found)
