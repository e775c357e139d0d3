"""What the server says it can do is what it can do."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from lsprotocol import converters
from lsprotocol import types as lsp
from pygls.capabilities import ServerCapabilitiesBuilder

from argon_lang.ide import tokens
from argon_lsp.capabilities import COMMANDS, PAGES, TOKEN_MODIFIERS, TOKEN_TYPES, initialize_result
from argon_lsp.reasoner import Reasoner
from argon_lsp.server import Server
from argon_lsp.transport import Outbox

EDITORS: list[dict[str, Any]] = [
    {},
    {"general": {"positionEncodings": ["utf-16"]}, "workspace": {"workspaceFolders": True}},
    {"general": {"positionEncodings": ["utf-8", "utf-16", "utf-32"]}, "textDocument": {"hover": {}}},
    {"textDocument": {"rename": {"prepareSupport": True}}},
    {"textDocument": {"diagnostic": {}}},
    {"workspace": {"fileOperations": {"willRename": True}}},
    {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}},
]
"""Client capabilities in several degrees of detail."""


def registered(editor: dict[str, Any]) -> tuple[set[str], dict[str, Any]]:
    """The features of a server for an editor, and their options."""

    async def make() -> Server:
        return Server(Outbox(os.open(os.devnull, os.O_WRONLY)), {"capabilities": editor}, Reasoner("utf-16"))

    manager = asyncio.run(make()).protocol.fm
    return {*manager.features, *manager.builtin_features}, manager.feature_options


def test_the_static_answer_is_what_the_library_computes_from_the_features() -> None:
    converter = converters.get_converter()
    for editor in EDITORS:
        features, options = registered(editor)
        features |= {lsp.TEXT_DOCUMENT_DID_OPEN, lsp.TEXT_DOCUMENT_DID_CLOSE}
        client = converter.structure(editor, lsp.ClientCapabilities)
        encoding = ServerCapabilitiesBuilder.choose_position_encoding(client)
        kind = lsp.TextDocumentSyncKind.Incremental
        builder = ServerCapabilitiesBuilder(client, features, options, list(COMMANDS), kind, None, encoding)
        computed = converter.unstructure(builder.build())
        assert initialize_result({"capabilities": editor})["capabilities"] == told(computed)


def test_the_legend_is_that_of_the_ide() -> None:
    assert (TOKEN_TYPES, TOKEN_MODIFIERS) == (tokens.KINDS, tokens.MODIFIERS)


def told(computed: dict[str, Any]) -> dict[str, Any]:
    """The library's capabilities without those that say nothing (no will-save), and with what it does not know of."""
    found = dict(computed)
    found["workspace"] = {key: value for key, value in computed["workspace"].items() if value}
    found["workspace"]["textDocumentContent"] = {"schemes": [PAGES]}
    synchronisation = found["textDocumentSync"]
    found["textDocumentSync"] = {key: synchronisation[key] for key in ("openClose", "change", "save")}
    return found


def test_the_answer_to_initialize_is_a_value_of_the_protocol() -> None:
    result = initialize_result({"capabilities": {}})
    structured = converters.get_converter().structure(result, lsp.InitializeResult)
    assert structured.server_info is not None
    assert structured.server_info.name == "argon"


def test_the_greeting_imports_nothing_heavy() -> None:
    program = (
        "import sys, argon_lsp.start; "
        "heavy = {'lsprotocol', 'pygls', 'asyncio', 'pydantic', 'orjson', 'attrs', 'watchfiles'}; "
        "import json; print(json.dumps(sorted(heavy & {name.partition('.')[0] for name in sys.modules})))"
    )
    root = Path(__file__).parents[2]
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, cwd=root)
    assert json.loads(found.stdout) == []
