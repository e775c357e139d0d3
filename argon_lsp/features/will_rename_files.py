"""`workspace/willRenameFiles`: what keeps the program as it is when files get other names."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.WORKSPACE_WILL_RENAME_FILES
QUESTION = "movedFiles"


def given(params: lsp.RenameFilesParams) -> dict[str, Json]:
    """The files and folders, each with its new path; those that are on no disk are left out."""
    pairs = ((convert.to_path(each.old_uri), convert.to_path(each.new_uri)) for each in params.files)
    return {"files": [[old, new] for old, new in pairs if old is not None and new is not None]}


def result(found: Json, _context: Context) -> Json:
    """The edits; null where there are none."""
    return convert.workspace_edit(found) if found else None
