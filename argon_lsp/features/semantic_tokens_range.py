"""`textDocument/semanticTokens/range`: colours of the part that is on show."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE
QUESTION = "coloursIn"


def given(params: lsp.SemanticTokensRangeParams) -> dict[str, Json]:
    """The range."""
    return convert.span(params.range)


def result(found: Json, _context: Context) -> Json:
    """The packed tokens."""
    return {"data": found}
