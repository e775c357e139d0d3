"""`textDocument/rangeFormatting`: the canonical layout of the items that a range touches."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_RANGE_FORMATTING
QUESTION = "format"


def given(params: lsp.DocumentRangeFormattingParams) -> dict[str, Json]:
    """The range: the layout has no options."""
    return {"ranges": [convert.span(params.range)]}


def result(found: Json, _context: Context) -> Json:
    """The edits."""
    return [convert.text_edit(each) for each in found]
