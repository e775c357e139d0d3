"""Messages between a server and its worker process: JSON objects, each after its length (4 bytes, big-endian)."""

from __future__ import annotations

import json
import struct
import threading
from typing import Any

from argon_lang.session.pipes import chunks, written

Message = dict[str, Any]
_LENGTH = struct.Struct(">I")


class FrameReader:
    """Reads messages from a descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._chunks = chunks(descriptor)
        self._buffer = bytearray()

    def read(self) -> Message | None:
        """The next message; None when the other end was closed."""
        header = self._exactly(_LENGTH.size)
        body = self._exactly(_LENGTH.unpack(header)[0]) if header is not None else None
        if body is None:
            return None
        message: Message = json.loads(body)
        return message

    def _exactly(self, count: int) -> bytes | None:
        while len(self._buffer) < count:
            data = next(self._chunks, None)
            if data is None:
                return None
            self._buffer += data
        found = bytes(self._buffer[:count])
        del self._buffer[:count]
        return found


class FrameWriter:
    """Writes messages to a descriptor, whole, from any thread."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._guard = threading.Lock()

    def write(self, message: Message) -> bool:
        """Send a message; False when nobody reads any more."""
        body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        data = _LENGTH.pack(len(body)) + body
        with self._guard:
            return written(self._descriptor, data)
