"""`textDocument/selectionRange`: growing selections."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_SELECTION_RANGE
QUESTION = "selections"


def given(params: lsp.SelectionRangeParams) -> dict[str, Json]:
    """The positions."""
    return {"positions": [convert.position(each) for each in params.positions]}


def result(found: Json, _context: Context) -> Json:
    """For each position its ranges, the smallest with its parents."""
    return [convert.selection_range(each) for each in found]
