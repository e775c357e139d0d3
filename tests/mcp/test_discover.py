"""The first answer is given before the SDK is there, and is the SDK's own."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from argon_mcp.discover import discover_result, instructions, is_discover
from argon_mcp.options import Options
from argon_mcp.server import Handlers, make_server
from tests.support.mcp_client import META

REQUEST: dict[str, Any] = {"jsonrpc": "2.0", "id": "probe-1", "method": "server/discover", "params": {"_meta": META}}


class Nobody:
    """A runtime that is never asked."""

    async def ask(self, question: str, given: dict[str, Any], stage: Any) -> dict[str, Any]:
        raise NotImplementedError

    def on_reload(self, reloaded: Any) -> None:
        raise NotImplementedError


async def sdk_answer() -> dict[str, Any]:
    """What the SDK's server answers over its own streams."""
    server = make_server(Handlers(Nobody(), Options()))
    to_server, reading = anyio.create_memory_object_stream[SessionMessage | Exception](1)
    writing, from_server = anyio.create_memory_object_stream[SessionMessage](1)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.run, reading, writing, server.create_initialization_options())
        await to_server.send(SessionMessage(jsonrpc_message_adapter.validate_json(json.dumps(REQUEST))))
        answer = await from_server.receive()
        await to_server.aclose()
    from_server.close()
    found: dict[str, Any] = json.loads(answer.message.model_dump_json(by_alias=True, exclude_unset=True))["result"]
    return found


def test_the_early_answer_is_the_sdks_field_for_field() -> None:
    assert discover_result() == asyncio.run(sdk_answer())


def test_the_early_answer_needs_the_standard_library_alone() -> None:
    code = (
        "import sys; import argon_mcp.start; import argon_mcp.local; from argon_mcp.discover import discover_result; "
        "discover_result(); print([m for m in ('mcp', 'mcp_types', 'pydantic', 'typer', 'anyio') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_instructions_are_short_calm_and_name_tools_that_exist() -> None:
    text = instructions()
    assert len(text.encode()) <= 2_048
    shouted = [word for word in text.split() if word.isalpha() and word.isupper() and len(word) > 3]
    assert shouted == []
    server = Handlers(Nobody(), Options())
    named = {word.strip("`.,;:()") for word in text.split() if word.strip("`.,;:()").startswith("argon_")}
    assert named <= set(server.tools)


@pytest.mark.parametrize(
    "change",
    [
        {"method": "tools/list"},
        {"id": None},
        {"id": True},
        {"jsonrpc": "1.0"},
        {"params": None},
        {"params": {"_meta": {}}},
        {"params": {"_meta": {**META, "io.modelcontextprotocol/protocolVersion": "2027-01-01"}}},
        {"params": {"_meta": {**META, "io.modelcontextprotocol/clientCapabilities": None}}},
        {"params": {"_meta": {**META, "io.modelcontextprotocol/clientInfo": "me"}}},
    ],
)
def test_whatever_else_a_client_sends_first_is_left_to_the_sdk(change: dict[str, Any]) -> None:
    assert is_discover(REQUEST)
    assert not is_discover({**REQUEST, **change})
    assert not is_discover([REQUEST])
