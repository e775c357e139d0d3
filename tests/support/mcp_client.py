"""An MCP client over real pipes: it sends what it is told, malformed lines too, and waits on conditions.

Nothing here sleeps: every wait is for a line of the server, with a deadline that only a fault reaches.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

PATIENCE = 60.0
"""Seconds that a test waits for what must come; generous, since the machine may be busy."""

MODERN, LEGACY = "2026-07-28", "2025-11-25"
CLIENT = {"name": "test-agent", "version": "1"}
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": CLIENT,
}
COMMAND = (sys.executable, "-m", "argon_lang", "mcp")


class Client:
    """One server process and the conversation with it. A context manager that leaves no process behind."""

    def __init__(self, root: Path | None, *options: str, era: str = MODERN, cwd: Path | None = None) -> None:
        here = ("--project", str(root)) if root is not None else ()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path.cwd()), os.environ.get("PYTHONPATH", "")])}
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [*COMMAND, *here, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=cwd,
        )
        self.era = era
        self.log: list[str] = []
        self.notifications: list[dict[str, Any]] = []
        self._responses: dict[Any, dict[str, Any]] = {}
        self._strays: list[dict[str, Any]] = []
        self._incoming: SimpleQueue[bytes | None] = SimpleQueue()
        self._number = 0
        self._over = False
        self._readers = [threading.Thread(target=each, daemon=True) for each in (self._read, self._read_log)]
        for each in self._readers:
            each.start()

    def __enter__(self) -> Client:
        if self.era != MODERN:
            self.initialize()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for each in self._readers:
            each.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    # -- the wire ------------------------------------------------------------------------------------------------------

    def send_bytes(self, data: bytes) -> None:
        """Write raw bytes to the server."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        """Send one message as a line."""
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def close_input(self) -> None:
        """Close the server's standard input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def exit_status(self, seconds: float = PATIENCE) -> int:
        """The status with which the process ends within `seconds`."""
        return self.process.wait(seconds)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._incoming.put(line)
        self._incoming.put(None)

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line.decode(errors="replace"))

    # -- waiting -------------------------------------------------------------------------------------------------------

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        """Take lines in until the condition gives something true; fails at the deadline or when the server goes."""
        deadline = time.monotonic() + PATIENCE
        while not (found := condition()):
            try:
                line = self._incoming.get(timeout=max(0.0, deadline - time.monotonic()))
            except Empty:
                raise AssertionError(f"waited in vain for {what}; log: {''.join(self.log)}") from None
            assert line is not None, f"the server ended while {what} was waited for; log: {''.join(self.log)}"
            self._take(json.loads(line))
        return found

    def _take(self, message: dict[str, Any]) -> None:
        if "method" in message:
            self.notifications.append(message)
        elif message.get("id") is None:
            self._strays.append(message)
        else:
            self._responses[message["id"]] = message

    def rest(self) -> dict[Any, dict[str, Any]]:
        """The responses not asked for yet, after everything that the server said before it ended."""
        deadline = time.monotonic() + PATIENCE
        while not self._over and (line := self._incoming.get(timeout=deadline - time.monotonic())) is not None:
            if line.endswith(b"\n"):
                self._take(json.loads(line))
        self._over = True
        return self._responses

    def stray(self) -> dict[str, Any]:
        """The next error that answers no request."""
        self.until(lambda: self._strays, "an error without a request")
        return self._strays.pop(0)

    def told(self, method: str, **params: Any) -> dict[str, Any]:
        """The next notification of a method with these parameters."""

        def found() -> dict[str, Any] | None:
            for each in self.notifications:
                given = each.get("params", {})
                if each["method"] == method and all(given.get(key) == value for key, value in params.items()):
                    self.notifications.remove(each)
                    return each
            return None

        answer: dict[str, Any] = self.until(found, method)
        return answer

    # -- requests ------------------------------------------------------------------------------------------------------

    def ask(self, method: str, params: dict[str, Any] | None = None, **meta: Any) -> int:
        """Send a request; its id."""
        self._number += 1
        given = dict(params or {})
        envelope = {**(META if self.era == MODERN and method != "initialize" else {}), **meta}
        if envelope:
            given["_meta"] = envelope
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": given})
        return self._number

    def answer(self, number: Any) -> dict[str, Any]:
        """The response to a request, whole."""
        self.until(lambda: number in self._responses, f"the answer to {number}")
        return self._responses.pop(number)

    def request(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """The result of a request; fails on an error."""
        response = self.answer(self.ask(method, params))
        assert "error" not in response, response
        return response["result"]

    def error(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """The error of a request that must fail."""
        found: dict[str, Any] = self.answer(self.ask(method, params))["error"]
        return found

    def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def initialize(self) -> Any:
        """The handshake of the older era; the server's answer."""
        found = self.request("initialize", {"protocolVersion": self.era, "capabilities": {}, "clientInfo": CLIENT})
        self.notify("notifications/initialized")
        return found

    # -- tools ---------------------------------------------------------------------------------------------------------

    def calling(self, tool: str, **arguments: Any) -> int:
        """Begin a call; its id."""
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def result(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The whole result of a call."""
        found: dict[str, Any] = self.request("tools/call", {"name": tool, "arguments": arguments})
        return found

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of a call that could run."""
        found = self.result(tool, **arguments)
        assert not found.get("isError"), found
        content: dict[str, Any] = found["structuredContent"]
        return content

    def failure(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The error of a call that could not run."""
        found = self.result(tool, **arguments)
        assert found["isError"] is True, found
        error: dict[str, Any] = found["structuredContent"]["error"]
        return error

    def reasoning(self, tool: str, **arguments: Any) -> int:
        """Begin a call, and wait until it is being reasoned about; its id."""
        number = self.ask("tools/call", {"name": tool, "arguments": arguments}, progressToken=f"token-{self._number}")
        self.told("notifications/progress", message="reasoning")
        return number

    def cancel(self, number: int) -> None:
        """Say that nobody waits for a request any more."""
        self.notify("notifications/cancelled", {"requestId": number})
