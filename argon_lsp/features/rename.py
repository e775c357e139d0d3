"""`textDocument/rename`: change a name in the whole package."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_RENAME
QUESTION = "rename"


def given(params: lsp.RenameParams) -> dict[str, Json]:
    """The position and the new name."""
    return {"position": convert.position(params.position), "newName": params.new_name}


def result(found: Json, _context: Context) -> Json:
    """The edits. Raises JsonRpcException with the reason when the rename is refused."""
    return convert.renaming(found)
