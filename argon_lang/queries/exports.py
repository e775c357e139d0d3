"""What a package promises to those that depend on it, as one hash: it changes when a user may have to change."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from argon_lang.queries import program

if TYPE_CHECKING:
    from argon_lang.queries.database import Database


def exports(db: Database, root: str) -> str:
    """SHA-256 (hexadecimal) over the public declarations below a root module: kinds, paths, arities, signatures."""
    whole = sha256()
    listed = db.memory.get(program.symbol_index, None)
    for path in sorted(path for path in listed if path == root or path.startswith(f"{root}::")):
        for symbol in listed[path]:
            if symbol.visibility == "public":
                signatures = sorted(map(_plain, db.memory.get(program.signatures_at, path)))
                whole.update(repr((symbol.kind, path, symbol.arity, signatures)).encode())
    return whole.hexdigest()


def _plain(value: Any) -> str:
    """A signature as text that is the same on every machine and run.

    What is at its default takes no part, so that a later version, which can say more, finds the same of the same.
    """
    if is_dataclass(value):
        told = ((each, getattr(value, each.name)) for each in fields(value))
        parts = (f"{each.name}={_plain(found)}" for each, found in told if found != each.default)
        return f"{type(value).__name__}({', '.join(parts)})"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_plain, value))}]"
    if isinstance(value, frozenset | set):
        return f"{{{', '.join(sorted(map(_plain, value)))}}}"
    return repr(value)
