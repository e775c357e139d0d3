"""Standpoints: nodes of a lattice, declared and reopened by any number of items (language.md §3.7)."""

from __future__ import annotations

from argon_lang.program.model import StandpointSig, ToSymbol, Use
from argon_lang.program.paths import segments
from argon_lang.program.signatures.context import Context
from argon_lang.syntax import nodes


def standpoint(root: nodes.StandpointDecl, context: Context) -> StandpointSig:
    """What one item says of a standpoint; names in error are empty, so that places stay in step."""
    written = root.supers.paths if root.supers else []
    return StandpointSig(context.path(root.name), tuple(standpoint_path(each, context) for each in written))


def standpoint_path(written: nodes.Path, context: Context) -> str:
    """The standpoint that a path names; empty where it names none, which is recorded."""
    symbol = context.symbol(written, ("standpoint",), "standpoint", "a standpoint")
    if symbol is None:
        return ""
    last = segments(written)[-1]
    context.out.uses.append(Use(last.start, last.end, ToSymbol("standpoint", symbol.path)))
    return symbol.path
