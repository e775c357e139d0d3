"""`textDocument/documentSymbol`: the outline of a file."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lang.ide import symbols
from argon_lsp import convert
from argon_lsp.asking import Json, Question

METHOD = lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL


def answer(question: Question, _params: lsp.DocumentSymbolParams) -> Json:
    """The declarations as a tree."""
    found = symbols.outline(question.database, question.file)
    return [convert.document_symbol(each, question.places) for each in found]
