"""`textDocument/semanticTokens/full`: colours that know what a name means."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL
QUESTION = "colours"


def given(_params: lsp.SemanticTokensParams) -> dict[str, Json]:
    """Nothing but the document."""
    return {}


def result(found: Json, _context: Context) -> Json:
    """The packed tokens, under the id by which what is different later is asked for."""
    return {"resultId": found["id"], "data": found["data"]}
