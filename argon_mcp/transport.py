"""Between the wire's lines and the SDK's streams of messages.

A line that is no message is answered here and the stream goes on: the SDK would pass it over in silence. Reading waits
for the SDK to take a message, so a client that floods is slowed down by its own pipe.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
import mcp_types as types
from mcp.shared._context_streams import ContextReceiveStream, ContextSendStream, create_context_streams
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from argon_mcp.wire import INVALID_REQUEST, PARSE_ERROR, Inbox, Outbox

log = logging.getLogger("argon.mcp")

Reading = ContextReceiveStream[SessionMessage | Exception]
Writing = ContextSendStream[SessionMessage]


@asynccontextmanager
async def streams(inbox: Inbox, outbox: Outbox) -> AsyncIterator[tuple[Reading, Writing]]:
    """The streams that the SDK serves."""
    to_server, reading = create_context_streams[SessionMessage | Exception](0)
    writing, from_server = create_context_streams[SessionMessage](0)
    loop = asyncio.get_running_loop()

    def take(line: bytes | None) -> None:
        """On the inbox's thread."""
        job = _closed(to_server) if line is None else _delivered(line, to_server, outbox)
        with suppress(RuntimeError, CancelledError):
            asyncio.run_coroutine_threadsafe(job, loop).result()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_write, from_server, outbox)
        tasks.start_soon(asyncio.to_thread, inbox.forward, take)
        yield reading, writing
        tasks.cancel_scope.cancel()


async def _closed(to_server: ContextSendStream[Any]) -> None:
    await to_server.aclose()


async def _delivered(line: bytes, to_server: ContextSendStream[Any], outbox: Outbox) -> None:
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        _refuse(line, outbox)
        return
    with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
        await to_server.send(SessionMessage(message))


def _refuse(line: bytes, outbox: Outbox) -> None:
    """Answer a line that is no message: not JSON at all, or JSON of another form."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        outbox.refuse(PARSE_ERROR, "Parse error: the line is not JSON")
        return
    number = found.get("id") if isinstance(found, dict) else None
    known = isinstance(number, int | str) and not isinstance(number, bool)
    outbox.refuse(INVALID_REQUEST, "Invalid request: not a JSON-RPC message", number if known else None)


def _line(message: types.JSONRPCMessage) -> bytes:
    """One message as a line; one that cannot be written is answered as a fault of ours, and the stream goes on."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode()
    except ValueError as error:
        log.error("a message that cannot be written", exc_info=error)
        fault = {"code": types.INTERNAL_ERROR, "message": "Internal error: the answer cannot be written"}
        return json.dumps({"jsonrpc": "2.0", "id": getattr(message, "id", None), "error": fault}).encode()


async def _write(from_server: ContextReceiveStream[SessionMessage], outbox: Outbox) -> None:
    async for each in from_server:
        line = _line(each.message)
        if outbox.full:
            await asyncio.to_thread(outbox.send, line)
        else:
            outbox.send(line)
