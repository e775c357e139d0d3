"""The two ends of the wire, each on a thread of its own, so that neither a slow client nor a busy loop blocks a pipe.

`Inbox` reads message bodies; `Outbox` writes them in order. Both work on raw descriptors (pipes or a socket) and need
the standard library alone, since they run before the rest of the server is imported.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from queue import SimpleQueue

from argon_lsp.framing import Frames, Garbage, frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Incoming = bytes | Garbage | None
    """A message body, something that is none, or None: the client has gone."""

_CHUNK = 1 << 16
_SLICE_SECONDS = 0.2


class Inbox:
    """Messages in the order of their arrival. `take` waits for one; `forward` hands all further ones to a callback.

    `ended` is set when the client's end of the wire is closed.
    """

    def __init__(self, descriptor: int) -> None:
        self.ended = threading.Event()
        self._descriptor = descriptor
        self._waiting: deque[Incoming] = deque()
        self._arrived = threading.Condition()
        self._forward: Callable[[Incoming], None] | None = None
        threading.Thread(target=self._read, name="argon-lsp-inbox", daemon=True).start()

    def take(self) -> Incoming:
        """The next message; waits for it.

        The wait is cut into pieces: a signal that comes just before it begins is only handled when it ends.
        """
        with self._arrived:
            while not self._waiting:
                self._arrived.wait(_SLICE_SECONDS)
            return self._waiting.popleft()

    def forward(self, receive: Callable[[Incoming], None]) -> None:
        """From now on call `receive` with each message, on the reading thread, those that wait first."""
        with self._arrived:
            while self._waiting:
                receive(self._waiting.popleft())
            self._forward = receive

    def _read(self) -> None:
        frames = Frames()
        while data := self._chunk():
            for message in frames.feed(data):
                self._deliver(message)
        self.ended.set()
        self._deliver(None)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, _CHUNK)
        except OSError:
            return b""

    def _deliver(self, message: Incoming) -> None:
        with self._arrived:
            if self._forward is not None:
                self._forward(message)
            else:
                self._waiting.append(message)
                self._arrived.notify()


class Outbox:
    """Writes messages in the order of `send`, from any thread; drops them when nobody reads any more."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._queue: SimpleQueue[bytes | threading.Event] = SimpleQueue()
        self._broken = False
        threading.Thread(target=self._write, name="argon-lsp-outbox", daemon=True).start()

    def send(self, body: bytes) -> None:
        """Queue one message body."""
        self._queue.put(frame(body))

    def flush(self, seconds: float) -> bool:
        """Wait until everything sent so far is written; False when that takes longer than `seconds`."""
        written = threading.Event()
        self._queue.put(written)
        return written.wait(seconds)

    def _write(self) -> None:
        while True:
            data = self._queue.get()
            if isinstance(data, threading.Event):
                data.set()
            elif not self._broken:
                self._broken = not self._written(data)

    def _written(self, data: bytes) -> bool:
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError:
            return False
        return True
