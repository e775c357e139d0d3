"""`textDocument/documentLink`: places that lead to another file."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_DOCUMENT_LINK
QUESTION = "links"


def given(_params: lsp.DocumentLinkParams) -> dict[str, Json]:
    """Nothing but the document."""
    return {}


def result(found: Json, _context: Context) -> Json:
    """The links, in the order of the text."""
    return [convert.document_link(each) for each in found]
