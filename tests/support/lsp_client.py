"""A language client over real pipes: it sends what it is told, malformed frames too, and waits on conditions.

Nothing here sleeps: every wait is for a message of the server, with a deadline that only a fault reaches.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

PATIENCE = 30.0
"""Seconds that a test waits for what must come; generous, since the machine may be busy."""

SERVER = (sys.executable, "-m", "argon_lsp")


class Gone(Exception):
    """The server closed its output."""


class Client:
    """One server process and the conversation with it. A context manager that leaves no process behind."""

    def __init__(self, command: tuple[str, ...] = SERVER, cwd: Path | None = None) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path.cwd()), os.environ.get("PYTHONPATH", "")])}
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=environment,
        )
        self.notifications: list[dict[str, Any]] = []
        self.requests: list[dict[str, Any]] = []
        self.responses: dict[Any, dict[str, Any]] = {}
        self.log: list[str] = []
        self._incoming: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self._number = 0
        self._versions: dict[str, int] = {}
        threading.Thread(target=self._read, daemon=True).start()
        self._logging = threading.Thread(target=self._read_log, daemon=True)
        self._logging.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._logging.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    # -- the wire ------------------------------------------------------------------------------------------------------

    def send_bytes(self, data: bytes) -> None:
        """Write raw bytes to the server."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        """Send one message in a frame."""
        body = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def close_input(self) -> None:
        """Close the server's standard input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                assert name in (b"Content-Length", b"Content-Type"), f"the server wrote {line!r} to its output"
                length = int(value) if name == b"Content-Length" else length
            if not line:
                self._incoming.put(None)
                return
            self._incoming.put(json.loads(stream.read(length)))

    def _read_log(self) -> None:
        stream = self.process.stderr
        assert stream is not None
        for line in stream:
            self.log.append(line.decode(errors="replace"))

    # -- waiting -------------------------------------------------------------------------------------------------------

    def until(self, condition: Callable[[], Any], what: str = "") -> Any:
        """Take messages in until the condition gives something true; fails at the deadline. Raises Gone."""
        deadline = time.monotonic() + PATIENCE
        while not (found := condition()):
            try:
                message = self._incoming.get(timeout=max(0.0, deadline - time.monotonic()))
            except Empty:
                raise AssertionError(f"waited in vain for {what or condition}; log: {''.join(self.log)}") from None
            if message is None:
                raise Gone("".join(self.log))
            self._take(message)
        return found

    def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            self.responses[message.get("id")] = message
        elif "id" in message:
            self.requests.append(message)
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
        else:
            self.notifications.append(message)

    def exit_status(self, seconds: float = PATIENCE) -> int:
        """The status with which the process ends within `seconds`."""
        return self.process.wait(seconds)

    # -- requests ------------------------------------------------------------------------------------------------------

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request; its id."""
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, number: Any) -> dict[str, Any]:
        """The response to a request, whole."""
        self.until(lambda: number in self.responses, f"the answer to {number}")
        return self.responses.pop(number)

    def request(self, method: str, params: Any = None) -> Any:
        """The result of a request; fails on an error."""
        response = self.answer(self.ask(method, params))
        assert "error" not in response, response
        return response["result"]

    def error(self, method: str, params: Any = None) -> int:
        """The error code of a request that must fail."""
        response = self.answer(self.ask(method, params))
        return int(response["error"]["code"])

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def initialize(
        self, folder: Path | None = None, encodings: tuple[str, ...] = (), capabilities: Mapping[str, Any] | None = None
    ) -> Any:
        """Greet the server; its capabilities."""
        general = {"general": {"positionEncodings": list(encodings)}} if encodings else {}
        params: dict[str, Any] = {"processId": os.getpid(), "capabilities": {**general, **(capabilities or {})}}
        params["rootUri"] = folder.as_uri() if folder else None
        params["workspaceFolders"] = [{"uri": folder.as_uri(), "name": folder.name}] if folder else None
        result = self.request("initialize", params)
        self.notify("initialized", {})
        return result["capabilities"]

    def leave(self) -> int:
        """Shut the server down as a client should; its exit status."""
        self.request("shutdown")
        self.notify("exit")
        return self.exit_status()

    # -- documents -----------------------------------------------------------------------------------------------------

    def open(self, uri: str, text: str) -> None:
        """Open a document."""
        self._versions[uri] = 1
        given = {"uri": uri, "languageId": "argon", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": given})

    def edit(self, uri: str, start: tuple[int, int], end: tuple[int, int], text: str) -> int:
        """Replace a range (line, column); the new version."""
        low, high = ({"line": line, "character": column} for line, column in (start, end))
        return self.change(uri, {"range": {"start": low, "end": high}, "text": text})

    def change(self, uri: str, *changes: Any) -> int:
        """Send one didChange; the new version."""
        self._versions[uri] += 1
        version = self._versions[uri]
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})
        return version

    def version(self, uri: str) -> int:
        """The last version of a document."""
        return self._versions[uri]

    def close(self, uri: str) -> None:
        """Close a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri: str, version: int | None = None) -> list[dict[str, Any]]:
        """The diagnostics last pushed for a document, at a version if given; waits for them."""

        def last() -> dict[str, Any] | None:
            pushed = [
                each["params"]
                for each in self.notifications
                if each["method"] == "textDocument/publishDiagnostics" and each["params"]["uri"] == uri
            ]
            return pushed[-1] if pushed and version in (None, pushed[-1].get("version")) else None

        found: list[dict[str, Any]] = self.until(last, f"diagnostics of {uri} at {version}")["diagnostics"]
        return found

    def codes_until(self, uri: str, codes: list[str]) -> None:
        """Wait until the codes last pushed for a document are these."""

        def matches() -> bool:
            pushed = [
                each["params"]["diagnostics"]
                for each in self.notifications
                if each["method"] == "textDocument/publishDiagnostics" and each["params"]["uri"] == uri
            ]
            return bool(pushed) and sorted(each["code"] for each in pushed[-1]) == sorted(codes)

        self.until(matches, f"{codes} in {uri}")


def at(uri: str, line: int, character: int, **more: Any) -> dict[str, Any]:
    """The parameters of a request about a position."""
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}, **more}
