"""`workspace/symbol`: everything that the open projects declare, by a few letters of its name."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.WORKSPACE_SYMBOL
QUESTION = "symbols"


def given(params: lsp.WorkspaceSymbolParams) -> dict[str, Json]:
    """The letters."""
    return {"letters": params.query}


def result(found: Json, _context: Context) -> Json:
    """The symbols, the closest names of each project first."""
    return [convert.workspace_symbol(each) for each in found]
