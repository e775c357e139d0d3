"""The two ends of the wire, each on a thread of its own, so that neither a slow client nor a busy loop blocks a pipe.

`Inbox` reads message bodies; `Outbox` writes them in order. Both work on raw descriptors (pipes or a socket) and need
the standard library alone, since they run before the rest of the server is imported.
"""

from __future__ import annotations

import threading
from collections import deque

from argon_lang.session import pipes
from argon_lsp.framing import Frames, Garbage, frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Incoming = bytes | Garbage | None
    """A message body, something that is none, or None: the client has gone."""


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
        """The next message; waits for it."""
        with self._arrived:
            while not self._waiting:
                self._arrived.wait()
            return self._waiting.popleft()

    def forward(self, receive: Callable[[Incoming], None]) -> None:
        """From now on call `receive` with each message, on the reading thread, those that wait first."""
        with self._arrived:
            while self._waiting:
                receive(self._waiting.popleft())
            self._forward = receive

    def _read(self) -> None:
        frames = Frames()
        for data in pipes.chunks(self._descriptor):
            for message in frames.feed(data):
                self._deliver(message)
        self.ended.set()
        self._deliver(None)

    def _deliver(self, message: Incoming) -> None:
        with self._arrived:
            if self._forward is not None:
                self._forward(message)
            else:
                self._waiting.append(message)
                self._arrived.notify()


class Outbox(pipes.Outbox):
    """Writes messages in the order of `send`, from any thread; drops them when nobody reads any more."""

    def send(self, body: bytes) -> None:
        """Queue one message body."""
        super().send(frame(body))
