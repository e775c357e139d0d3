"""The steps of `argon mutate --batch FILE`: JSON, or JSON lines, as the steps of an agent's batch are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.runtime.arguments import Given
from argon_lang.session.project import Project

LARGEST = 64 * 1024 * 1024
"""Bytes of a batch file, at most."""


class BatchStep(BaseModel):
    """One mutation: its name, and its arguments by name or in order."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: str
    args: dict[str, Any] | list[Any] = Field(default_factory=dict)


_STEPS = TypeAdapter(list[BatchStep])


def steps_of_file(project: Project, file: str) -> list[tuple[str, Given]]:
    """The steps of a file of the project.

    Raises `ARGON_PATH_OUTSIDE_PROJECT`, `ARGON_INPUT_UNREADABLE`, `ARGON_RUNTIME_VALIDATION_FAILED`.
    """
    relative = project.root.relative(file)
    try:
        return steps_of(_read(project.root.root / relative, relative), relative)
    except OSError as error:
        told = args(path=relative, found=error.strerror or "unreadable")
        raise ArgonError("ARGON_INPUT_UNREADABLE", told) from error


def _read(path: Path, name: str) -> bytes:
    with path.open("rb") as opened:
        data = opened.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise _invalid(name, f"at most {LARGEST} bytes", "more")
    return data


def steps_of(data: bytes, name: str) -> list[tuple[str, Given]]:
    """The steps in a text: a list, an object with `steps`, or one object a line. `name` is what errors call it."""
    try:
        text = data.decode("utf-8")
        found = _parsed(text)
    except (ValueError, RecursionError) as error:
        raise _invalid(name, "JSON, or one JSON object a line", str(error)) from error
    listed = found["steps"] if isinstance(found, dict) and found.keys() == {"steps"} else found
    try:
        steps = _STEPS.validate_python(listed)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(["steps", *map(str, first["loc"])])
        shown = json.dumps(first["input"], ensure_ascii=False, default=str)[:80]
        raise _invalid(f"{name}: {place}", "steps, each a `name` with its `args`", shown) from error
    if not steps:
        raise _invalid(name, "at least one step", "none")
    return [(step.name, step.args) for step in steps]


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        return [json.loads(line) for line in lines]


def _invalid(name: str, expected: str, found: str) -> ArgonError:
    return ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", args(name=name, expected=expected, found=found))
