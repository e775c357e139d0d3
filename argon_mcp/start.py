"""The first milliseconds: read and answer with the standard library alone, start the worker, then import the server.

Over pipes standard output belongs to the protocol: descriptor 1 is moved away before anything can print to it. When the
client closes its end, the process that started the server ends, or a signal comes, the process ends within a second
whatever it is busy with, and its worker with it. Over HTTP, where clients come and go, only a signal ends it.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from contextlib import contextmanager
from functools import partial

from argon_lang.session.pipes import on_signals, private_stdio
from argon_mcp.options import Options, options_of
from argon_mcp.wire import Inbox, Outbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Listening = Callable[[str, int], None]
    """Told the address, once the server listens."""

    from argon_mcp.local import Worker

_GRACE_SECONDS = 0.6
_FLUSH_SECONDS = 0.2
_WATCH_SECONDS = 1.0
"""How often is looked whether the process that started this one is still there."""


def serve(options: Options, listening: Listening = lambda _host, _port: None) -> int:
    """Serve as the options say; the exit status. Raises `ARGON_ADDRESS_UNAVAILABLE`."""
    endings: list[Callable[[], None]] = []
    if options.http is not None:
        return _over_http(*options.http, options, endings, listening)
    return _over_pipes(options, endings)


def _over_pipes(options: Options, endings: list[Callable[[], None]]) -> int:
    parent = os.getppid()
    on_signals((signal.SIGTERM, signal.SIGINT), partial(_leave, endings))
    reading, writing = private_stdio()
    outbox = Outbox(writing)
    inbox = Inbox(reading, outbox)
    watching = (parent, inbox, outbox, endings)
    threading.Thread(target=_leave_after, args=watching, name="argon-mcp-leave", daemon=True).start()
    worker = _worker(options, endings)
    with _quick_imports():
        from argon_mcp.server import run
    try:
        run(inbox, outbox, options, worker)
    finally:
        worker.close()
        outbox.flush(_FLUSH_SECONDS)
    return 0


def _over_http(host: str, port: int, options: Options, endings: list[Callable[[], None]], listening: Listening) -> int:
    from argon_lang.session.listening import listener

    bound = listener(host, port)
    on_signals((signal.SIGTERM, signal.SIGINT), partial(_leave, endings))
    worker = _worker(options, endings)
    with _quick_imports():
        from argon_mcp.http import run
    listening(host, bound.getsockname()[1])
    try:
        run(bound, options, worker)
    finally:
        worker.close()
    return 0


def serve_words(words: Sequence[str]) -> int | None:
    """Serve by the words of a command line; None when they have to be read by the full command line."""
    options = options_of(words)
    return None if options is None else serve(options)


def _worker(options: Options, endings: list[Callable[[], None]]) -> Worker:
    from argon_mcp.local import start_worker

    worker = start_worker(options)
    endings.append(worker.close)
    return worker


@contextmanager
def _quick_imports() -> Iterator[None]:
    """Around the import of the server, which takes most of the start: it makes several hundred message forms.

    A session meets few of them. So each is made ready when it is first met, and nothing is collected on the way.
    """
    from pydantic import BaseModel, ConfigDict

    gc.disable()
    BaseModel.model_config = ConfigDict(defer_build=True)
    try:
        yield
    finally:
        BaseModel.model_config = ConfigDict()
        gc.freeze()
        gc.enable()


def _leave_after(parent: int, inbox: Inbox, outbox: Outbox, endings: list[Callable[[], None]]) -> None:
    """End the process soon after the client's end of the wire closed, or the process that started this one ended.

    The pipe may outlive that process, `parent`: whatever else it started holds the other end as well.
    """
    while not inbox.ended.wait(_WATCH_SECONDS) and os.getppid() == parent:
        pass
    time.sleep(_GRACE_SECONDS)
    outbox.flush(_FLUSH_SECONDS)
    _leave(endings, 0)


def _leave(endings: list[Callable[[], None]], status: int) -> None:
    for end in endings:
        end()
    os._exit(status)
