"""`argon lsp`: the language server, on standard input and output or for one client over a loopback address."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Annotated

import typer

from argon_lang.cli.addresses import loopback
from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args

_NEEDED = ("pygls", "lsprotocol", "orjson", "watchfiles")


def command(
    stdio: Annotated[bool, typer.Option("--stdio", help="Standard input and output (the default).")] = False,
    tcp: Annotated[
        str | None,
        typer.Option("--tcp", help="Wait for one client at HOST:PORT or PORT, loopback only.", metavar="ADDRESS"),
    ] = None,
) -> int:
    """Serve an editor: diagnostics while typing, hover, definition, references, symbols, formatting, quick fixes."""
    if stdio and tcp is not None:
        raise typer.BadParameter("give --stdio or --tcp, not both")
    address = loopback("--tcp", tcp) if tcp is not None else None
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        values = args(name="lsp", found=", ".join(missing))
        raise ArgonError("ARGON_EXTRA_MISSING", values, notes=(Note("install", args(name="lsp")),))
    # By name, since the servers stand above this package, and are optional.
    status: int = importlib.import_module("argon_lsp.start").serve(address)
    return status
