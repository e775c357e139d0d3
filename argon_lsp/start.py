"""The first milliseconds: answer `initialize` with the standard library alone, start to reason, import the server.

Whatever a client may send before it is greeted is answered here (JSON-RPC errors, `ServerNotInitialized`), so the
server proper only ever sees an initialized client. Standard output belongs to the protocol: descriptor 1 is moved away
before anything can print to it, and stray prints go to the log on standard error.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import threading
import time
from functools import partial

from argon_lang import logs
from argon_lang.session.pipes import on_signals, private_stdio
from argon_lsp import errors
from argon_lsp.capabilities import initialize_result, params_problem, position_encoding
from argon_lsp.framing import Garbage
from argon_lsp.transport import Inbox, Outbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

GONE = 1
"""Exit status when the client leaves without `shutdown` and `exit`, as the protocol has it for `exit`."""

_GRACE_SECONDS = 0.7
_FLUSH_SECONDS = 0.2

log = logging.getLogger("argon.lsp")


def serve_words(words: list[str]) -> int | None:
    """Serve as the words after `argon lsp` say, when they say nothing that has to be read with care; else None."""
    if words not in ([], ["--stdio"]):
        return None
    logs.configure()
    return serve()


def serve(tcp: tuple[str, int] | None = None) -> int:
    """Serve one client over standard input and output, or the first one that connects to `tcp`; the exit status."""
    endings: list[Callable[[], object]] = []
    on_signals((signal.SIGTERM, signal.SIGINT), partial(_leave, endings))
    reading, writing = private_stdio() if tcp is None else _accepted(*tcp)
    inbox, outbox = Inbox(reading), Outbox(writing)
    threading.Thread(target=_leave_after, args=(inbox.ended, endings), name="argon-lsp-leave", daemon=True).start()
    try:
        return _converse(inbox, outbox, endings)
    finally:
        for end in endings:
            end()
        outbox.flush(_FLUSH_SECONDS)


def _converse(inbox: Inbox, outbox: Outbox, endings: list[Callable[[], object]]) -> int:
    params = _greet(inbox, outbox)
    if params is None:
        return GONE
    from argon_lsp.reasoner import Reasoner

    reasoner = Reasoner(position_encoding(params))
    endings.append(reasoner.close)
    reasoner.start()
    from argon_lsp.server import run

    return run(inbox, outbox, params, reasoner)


def _greet(inbox: Inbox, outbox: Outbox) -> dict[str, Any] | None:
    """Answer up to and including a right `initialize`; its parameters, or None when the client leaves before that."""
    while (body := inbox.take()) is not None:
        if isinstance(body, Garbage):
            log.warning("skipped bytes that are no message")
            continue
        message = _parsed(body, outbox)
        if message is None:
            continue
        if message.get("method") == "exit":
            return None
        if "id" in message and "method" in message and _answered(message, outbox):
            params: dict[str, Any] = message["params"]
            return params
    return None


def _parsed(body: bytes, outbox: Outbox) -> dict[str, Any] | None:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        _refuse(outbox, None, errors.PARSE_ERROR, "the message is not JSON")
        return None
    if not isinstance(message, dict):
        _refuse(outbox, None, errors.INVALID_REQUEST, "the message is not an object")
        return None
    return message


def _answered(message: dict[str, Any], outbox: Outbox) -> bool:
    """Answer one request; whether it was an `initialize` that succeeded."""
    number = message["id"]
    if message["method"] != "initialize":
        _refuse(outbox, number, errors.SERVER_NOT_INITIALIZED, "the first request must be `initialize`")
        return False
    problem = params_problem(message.get("params"))
    if problem is not None:
        _refuse(outbox, number, errors.INVALID_PARAMS, problem)
        return False
    _send(outbox, {"jsonrpc": "2.0", "id": number, "result": initialize_result(message["params"])})
    return True


def _refuse(outbox: Outbox, number: object, code: int, message: str) -> None:
    _send(outbox, {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}})


def _send(outbox: Outbox, message: dict[str, Any]) -> None:
    outbox.send(json.dumps(message).encode())


def _accepted(host: str, port: int) -> tuple[int, int]:
    """Wait for one client on a loopback address; the port that was taken is logged, for `port` may be 0."""
    from argon_lang.session.listening import listener

    with listener(host, port) as listening:
        log.warning("listening on %s:%d", host, listening.getsockname()[1])
        client, _ = listening.accept()
    descriptor = client.detach()
    return descriptor, descriptor


def _leave_after(ended: threading.Event, endings: list[Callable[[], object]]) -> None:
    """End the process soon after the client's end of the wire closed, whatever it is busy with."""
    ended.wait()
    time.sleep(_GRACE_SECONDS)
    _leave(endings, GONE)


def _leave(endings: list[Callable[[], object]], status: int) -> NoReturn:
    for end in endings:
        end()
    os._exit(status)
