"""`textDocument/definition`: where the thing that a name means is declared."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lang.ide import definition
from argon_lsp.asking import Json, Question

METHOD = lsp.TEXT_DOCUMENT_DEFINITION


def answer(question: Question, params: lsp.DefinitionParams) -> Json:
    """Every declaration, the clauses of a predicate each."""
    found = definition.definition(question.database, question.file, question.offset(params.position))
    return question.places.places(found)
