"""The two ends of the wire, each on a thread of its own: lines in, lines out. Standard library only.

Until the server proper takes over, `Inbox` answers what can be answered without it: `server/discover`, and lines that
are not JSON. Lines that nobody can answer yet are kept in order.
"""

from __future__ import annotations

import json
import threading
from collections import deque

from argon_lang.session import pipes
from argon_mcp.discover import discover_result, is_discover

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Taker = Callable[[bytes | None], None]
    """Called with each line, and with None when the client has gone."""

PARSE_ERROR, INVALID_REQUEST = -32_700, -32_600
LONGEST_LINE = 32 << 20
"""Bytes of one message; a longer one is skipped and answered as one that cannot be parsed."""

_QUEUED = 1_024
_SPACE = b" \t\r"


class Outbox(pipes.Outbox):
    """Writes lines in the order of `send`, from any thread; drops them when nobody reads any more."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, _QUEUED)

    def send(self, line: bytes) -> None:
        """Queue one message, which holds no line break. Waits while very many are queued."""
        super().send(line + b"\n")

    def refuse(self, code: int, message: str, number: object = None) -> None:
        """Queue an error response."""
        error = {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}
        self.send(json.dumps(error).encode())


class Inbox:
    """Reads lines. `ended` is set when the client's end of the wire is closed."""

    def __init__(self, descriptor: int, outbox: Outbox) -> None:
        self.ended = threading.Event()
        self._descriptor = descriptor
        self._outbox = outbox
        self._waiting: deque[bytes | None] = deque()
        self._guard = threading.Lock()
        self._taker: Taker | None = None
        threading.Thread(target=self._read, name="argon-mcp-inbox", daemon=True).start()

    def forward(self, taker: Taker) -> None:
        """From now on hand every line to `taker`, on the reading thread, those that wait first."""
        with self._guard:
            while self._waiting:
                taker(self._waiting.popleft())
            self._taker = taker

    def _deliver(self, line: bytes | None) -> None:
        with self._guard:
            taker = self._taker
            if taker is None:
                if line is None or not self._answered(line):
                    self._waiting.append(line)
                return
        taker(line)

    def _answered(self, line: bytes) -> bool:
        """Answer a line without the server, if that can be done."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return False
        if not is_discover(message):
            return False
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": discover_result()}
        self._outbox.send(json.dumps(answer, ensure_ascii=False).encode())
        return True

    def _read(self) -> None:
        buffer, skipping = bytearray(), False
        for data in pipes.chunks(self._descriptor):
            *lines, rest = data.split(b"\n")
            for line in lines:
                buffer += line
                if not skipping and buffer.strip(_SPACE):
                    self._deliver(bytes(buffer))
                buffer.clear()
                skipping = False
            buffer += rest if not skipping else b""
            if len(buffer) > LONGEST_LINE:
                self._outbox.refuse(PARSE_ERROR, "Parse error: the message is too long")
                buffer.clear()
                skipping = True
        self.ended.set()
        self._deliver(None)
