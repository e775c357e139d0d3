"""`textDocument/documentSymbol`: the outline of a file."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL
QUESTION = "outline"


def given(_params: lsp.DocumentSymbolParams) -> dict[str, Json]:
    """Nothing but the document."""
    return {}


def result(found: Json, _context: Context) -> Json:
    """The declarations as a tree."""
    return [convert.document_symbol(each) for each in found]
