"""Servers over HTTP for the tests, and a raw client that says what it is told."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

from tests.support.mcp_client import COMMAND, META, MODERN, PATIENCE

ACCEPT = "application/json, text/event-stream"


class Served:
    """One server process over HTTP."""

    def __init__(self, root: Path | None, *options: str, **environment: str) -> None:
        here = ("--project", str(root)) if root is not None else ()
        self.process = subprocess.Popen(
            [*COMMAND, "--http", "--addr", "127.0.0.1:0", *here, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path.cwd()), **environment},
        )
        assert self.process.stderr is not None
        self.said: list[str] = []
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)/mcp", (line := self.process.stderr.readline()))):
            assert line, f"the server ended: {self.said}"
            self.said.append(line)
        self.port = int(found[1])
        self._drain = threading.Thread(target=lambda: self.said.extend(self.process.stderr or ()), daemon=True)
        self._drain.start()

    @property
    def url(self) -> str:
        """Where the SDK's client finds it."""
        return f"http://127.0.0.1:{self.port}/mcp"

    def stop(self) -> str:
        """End it, if it still runs; what it printed to standard output."""
        if self.process.poll() is None:
            self.process.kill()
        printed, _ = self.process.communicate(timeout=PATIENCE) if not self._drain.is_alive() else self._ended()
        return printed

    def _ended(self) -> tuple[str, None]:
        self.process.wait(PATIENCE)
        self._drain.join(PATIENCE)
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        with self.process.stdout as out, self.process.stderr:
            return out.read(), None


@contextmanager
def served(root: Path | None, *options: str, **environment: str) -> Iterator[Served]:
    """A server over HTTP that is gone afterwards."""
    server = Served(root, *options, **environment)
    try:
        yield server
    finally:
        server.stop()


def request(
    port: int, body: bytes | dict[str, Any], method: str = "POST", path: str = "/mcp", **headers: str | None
) -> tuple[int, dict[str, str], bytes]:
    """One request on a connection of its own: status, headers and body of the answer. A header None is left out."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        begin(connection, body, method, path, **headers)
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    finally:
        connection.close()


def begin(
    connection: HTTPConnection,
    body: bytes | dict[str, Any],
    method: str = "POST",
    path: str = "/mcp",
    **headers: str | None,
) -> None:
    """Send a request; names of headers are written with `_` for `-`."""
    text = json.dumps(body).encode() if isinstance(body, dict) else body
    given: dict[str, str | None] = {"content_type": "application/json", "accept": ACCEPT, **headers}
    sent = {name.replace("_", "-"): value for name, value in given.items() if value is not None}
    connection.request(method, path, text, sent)


def modern(method: str, params: dict[str, Any] | None = None, **headers: str) -> tuple[dict[str, Any], dict[str, str]]:
    """A request of the newer era, and the headers that go with it."""
    given = params or {}
    named = {"mcp_name": str(given.get("name", given.get("uri")))} if {"name", "uri"} & given.keys() else {}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**given, "_meta": META}}
    return body, {"mcp_protocol_version": MODERN, "mcp_method": method, **named, **headers}


def call(port: int, tool: str, arguments: dict[str, Any], **headers: str) -> dict[str, Any]:
    """The result of one call of the newer era."""
    body, with_it = modern("tools/call", {"name": tool, "arguments": arguments}, **headers)
    status, _, answer = request(port, body, **with_it)
    assert status == 200, answer
    found: dict[str, Any] = json.loads(answer)["result"]
    return found


def events(response: HTTPResponse) -> Iterator[dict[str, Any]]:
    """The messages of an event stream, as they come."""
    for line in response:
        if line.startswith(b"data:") and line[5:].strip():
            yield json.loads(line[5:])
