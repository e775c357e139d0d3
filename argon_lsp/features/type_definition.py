"""`textDocument/typeDefinition`: where the type of a thing is declared."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_TYPE_DEFINITION
QUESTION = "typeDefinition"


def given(params: lsp.TypeDefinitionParams) -> dict[str, Json]:
    """The position."""
    return {"position": convert.position(params.position)}


def result(found: Json, _context: Context) -> Json:
    """Every declaration."""
    return [convert.location(each) for each in found]
