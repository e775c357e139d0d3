"""The mistakes of an `ox.toml` as problems at their places: what pydantic and `tomllib` found, in catalog codes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from argon_lang.problems import Edit, Fix, Note, Problem, args
from argon_lang.workspace.toml_places import KeyPath, TomlPlace

Places = Mapping[KeyPath, TomlPlace]

_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_SHOWN = 40

_NOTE_OF_TYPE = {
    "string_type": "text",
    "list_type": "list",
    "dict_type": "table",
    "model_type": "table",
    "int_type": "whole",
    "greater_than_equal": "whole",
}


def syntax_problem(file: str, text: str, reason: str) -> Problem:
    """OE1243 where `tomllib` stopped: it tells line and column at the end of its message."""
    found = _AT.search(reason)
    start = len(text.rstrip())
    if found and found.group(1):
        lines = text.split("\n")
        row = int(found.group(1)) - 1
        start = sum(len(line) + 1 for line in lines[:row]) + int(found.group(2)) - 1
    start = min(start, len(text))
    return Problem("OE1243", start, min(start + 1, len(text)), args(path=file, found=_AT.sub("", reason)))


def not_utf8_problem(file: str, data: bytes, error: UnicodeDecodeError) -> Problem:
    """OE1243 at the first byte that is not UTF-8."""
    start = len(data[: error.start].decode("utf-8"))
    byte = f"0x{data[error.start]:02X}"
    return Problem("OE1243", start, start + 1, args(path=file, found=byte), notes=(Note("encoding"),))


def missing_problem(text: str, places: Places) -> Problem:
    """OE1246: `[package]` has no `name`."""
    package = places.get(("package",))
    line = 'name = "my_package"'
    if package is None:
        where, edit = (0, 0), Edit(0, 0, f"[package]\n{line}\n\n")
    else:
        where = package.key
        end = text.find("\n", where[1])
        end = len(text) if end < 0 else end
        edit = Edit(end, end, f"\n{line}")
    fix = Fix("add", (edit,), args(suggestion=line), safe=False)
    is_header = package is None or text[: where[0]].rstrip(" \t").endswith("[")
    return Problem(
        "OE1246",
        *where,
        args(of="[package]", name="name"),
        notes=(Note("package"),),
        fixes=(fix,) if is_header else (),
    )


def validation_problem(manifest: type[BaseModel], row: ErrorDetails, text: str, places: Places) -> Problem:
    """The problem of one error that pydantic found at `row["loc"]`."""
    path = tuple(key for key in row["loc"] if key != "[key]")
    if path[0] == "dependencies" and len(path) > 1:
        return _dependency_problem(str(path[1]), text, places)
    place = _nearest(places, path)
    if row["type"] == "extra_forbidden":
        return _unknown_key(path, _keys_of(manifest, path[:-1]), text, place)
    context = row.get("ctx", {})
    if context.get("note") == "unknown":
        return _unknown_key(path, (), text, place)
    return _wrong_value(path, context, row["type"], text, place)


def _nearest(places: Places, path: KeyPath) -> TomlPlace:
    while path and path not in places:
        path = path[:-1]
    return places.get(path, TomlPlace((0, 0), (0, 0)))


def _keys_of(manifest: type[BaseModel], path: KeyPath) -> tuple[str, ...]:
    """The keys that the table at `path` may have."""
    model: Any = manifest
    for key in path:
        model = model.model_fields[str(key)].annotation
    return tuple(model.model_fields)


def _unknown_key(path: KeyPath, known: tuple[str, ...], text: str, place: TomlPlace) -> Problem:
    name, start, end = str(path[-1]), *place.key
    near = get_close_matches(name, known, n=1)
    notes: tuple[Note, ...] = ()
    fixes: tuple[Fix, ...] = ()
    if near:
        notes = (Note("suggest", args(suggestion=near[0])),)
        if text[start:end] == name:
            fixes = (Fix("replace", (Edit(start, end, near[0]),), args(suggestion=near[0])),)
    elif known:
        notes = (Note("known", args(candidates=", ".join(known))),)
    of = "[" + ".".join(map(str, path[:-1])) + "]" if len(path) > 1 else "ox.toml"
    return Problem("OE1241", start, end, args(name=name, of=of), notes=notes, fixes=fixes)


def _wrong_value(path: KeyPath, context: Mapping[str, Any], kind: str, text: str, place: TomlPlace) -> Problem:
    start, end = place.value
    candidates = str(context.get("candidates", ""))
    note = str(context.get("note", "")) or _NOTE_OF_TYPE[kind]
    notes = [Note(note, args(candidates=candidates) if candidates else ())]
    fixes: tuple[Fix, ...] = ()
    found = text[start:end]
    near = get_close_matches(found.strip("\"'"), candidates.split(", "), n=1) if candidates else []
    if near:
        suggestion = f'"{near[0]}"'
        notes.append(Note("suggest", args(suggestion=near[0])))
        fixes = (Fix("replace", (Edit(start, end, suggestion),), args(suggestion=suggestion)),)
    name = ".".join(key for key in path if isinstance(key, str))
    return Problem("OE1245", start, end, args(name=name, found=_shown(found)), notes=tuple(notes), fixes=fixes)


def _dependency_problem(name: str, text: str, places: Places) -> Problem:
    place = places[("dependencies", name)]
    start, end = place.value
    values = args(name=name, found=_shown(text[start:end]))
    return Problem("OE1240", start, end, values, notes=(Note("form", args(name=name)),))


def _shown(text: str) -> str:
    """A value on one line, short enough for a message."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
