"""`textDocument/definition`: where the thing that a name means is declared."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_DEFINITION
QUESTION = "definition"


def given(params: lsp.DefinitionParams) -> dict[str, Json]:
    """The position."""
    return {"position": convert.position(params.position)}


def result(found: Json, _context: Context) -> Json:
    """Every declaration, the clauses of a predicate each."""
    return [convert.location(each) for each in found]
