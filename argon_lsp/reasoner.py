"""The process that reasons for this server: told what the client tells, asked what the client asks.

The server's loop never computes, and never waits for a computation that it does not need. Started before the rest of
the server is imported, so that both get ready at the same time. When the process dies, whoever waits gets one error,
and another one is started and told everything again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

from argon_lang.session.client import WorkerClient, WorkerGone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from argon_lang.session.frames import Message
    from argon_lang.text import Encoding

Json = Any
_PATIENCE_SECONDS = 20.0
"""Editors give up questions all the time, and a new process has to find everything out again."""

log = logging.getLogger("argon.lsp")


class Reasoner:
    """The worker process. After `attach` everything but `close` belongs to the event loop's thread."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding: Encoding = encoding
        self._known: Callable[[], Iterable[Message]] = tuple
        self._event: Callable[[Message], None] = lambda _: None
        self._lost: Callable[[], None] = lambda: None
        self._loop: AbstractEventLoop | None = None
        self._used = False
        self._client = WorkerClient("editor", self._first, self._on_event, self._on_gone, _PATIENCE_SECONDS)

    def start(self) -> None:
        """Start the process."""
        self._client.start()

    def attach(
        self,
        loop: AbstractEventLoop,
        known: Callable[[], Iterable[Message]],
        event: Callable[[Message], None],
        lost: Callable[[], None],
    ) -> None:
        """Have `event` called on the loop with what is told unasked, and `lost` when a process died.

        `known` gives all the news that still count, for the next process.
        """
        self._loop, self._known, self._event, self._lost = loop, known, event, lost

    def tell(self, name: str, given: dict[str, Json]) -> None:
        """Tell news."""
        self._used = True
        self._client.tell(name, given)

    async def ask(self, question: str, given: dict[str, Json]) -> Message:
        """The answer to a question, `{"answer"}` or `{"error"}`. Raises WorkerGone when the process dies.

        Cancelling the task cancels the work.
        """
        # Here, since the process is to be started before anything takes long to import.
        from asyncio import CancelledError, wrap_future

        self._used = True
        ticket = self._client.ask(question, given)
        try:
            return await wrap_future(ticket.future)
        except CancelledError:
            self._client.cancel(ticket)
            raise

    def close(self) -> None:
        """End the process at once."""
        self._client.close()

    def _first(self) -> Iterable[Message]:
        return ({"encoding": self._encoding}, *self._known())

    def _on_event(self, message: Message) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._event, message)

    def _on_gone(self, gone: WorkerGone) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._again, gone)

    def _again(self, gone: WorkerGone) -> None:
        """Start another process; not when this one died without having been told or asked anything new."""
        log.error("%s; %s", gone, "starting another one" if self._used else "the next edit or question starts another")
        self._lost()
        if self._used:
            self._used = False
            self.start()
