"""The form of scenario files (`scenarios/*.toml`, semantics S9.3), and what of a text does not fit it, with its place.

Imports nothing that runs one: an editor looks at their form while one types.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from argon_lang.errors import ArgonError
from argon_lang.problems import Diagnostic, Location, args
from argon_lang.workspace.manifest_problems import syntax_problem
from argon_lang.workspace.toml_places import KeyPath, TomlPlace, toml_places
from shared_catalog import render

_CODE = "ARGON_RUNTIME_VALIDATION_FAILED"


_EXPECTED = {
    "missing": "a value",
    "extra_forbidden": "no such key",
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "an array",
    "dict_type": "a table",
    "literal_error": "mutate, query, derive, compute or expect",
    "too_short": "at least one step",
    "greater_than_equal": "0 or more",
}


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class StepTable(_Table):
    """A `[[step]]`."""

    do: Literal["mutate", "query", "derive", "compute", "expect"]
    path: str | None = None
    args: dict[str, Any] | list[Any] = Field(default_factory=dict)
    label: str | None = None
    at: datetime | date | None = None
    rows: list[list[Any]] | None = None
    count: int | None = Field(default=None, ge=0)
    value: Any = None
    refused: str | None = None
    fact: str | None = None
    holds: bool = True

    @model_validator(mode="after")
    def _fits(self) -> StepTable:
        """What belongs to an `expect` stands in one, and what does something says on what."""
        told = {"rows", "count", "value", "refused", "fact", "holds"} & self.model_fields_set
        if self.do != "expect" and told:
            raise ValueError(f"no `{sorted(told)[0]}` in a step that is no `expect`")
        if self.do != "expect" and self.path is None:
            raise ValueError(f"a `path` for `{self.do}`")
        if self.do == "expect" and not told:
            raise ValueError("one of rows, count, value, refused, fact in an `expect`")
        return self


class ScenarioTable(_Table):
    """A scenario file."""

    title: str | None = None
    step: list[StepTable] = Field(min_length=1)


def read_table(file: str, data: bytes) -> ScenarioTable:
    """A scenario file that fits its form. Raises `ARGON_RUNTIME_VALIDATION_FAILED`, naming the first place."""
    try:
        return ScenarioTable.model_validate(tomllib.loads(data.decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _invalid(file, "TOML", str(error)) from error
    except ValidationError as error:
        raise _of_row(file, error.errors(include_url=False)[0]) from error


def mistakes(file: str, text: str, shown: str) -> list[Diagnostic]:
    """Everything in a text that does not fit the form, as whoever runs the scenario is told of the first.

    `file` is what messages call it, `shown` the name of the file in places.
    """
    try:
        raw = tomllib.loads(text)
        places = toml_places(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        at = syntax_problem(file, text, str(error))
        return [_diagnostic(_invalid(file, "TOML", str(error)), Location(shown, at.start, at.end))]
    try:
        ScenarioTable.model_validate(raw)
    except ValidationError as error:
        rows = error.errors(include_url=False)
        return [_diagnostic(_of_row(file, row), Location(shown, *_span(places, row["loc"]))) for row in rows]
    return []


def _span(places: Mapping[KeyPath, TomlPlace], path: KeyPath) -> tuple[int, int]:
    """Where the entry at a path stands, or the nearest one above it."""
    while path and path not in places:
        path = path[:-1]
    place = places.get(path)
    return place.value if place is not None else (0, 0)


def _of_row(file: str, row: ErrorDetails) -> ArgonError:
    place = ".".join(str(part + 1) if isinstance(part, int) else part for part in row["loc"])
    plain = _EXPECTED.get(row["type"], "a value that fits")
    expected = str(row["ctx"]["error"]) if row["type"] == "value_error" else plain
    missing = row["type"] == "missing"
    found = "nothing" if missing else json.dumps(row["input"], ensure_ascii=False, default=str)[:80]
    return _invalid(f"{file}: {place}" if place else file, expected, found)


def _invalid(name: str, expected: str, found: str) -> ArgonError:
    return ArgonError(_CODE, args(name=name, expected=expected, found=found))


def _diagnostic(error: ArgonError, location: Location) -> Diagnostic:
    return Diagnostic(error.code, "error", render.message(error.code, error.args_), location)
