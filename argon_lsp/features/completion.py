"""`textDocument/completion`: what may be written at a place."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_COMPLETION
QUESTION = "complete"


def given(params: lsp.CompletionParams) -> dict[str, Json]:
    """The position."""
    return {"position": convert.position(params.position)}


def result(found: Json, context: Context) -> Json:
    """The offers, best first."""
    return convert.completion_list(found, snippets=context.client.snippets)
