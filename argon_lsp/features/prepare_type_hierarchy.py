"""`textDocument/prepareTypeHierarchy`: where a hierarchy begins."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY
QUESTION = "typeRoot"


def given(params: lsp.TypeHierarchyPrepareParams) -> dict[str, Json]:
    """The position."""
    return {"position": convert.position(params.position)}


def result(found: Json, _context: Context) -> Json:
    """The declaration at the place, or null."""
    return None if found is None else [convert.hierarchy_item(each) for each in found]
