"""The base protocol's frames: bytes in, message bodies out, whatever the bytes are.

A frame is a block of header lines, an empty line, and as many bytes as its `Content-Length` says. Header names have any
case and lines may end in LF alone, as readers of such headers are asked to be tolerant (RFC 9112). Bytes that begin no
header are skipped up to the next header and reported once, so a garbled message costs no more than itself.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_LINE = 16_384
"""Bytes that a header line may have before it counts as garbage."""

MOST_BODY = 1 << 28
"""Bytes that a message may announce."""

_NAME = b"content-length:"


class Garbage:
    """Bytes that were no frame."""

    __slots__ = ()


class Frames:
    """Cuts a stream of bytes into messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._announced: int | None = None
        self._length: int | None = None
        self._garbled = False

    def feed(self, data: bytes) -> Iterator[bytes | Garbage]:
        """Take the next bytes of the stream; every message body that they complete, and every run of garbage."""
        self._buffer += data
        while True:
            if self._length is None:
                self._read_headers()
            if self._length is None or len(self._buffer) < self._length:
                return
            if self._garbled:
                self._garbled = False
                yield Garbage()
            body = bytes(self._buffer[: self._length])
            del self._buffer[: self._length]
            self._length = None
            yield body

    def _read_headers(self) -> None:
        """Take lines off the buffer until an empty one ends a block that announced a length."""
        while self._length is None and (end := self._buffer.find(b"\n")) >= 0:
            line = bytes(self._buffer[:end]).strip()
            del self._buffer[: end + 1]
            if line:
                self._read_header(line)
            else:
                self._length, self._announced = self._announced, None
        if self._length is None and len(self._buffer) > MOST_LINE:
            self._buffer.clear()
            self._garbled = True

    def _read_header(self, line: bytes) -> None:
        place = line.lower().rfind(_NAME)
        if place >= 0:
            self._announced = _number(line[place + len(_NAME) :])
        if place > 0 or (place < 0 and not _is_header(line)) or (place == 0 and self._announced is None):
            self._garbled = True


def _number(text: bytes) -> int | None:
    text = text.strip()
    if not text.isdigit() or len(text) > 10:
        return None
    return int(text) if int(text) <= MOST_BODY else None


def _is_header(line: bytes) -> bool:
    name, colon, _ = line.partition(b":")
    return bool(colon) and name.replace(b"-", b"").isalnum()


def frame(body: bytes) -> bytes:
    """A message as it goes over the wire."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
