"""The first milliseconds: read and answer with the standard library alone, start the worker, then import the server.

Standard output belongs to the protocol: descriptor 1 is moved away before anything can print to it. When the client
closes its end, or a signal comes, the process ends within a second whatever it is busy with, and its worker with it.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from functools import partial

from argon_lang.session.pipes import on_signals, private_stdio
from argon_mcp.options import Options, options_of
from argon_mcp.wire import Inbox, Outbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from argon_mcp.local import Worker

_GRACE_SECONDS = 0.6
_FLUSH_SECONDS = 0.2


def serve(options: Options) -> int:
    """Serve one client over standard input and output; the exit status."""
    endings: list[Callable[[], None]] = []
    on_signals((signal.SIGTERM, signal.SIGINT), partial(_leave, endings))
    reading, writing = private_stdio()
    outbox = Outbox(writing)
    inbox = Inbox(reading, outbox)
    threading.Thread(target=_leave_after, args=(inbox, outbox, endings), name="argon-mcp-leave", daemon=True).start()
    return _run(inbox, outbox, options, endings)


def serve_words(words: Sequence[str]) -> int | None:
    """Serve by the words of a command line; None when they have to be read by the full command line."""
    options = options_of(words)
    return None if options is None else serve(options)


def _run(inbox: Inbox, outbox: Outbox, options: Options, endings: list[Callable[[], None]]) -> int:
    from argon_mcp.local import start_worker

    worker = start_worker(options)
    endings.append(worker.close)
    run = _server()
    try:
        run(inbox, outbox, options, worker)
    finally:
        worker.close()
        outbox.flush(_FLUSH_SECONDS)
    return 0


def _server() -> Callable[[Inbox, Outbox, Options, Worker], None]:
    """Import the server, which takes most of the start: several hundred message forms, of which a session meets a few.

    So each is made ready when it is first met, and nothing is collected while they are made.
    """
    from pydantic import BaseModel, ConfigDict

    gc.disable()
    BaseModel.model_config = ConfigDict(defer_build=True)
    try:
        from argon_mcp.server import run
    finally:
        BaseModel.model_config = ConfigDict()
        gc.freeze()
        gc.enable()
    return run


def _leave_after(inbox: Inbox, outbox: Outbox, endings: list[Callable[[], None]]) -> None:
    """End the process soon after the client's end of the wire closed."""
    inbox.ended.wait()
    time.sleep(_GRACE_SECONDS)
    outbox.flush(_FLUSH_SECONDS)
    _leave(endings, 0)


def _leave(endings: list[Callable[[], None]], status: int) -> None:
    for end in endings:
        end()
    os._exit(status)
