"""`textDocument/codeAction`: the quick fixes of the diagnostics in a range, and the refactorings that apply to it."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Context, Json
from argon_lsp.capabilities import ACTION_KINDS

METHOD = lsp.TEXT_DOCUMENT_CODE_ACTION
QUESTION = "actions"


def given(params: lsp.CodeActionParams) -> dict[str, Json] | None:
    """The range; nothing to ask when the client wants other kinds alone."""
    if not any(_wanted(params, kind) for kind in ACTION_KINDS):
        return None
    return convert.span(params.range)


def result(found: Json, context: Context) -> Json:
    """The fixes with their edits; other actions with their edits for a client that cannot ask for them later."""
    document = context.params.text_document.uri
    actions = [convert.quick_fix(each) for each in found["fixes"]]
    actions += [convert.action(each, document, context.params.range) for each in found["actions"]]
    return [each for each in actions if _wanted(context.params, each["kind"])]


def _wanted(params: lsp.CodeActionParams, kind: str) -> bool:
    """Whether a kind, or one that it belongs to, is among those that the client asks for; without such a list, any."""
    only = params.context.only
    return only is None or any(not each or kind == each or kind.startswith(f"{each}.") for each in only)
