"""`textDocument/signatureHelp`: what is being called, and which argument is being written."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.TEXT_DOCUMENT_SIGNATURE_HELP
QUESTION = "signature"


def given(params: lsp.SignatureHelpParams) -> dict[str, Json]:
    """The position."""
    return {"position": convert.position(params.position)}


def result(found: Json, _context: Context) -> Json:
    """The signatures, or null outside of a call."""
    return None if found is None else convert.signature_help(found)
