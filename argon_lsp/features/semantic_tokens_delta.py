"""`textDocument/semanticTokens/full/delta`: what is different in the colours that the client was told last."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA
QUESTION = "colours"


def given(params: lsp.SemanticTokensDeltaParams) -> dict[str, Json]:
    """The id of what the client was told last."""
    return {"since": params.previous_result_id}


def result(found: Json, _context: Context) -> Json:
    """The edits of the packed tokens; all of them when that id is known no more."""
    numbers = {"edits": found["edits"]} if "edits" in found else {"data": found["data"]}
    return {"resultId": found["id"], **numbers}
