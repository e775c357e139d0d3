"""`textDocument/references`: every place where a thing is named."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_REFERENCES
QUESTION = "references"


def given(params: lsp.ReferenceParams) -> dict[str, Json]:
    """The position, and whether declarations are wanted."""
    return {"position": convert.position(params.position), "declaration": params.context.include_declaration}


def result(found: Json, _context: Context) -> Json:
    """The places, in the order of files and text."""
    return [convert.location(each) for each in found]
