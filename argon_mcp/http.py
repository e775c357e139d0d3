"""Streamable HTTP on a loopback address: the SDK speaks the protocol, here is who may come in and how long it may take.

Any page that a browser shows can send requests to a loopback address, so the names in `Host` and `Origin` are checked
(by the SDK), and a token when one is set. A client that is slow to say what it wants, or says too much, loses its
connection; the others notice nothing.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import h11
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from uvicorn.protocols.http.h11_impl import H11Protocol

from argon_lang import logs
from argon_lang.session.listening import address_text
from argon_mcp.handle import RuntimeHandle
from argon_mcp.options import Options
from argon_mcp.server import Handlers, make_server

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable, MutableMapping
    from contextlib import AbstractContextManager

    from mcp.server.lowlevel import Server

    Message = MutableMapping[str, Any]
    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    Application = Callable[[Scope, Receive, Send], Awaitable[None]]

PATH = "/mcp"
_NAMES = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one client may take.

    `body_bytes` of one request; `request_seconds` until a request has come whole; `connections` at once, all clients
    together; `sessions` of the older era, which end when they are idle for `session_seconds`.
    """

    body_bytes: int = 4 << 20
    request_seconds: float = 20.0
    connections: int = 256
    sessions: int = 256
    session_seconds: float = 1_800.0


BOUNDS = Bounds()


def run(bound: socket.socket, options: Options, worker: RuntimeHandle) -> None:
    """Serve clients on a listening socket until the process ends."""
    logs.configure()
    asyncio.run(_serve(bound, options, worker))


async def _serve(bound: socket.socket, options: Options, worker: RuntimeHandle) -> None:
    handlers = Handlers(worker, options)
    worker.on_reload(handlers.publisher.reloaded)
    await serve_on(bound, make_server(handlers), options.token)


async def serve_on(bound: socket.socket, server: Server[Any], token: str | None, bounds: Bounds = BOUNDS) -> None:
    """Serve one server of the SDK on a listening socket until the task is cancelled."""
    port = bound.getsockname()[1]
    manager = StreamableHTTPSessionManager(
        server,
        security_settings=TransportSecuritySettings(
            allowed_hosts=[address_text(name.strip("[]"), port) for name in _NAMES],
            allowed_origins=[f"http://{name}:*" for name in _NAMES],
        ),
        session_idle_timeout=bounds.session_seconds,
        max_request_body_size=bounds.body_bytes,
        max_sessions=bounds.sessions,
    )
    config = uvicorn.Config(
        Door(manager.asgi_app, token),
        http=type("Bounded", (Impatient,), {"bounds": bounds}),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
    )
    async with manager.run():
        await _Uvicorn(config).serve([bound])


class Door:
    """Lets requests for the one path in that show the token, if there is one."""

    def __init__(self, inside: Application, token: str | None) -> None:
        self._inside = inside
        self._expected = f"Bearer {token}".encode() if token is not None else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["path"] != PATH:
            await _refuse(send, 404, f"Not found: the server is at {PATH}")
        elif self._expected is not None and not hmac.compare_digest(_authorization(scope), self._expected):
            await _refuse(send, 401, "Unauthorized: send the header `Authorization: Bearer TOKEN`")
        else:
            await self._inside(scope, receive, send)


def _authorization(scope: Scope) -> bytes:
    return next((bytes(value) for name, value in scope["headers"] if name == b"authorization"), b"")


async def _refuse(send: Send, status: int, message: str) -> None:
    """Answer with an error that stands for no request."""
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32_600, "message": message}}
    text = json.dumps(body).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(text)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})


class Impatient(H11Protocol):
    """One connection. It is closed when a request does not come whole in time, or there are too many of them."""

    bounds = BOUNDS
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has come."""
        super().connection_made(transport)  # type: ignore[arg-type]
        if len(self.connections) > self.bounds.connections:
            transport.abort()  # type: ignore[attr-defined]
        self._look()

    def data_received(self, data: bytes) -> None:
        """Some bytes have come."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """A request was answered, and another one may begin."""
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        self._unset()
        super().connection_lost(exc)

    def _look(self) -> None:
        """Wait for the rest of a request that has begun, counting from its beginning."""
        fresh = self.cycle is None
        begun = self.conn.their_state is h11.IDLE and (fresh or bool(self.conn.trailing_data[0]))
        if not (begun or self.conn.their_state is h11.SEND_BODY):
            self._unset()
        elif self._late is None:
            self._late = self.loop.call_later(self.bounds.request_seconds, self.transport.abort)

    def _unset(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class _Uvicorn(uvicorn.Server):
    """Leaves the signals to the process, which ends at once with its worker."""

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        """Capture none."""
        return nullcontext()
