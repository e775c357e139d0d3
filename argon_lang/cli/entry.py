"""The console script. Answers `--version` and `explain`, and serves, before anything heavy is imported."""

from __future__ import annotations

import sys

from argon_lang.cli.exits import INTERRUPTED, OK, PIPE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

SERVERS = {
    "lsp": ("argon_lsp.start", "pygls", "lsprotocol", "orjson", "watchfiles"),
    "mcp": ("argon_mcp.start", "mcp", "watchfiles"),
}
"""The module that serves, by command, and the packages of its extra. By name: the servers stand above this package."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _run(words)
        sys.stdout.flush()
        if argv is None and words[:1] == ["check"]:
            _leave(status)
        return status
    except BrokenPipeError:
        # Who read our output has gone: point the descriptor elsewhere, so that the interpreter's last flush is quiet.
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE
    except KeyboardInterrupt:
        return INTERRUPTED


def _leave(status: int) -> NoReturn:
    """End the process without taking apart what a check of a large package leaves behind: a thirtieth of its time."""
    import os

    sys.stderr.flush()
    os._exit(status)


def _run(words: list[str]) -> int:
    if words in (["--version"], ["-V"]):
        from argon_lang.version import VERSION

        sys.stdout.write(f"argon {VERSION}\n")
        return OK
    if words[:1] == ["explain"] and "--help" not in words and "-h" not in words:
        from shared_catalog import fast

        return fast.main(words[1:])
    if words and words[0] in SERVERS and (status := _serve(words[0], words[1:])) is not None:
        return status
    from argon_lang.cli.app import run

    return run(words)


def _serve(name: str, words: list[str]) -> int | None:
    """Serve before Typer is imported, since a client waits; None when Typer has to read the words."""
    from importlib import import_module
    from importlib.util import find_spec

    module, *needed = SERVERS[name]
    if any(find_spec(package) is None for package in needed):
        return None
    status: int | None = import_module(module).serve_words(words)
    return status
