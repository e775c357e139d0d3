"""`textDocument/implementation`: the clauses of a predicate, the heirs of a type."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_IMPLEMENTATION
QUESTION = "implementations"


def given(params: lsp.ImplementationParams) -> dict[str, Json]:
    """The position."""
    return {"position": convert.position(params.position)}


def result(found: Json, _context: Context) -> Json:
    """The places."""
    return [convert.location(each) for each in found]
