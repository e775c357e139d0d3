"""`ox.lock`: what each path dependency was when the package was last built, so that a change is noticed and looked at.

Per package it pins the hash of its content and that of what it exports. `argon build` writes the file when a dependency
is new, and refuses one that is not what was locked (OE1242) until somebody says `--update-lock`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from argon_lang.problems import Note, Problem, args

LOCK_FILE = "ox.lock"
UNREADABLE = "something unreadable"
_HEAD = (
    "# What this package was last built with; `argon build --update-lock` renews it. Commit this file.\nversion = 1\n"
)
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Pin:
    """A dependency at one moment: `content` and `exports` are hashes in hexadecimal."""

    name: str
    path: str
    content: str
    exports: str


def read_pins(data: bytes | None) -> Mapping[str, Pin] | None:
    """The pins of an `ox.lock` by name; none without a file, and None for a file that is no `ox.lock`."""
    if data is None:
        return {}
    try:
        table = tomllib.loads(data.decode("utf-8"))
        rows = table.get("package", [])
        return {row["name"]: _pin(row) for row in rows} if table["version"] == 1 else None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError, KeyError, TypeError, AttributeError):
        return None


def _pin(row: Mapping[str, Any]) -> Pin:
    return Pin(str(row["name"]), str(row["path"]), str(row["content"]), str(row["exports"]))


def lock_text(pins: Iterable[Pin]) -> bytes:
    """The `ox.lock` of these packages, in the order of their names."""
    rows = (
        f'\n[[package]]\nname = "{each.name}"\npath = "{_quoted(each.path)}"\n'
        f'content = "{each.content}"\nexports = "{each.exports}"\n'
        for each in sorted(pins, key=lambda each: each.name)
    )
    return (_HEAD + "".join(rows)).encode()


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def mismatch(pin: Pin, locked: Mapping[str, Pin] | None) -> Problem | None:
    """OE1242 of a dependency that is not the one that was locked; None when it is, or when it is new."""
    known = Pin(pin.name, pin.path, UNREADABLE, "") if locked is None else locked.get(pin.name)
    if known is None or (known.content, known.exports) == (pin.content, pin.exports):
        return None
    notes = (Note("same" if known.exports == pin.exports else "changed", args(name=pin.name)), Note("relock"))
    values = args(
        name=pin.name, found=pin.content[:_SHOWN], expected=known.content[:_SHOWN] if known.exports else UNREADABLE
    )
    return Problem("OE1242", 0, 0, values, notes=notes if known.exports else notes[1:])
