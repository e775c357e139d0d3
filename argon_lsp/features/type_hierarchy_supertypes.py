"""`typeHierarchy/supertypes`: what a type specializes."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TYPE_HIERARCHY_SUPERTYPES
QUESTION = "supertypes"


def given(params: lsp.TypeHierarchySupertypesParams) -> dict[str, Json]:
    """The entry's symbol."""
    return {"symbol": convert.data(params.item, "symbol")["symbol"]}


def result(found: Json, _context: Context) -> Json:
    """The next level."""
    return None if found is None else [convert.hierarchy_item(each) for each in found]
