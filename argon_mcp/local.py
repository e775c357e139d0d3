"""The runtime of a project on this machine: a worker process of the session room."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from argon_lang.session.client import WorkerClient, WorkerGone
from argon_lang.session.settings import Settings
from argon_mcp import catalog
from argon_mcp.handle import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argon_lang.session.frames import Message
    from argon_mcp.handle import Json, Reloaded, Stage
    from argon_mcp.options import Options

WRITES = frozenset({"mutate", "adHocMutate", "batch", "forkCreate", "forkAbort", "forkPromote"})
"""Questions that are not put again to a new worker when the old one dies: they may have been done."""


def start_worker(options: Options) -> Worker:
    """Start the worker process; it imports what it needs while the server does the same."""
    settings = Settings(
        project=options.project,
        start=os.getcwd(),
        policy=options.policy,
        read_only=options.read_only,
        store=options.store,
        max_rows=options.max_rows,
    )
    return Worker(settings)


class Worker:
    """The worker process with what it tells unasked. Implements `RuntimeHandle`."""

    def __init__(self, settings: Settings) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reloaded: list[Reloaded] = []
        self._client = WorkerClient("project", lambda: [settings.wire()], self._told)
        self._client.start()

    @property
    def pid(self) -> int | None:
        """The process id of the worker."""
        return self._client.pid

    def codes(self) -> tuple[str, ...]:
        """Every code: those of this program's own catalog, since the worker is of the same program."""
        return catalog.codes()

    def entry(self, query: str, lang: str = "en") -> dict[str, Json] | None:
        """An entry of the same catalog."""
        return catalog.entry(query, lang)

    def on_reload(self, reloaded: Reloaded) -> None:
        """Call `reloaded`, on the running event loop, whenever another module begins to serve."""
        self._loop = asyncio.get_running_loop()
        self._reloaded.append(reloaded)

    def _told(self, message: Message) -> None:
        loop = self._loop
        if message["event"] == "reloaded" and loop is not None and not loop.is_closed():
            for reloaded in self._reloaded:
                loop.call_soon_threadsafe(reloaded)

    async def ask(self, question: str, given: dict[str, Json], stage: Stage) -> dict[str, Json]:
        """Put a question; once more to a new worker when the old one dies and nothing can have been done."""
        try:
            return await self._asked(question, given, stage)
        except WorkerGone as gone:
            if question in WRITES:
                raise Refused(internal(str(gone))) from gone
        try:
            return await self._asked(question, given, stage)
        except WorkerGone as gone:
            raise Refused(internal(str(gone))) from gone

    async def _asked(self, question: str, given: dict[str, Json], stage: Stage) -> dict[str, Json]:
        loop = asyncio.get_running_loop()
        ticket = self._client.ask(question, given, lambda told: _call(loop, stage, told))
        try:
            message: dict[str, Any] = await asyncio.wrap_future(ticket.future)
        except asyncio.CancelledError:
            self._client.cancel(ticket)
            raise
        if "error" in message:
            raise Refused(message["error"])
        answer: dict[str, Json] = message["answer"]
        return answer

    def close(self) -> None:
        """End the worker at once; what it was committing is whole or absent."""
        self._client.close()


def internal(found: str) -> dict[str, Json]:
    """The error of a worker that died."""
    details = {"found": found}
    return {"code": "ARGON_RUNTIME_INTERNAL", "message": found, "details": details, "retryable": True}


def _call(loop: asyncio.AbstractEventLoop, stage: Stage, told: str) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(stage, told)
