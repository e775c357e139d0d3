"""`argon mcp`: the MCP server, on standard input and output or over HTTP on a loopback address."""

from __future__ import annotations

import importlib
import os
import secrets
from importlib.util import find_spec
from typing import Annotated

import typer

from argon_lang.cli.addresses import loopback
from argon_lang.cli.exits import OK
from argon_lang.cli.options import Dirty, ProjectDir
from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args
from argon_lang.session.listening import address_text

_NEEDED = ("mcp", "watchfiles")


def command(
    project: ProjectDir = None,
    dirty: Dirty = "build",
    read_only: Annotated[bool, typer.Option("--read-only", help="Offer no tool that writes; write nothing.")] = False,
    store: Annotated[
        str, typer.Option("--store", help="project, or memory for an isolated one.", metavar="WHICH")
    ] = "project",
    max_rows: Annotated[int, typer.Option("--max-rows", help="Most rows of one answer.", min=1)] = 500,
    max_bytes: Annotated[int, typer.Option("--max-bytes", help="Most bytes of one answer.", min=1)] = 65_536,
    toolsets: Annotated[
        str, typer.Option("--toolsets", help="Of authoring, runtime, source, fork; with commas.", metavar="LIST")
    ] = "authoring,runtime,source,fork",
    allow_promote: Annotated[bool, typer.Option("--allow-promote", help="Let forks be promoted.")] = False,
    http: Annotated[bool, typer.Option("--http", help="Serve over HTTP, on a loopback address.")] = False,
    addr: Annotated[
        str | None, typer.Option("--addr", help="HOST:PORT of --http (127.0.0.1:7325).", metavar="ADDRESS")
    ] = None,
    require_token: Annotated[
        bool, typer.Option("--require-token", help="With --http: only for who shows the token of ARGON_MCP_TOKEN.")
    ] = False,
    instructions: Annotated[
        bool, typer.Option("--instructions", help="Print what an agent is told when it connects, and end.")
    ] = False,
) -> int:
    """Serve an agent: check, build, query, derive, explain, mutate, and the catalog, over MCP."""
    if instructions:
        typer.echo(importlib.import_module("argon_mcp.discover").instructions(), nl=False)
        return OK
    require_mcp()
    # By name, since the servers stand above this package, and are optional.
    options = importlib.import_module("argon_mcp.options")
    if not http and (addr is not None or require_token):
        raise typer.BadParameter("--addr and --require-token go with --http")
    chosen = options.toolsets_of(toolsets)
    _one_of("--dirty", dirty, options.POLICIES)
    _one_of("--store", store, options.STORES)
    if chosen is None:
        raise typer.BadParameter(f"--toolsets takes {', '.join(options.TOOLSETS)}, not `{toolsets}`")
    found = options.Options(
        project=str(project) if project is not None else None,
        policy=dirty,
        read_only=read_only,
        store=store,
        max_rows=max_rows,
        max_bytes=max_bytes,
        toolsets=chosen,
        allow_promote=allow_promote,
        http=loopback("--addr", addr or options.ADDRESS) if http else None,
        token=_token() if require_token else None,
    )
    status: int = importlib.import_module("argon_mcp.start").serve(found, _listening)
    return status


def _token() -> str:
    """The token of the environment, since other users see a command line, or a new one, which is told once."""
    if given := os.environ.get("ARGON_MCP_TOKEN"):
        return given
    made = secrets.token_urlsafe(32)
    typer.echo(f"the token of this run, since ARGON_MCP_TOKEN is not set: {made}", err=True)
    return made


def _listening(host: str, port: int) -> None:
    typer.echo(f"argon mcp listens at http://{address_text(host, port)}/mcp", err=True)


def require_mcp() -> None:
    """Raise `ARGON_EXTRA_MISSING` where the packages of the server are not installed."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        values = args(name="mcp", found=", ".join(missing))
        raise ArgonError("ARGON_EXTRA_MISSING", values, notes=(Note("install", args(name="mcp")),))


def _one_of(option: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise typer.BadParameter(f"{option} takes {', '.join(allowed)}, not `{value}`")
