"""`completionItem/resolve`: the docs of an offer, fetched when somebody looks at it."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.COMPLETION_ITEM_RESOLVE
QUESTION = "completionDocs"


def given(params: lsp.CompletionItem) -> dict[str, Json]:
    """The symbol that the offer stands for."""
    return {"symbol": convert.data(params, "symbol")["symbol"]}


def result(found: Json, context: Context) -> Json:
    """The offer with its docs."""
    if found:
        context.params.documentation = lsp.MarkupContent(lsp.MarkupKind.Markdown, found)
    return context.params
