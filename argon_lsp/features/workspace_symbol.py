"""`workspace/symbol`: everything that the open projects declare, by a few letters of its name."""

from __future__ import annotations

from lsprotocol import types as lsp

from argon_lang.ide import symbols
from argon_lang.text import Encoding
from argon_lsp import convert
from argon_lsp.asking import Json
from argon_lsp.project import Project
from argon_lsp.publishing import places_of

METHOD = lsp.WORKSPACE_SYMBOL


def answer(project: Project, encoding: Encoding, params: lsp.WorkspaceSymbolParams) -> list[Json]:
    """The symbols of one project, the closest names first."""
    places = places_of(project, encoding)
    found = (convert.workspace_symbol(each, places) for each in symbols.search(project.database, params.query))
    return [each for each in found if each is not None]
