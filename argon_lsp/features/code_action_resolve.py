"""`codeAction/resolve`: the edits of an action, made when somebody takes it."""

from __future__ import annotations

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified

from argon_lsp import convert
from argon_lsp.asking import Context, Json

METHOD = lsp.CODE_ACTION_RESOLVE
QUESTION = "actionEdits"


def given(params: lsp.CodeAction) -> dict[str, Json]:
    """The action, and the range that it was offered for."""
    found = convert.data(params, "action")
    return {"action": found["action"], "start": found["start"], "end": found["end"]}


def result(found: Json, context: Context) -> Json:
    """The action with its edits. Raises JsonRpcContentModified when the text is another one by now."""
    if found is None:
        raise JsonRpcContentModified("the document was edited since the action was offered")
    return convert.taken(context.params, found)
