"""`textDocument/onTypeFormatting`: an item is laid out when its end is typed, a new line begins indented."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_ON_TYPE_FORMATTING
QUESTION = "typed"


def given(params: lsp.DocumentOnTypeFormattingParams) -> dict[str, Json]:
    """The place behind the character, and the character: the layout has no options."""
    return {"position": convert.position(params.position), "character": params.ch}


def result(found: Json, _context: Context) -> Json:
    """The edits."""
    return [convert.text_edit(each) for each in found]
