"""`textDocument/inlayHint`: the types that were not written."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_INLAY_HINT
QUESTION = "hints"


def given(params: lsp.InlayHintParams) -> dict[str, Json]:
    """The range that is on show."""
    return convert.span(params.range)


def result(found: Json, _context: Context) -> Json:
    """The hints; accepting one writes it."""
    return [convert.inlay_hint(each) for each in found]
