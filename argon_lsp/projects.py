"""The saved projects behind the documents: tests run, queries asked, rows counted, by a worker process for each.

Such a process is started by the first question about a project. It is not the one that an editor types against: what
takes long here holds up nothing there.
"""

from __future__ import annotations

import logging
from asyncio import AbstractEventLoop, CancelledError, wrap_future
from collections.abc import Callable, Iterable
from typing import Any

from pygls.exceptions import JsonRpcException, JsonRpcInternalError

from argon_lang.session.client import WorkerClient, WorkerGone
from argon_lang.session.frames import Message
from argon_lang.session.settings import Settings
from argon_lsp import errors

Json = Any
_MOST_ROWS = 10_000

log = logging.getLogger("argon.lsp")


class Projects:
    """The worker processes by project folder. Belongs to the event loop's thread.

    `changed` is called on the loop when another module serves, or a store was written to.
    """

    def __init__(self, loop: AbstractEventLoop, changed: Callable[[str], None]) -> None:
        self._loop = loop
        self._changed = changed
        self._clients: dict[str, WorkerClient] = {}

    async def ask(
        self, root: str, question: str, given: dict[str, Json], stage: Callable[[str], None] = lambda _: None
    ) -> Json:
        """The answer of a project; cancelling the task cancels the work. `stage` is told what is being done.

        Raises JsonRpcException with what the project refuses.
        """
        ticket = self._client(root).ask(question, given, lambda told: self._on_loop(stage, told))
        try:
            message = await wrap_future(ticket.future)
        except CancelledError:
            self._client(root).cancel(ticket)
            raise
        except WorkerGone:
            raise JsonRpcInternalError("the process that works for the project has ended; ask again") from None
        if "error" in message:
            raise refusal(message["error"])
        return message["answer"]

    def close(self) -> None:
        """End the processes at once."""
        for client in self._clients.values():
            client.close()

    def _client(self, root: str) -> WorkerClient:
        if root not in self._clients:
            self._clients[root] = WorkerClient(
                "project", lambda: _first(root), lambda _: self._on_loop(self._changed, root), log_gone
            )
        return self._clients[root]

    def _on_loop(self, call: Callable[[str], None], told: str) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call, told)


def refusal(body: Json) -> JsonRpcException:
    """What was refused, as the error of a request: message and help, and the whole of it as data."""
    return JsonRpcException("; ".join((body["message"], *body.get("help", ()))), errors.REQUEST_FAILED, body)


def log_gone(gone: WorkerGone) -> None:
    """A process ended."""
    log.error("%s; the next question starts another one", gone)


def _first(root: str) -> Iterable[Message]:
    settings = Settings(project=root, max_rows=_MOST_ROWS, command="argon lsp", tells_writes=True)
    return (settings.wire(),)
