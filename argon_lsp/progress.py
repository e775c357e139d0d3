"""Work that takes a while, shown by the client, where it may be cancelled as well."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from itertools import count

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

Token = int | str
_NUMBERS = count(1)
_PATIENCE_SECONDS = 2.0
"""How long the work waits for a client that is to say where it shows it."""


@asynccontextmanager
async def shown(
    server: LanguageServer, title: str, token: Token | None, *, creates: bool, cancellable: bool = True
) -> AsyncIterator[Callable[[str], None]]:
    """Show the body as work: on the client's `token`, else on a new one if the client `creates` such. Gives `report`.

    Cancelling the work in the client cancels the task of the body.
    """
    if token is None and creates:
        token = await _created(server)
    if token is None:
        yield lambda _: None
        return
    work = server.work_done_progress
    work.begin(token, lsp.WorkDoneProgressBegin(title=title, cancellable=cancellable))
    task = asyncio.current_task()
    if task is not None and cancellable:
        _on_cancelled(work.tokens[token], task)
    try:
        yield lambda told: work.report(token, lsp.WorkDoneProgressReport(message=told))
    finally:
        work.tokens.pop(token, None)
        work.end(token, lsp.WorkDoneProgressEnd())


def _on_cancelled(future: Future[object], task: asyncio.Task[object]) -> None:
    """Cancel a task when the client cancels the work."""
    future.add_done_callback(lambda ended: task.cancel() if ended.cancelled() else None)


async def _created(server: LanguageServer) -> Token | None:
    token = f"argon-{next(_NUMBERS)}"
    with suppress(Exception):  # a client may refuse, or say nothing; then the work is not shown
        creating = server.work_done_progress.create_async(token)
        _ = await asyncio.wait_for(asyncio.shield(creating), _PATIENCE_SECONDS)
        return token
    return None
