"""`argon mcp`: the MCP server, on standard input and output."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Annotated

import typer

from argon_lang.cli.options import Dirty, ProjectDir
from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args

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
) -> int:
    """Serve an agent: check, build, query, derive, explain, mutate, and the catalog, over MCP on standard input."""
    require_mcp()
    # By name, since the servers stand above this package, and are optional.
    options = importlib.import_module("argon_mcp.options")
    chosen = options.toolsets_of(toolsets)
    _one_of("--dirty", dirty, options.POLICIES)
    _one_of("--store", store, options.STORES)
    if chosen is None:
        raise typer.BadParameter(f"--toolsets takes {', '.join(options.TOOLSETS)}, not `{toolsets}`")
    root = str(project) if project is not None else None
    found = options.Options(root, dirty, read_only, store, max_rows, max_bytes, chosen, allow_promote)
    status: int = importlib.import_module("argon_mcp.start").serve(found)
    return status


def require_mcp() -> None:
    """Raise `ARGON_EXTRA_MISSING` where the packages of the server are not installed."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        values = args(name="mcp", found=", ".join(missing))
        raise ArgonError("ARGON_EXTRA_MISSING", values, notes=(Note("install", args(name="mcp")),))


def _one_of(option: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise typer.BadParameter(f"{option} takes {', '.join(allowed)}, not `{value}`")
