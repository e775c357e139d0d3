"""`textDocument/codeAction`: the quick fixes of the diagnostics in a range."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_CODE_ACTION
QUESTION = "fixes"
_KIND = "quickfix"


def given(params: lsp.CodeActionParams) -> dict[str, Json] | None:
    """The range; nothing to ask when the client wants other kinds alone."""
    only = params.context.only
    if only is not None and not any(kind == _KIND or _KIND.startswith(f"{kind}.") or not kind for kind in only):
        return None
    return {"start": convert.position(params.range.start), "end": convert.position(params.range.end)}


def result(found: Json, _context: Context) -> Json:
    """The fixes of what is wrong now, not of what the client remembers."""
    return [convert.code_action(each) for each in found]
