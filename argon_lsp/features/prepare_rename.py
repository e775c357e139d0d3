"""`textDocument/prepareRename`: the name that would be changed."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_PREPARE_RENAME
QUESTION = "renamable"


def given(params: lsp.PrepareRenameParams) -> dict[str, Json]:
    """The position."""
    return {"position": convert.position(params.position)}


def result(found: Json, _context: Context) -> Json:
    """Its range and text. Raises JsonRpcException with the reason where nothing can be renamed."""
    return convert.renamable(found)
