"""`textDocument/codeAction`: the quick fixes of the diagnostics in a range."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lang.ide import fixes
from argon_lsp import convert
from argon_lsp.asking import Json, Question

METHOD = lsp.TEXT_DOCUMENT_CODE_ACTION
_KIND = "quickfix"


def answer(question: Question, params: lsp.CodeActionParams) -> Json:
    """The fixes of what is wrong now, not of what the client remembers; none when it wants other kinds alone."""
    only = params.context.only
    if only is not None and not any(kind == _KIND or _KIND.startswith(f"{kind}.") or not kind for kind in only):
        return []
    span = question.span(params.range)
    found = fixes.fixes_at(question.project.diagnostics_of(question.file), span.start, span.end)
    actions = (convert.code_action(each, question.places, question.uri_of) for each in found)
    return [each for each in actions if each is not None]
