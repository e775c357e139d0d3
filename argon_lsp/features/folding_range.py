"""`textDocument/foldingRange`: what can be folded away."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_FOLDING_RANGE
QUESTION = "folds"


def given(_params: lsp.FoldingRangeParams) -> dict[str, Json]:
    """Nothing but the document."""
    return {}


def result(found: Json, _context: Context) -> Json:
    """The ranges, in the order of the text."""
    return [convert.folding_range(each) for each in found]
