"""`callHierarchy/outgoingCalls`: what a thing reads."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.CALL_HIERARCHY_OUTGOING_CALLS
QUESTION = "outgoing"


def given(params: lsp.CallHierarchyOutgoingCallsParams) -> dict[str, Json]:
    """The entry's symbol."""
    return {"symbol": convert.data(params.item, "symbol")["symbol"]}


def result(found: Json, _context: Context) -> Json:
    """The next level, with the places of each call in the reader."""
    return None if found is None else [convert.hierarchy_call(each, "to") for each in found]
