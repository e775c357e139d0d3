"""Scenario files: `scenarios/*.toml` of a project, read and validated (semantics S9.3)."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from argon_lang.engine.governor import Governor, Limits
from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.runtime.envelopes import TestFailure, TestOutcome
from argon_lang.runtime.scenarios import Expected, Scenario, Step, run_scenario
from argon_lang.runtime.served import Served
from argon_lang.runtime.testing import said
from argon_lang.workspace.root import Project as Root

FOLDER = "scenarios"


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

    def step(self) -> Step:
        """As the runtime takes it; TOML's dates as their text."""
        rows = tuple(tuple(map(_json, row)) for row in self.rows) if self.rows is not None else None
        expected = Expected(rows, self.count, _json(self.value), self.refused, self.fact, self.holds)
        return Step(self.do, self.path, _json(self.args), self.label, _instant(self.at), expected)


class ScenarioTable(_Table):
    """A scenario file."""

    title: str | None = None
    step: list[StepTable] = Field(min_length=1)


def scenario_files(root: Root, wanted: Sequence[str] = ()) -> list[str]:
    """The scenario files of a project by relative path; those that are named, or all of its folder.

    Raises `ARGON_PATH_OUTSIDE_PROJECT`, `ARGON_INPUT_UNREADABLE` for one that does not exist.
    """
    if not wanted:
        return sorted(path.relative_to(root.root).as_posix() for path in (root.root / FOLDER).glob("*.toml"))
    named = [root.relative(path) for path in wanted]
    for path in named:
        if not (root.root / path).is_file():
            raise ArgonError("ARGON_INPUT_UNREADABLE", args(path=path, found="no such file"))
    return named


def read_scenario(root: Path, file: str) -> Scenario:
    """A scenario file. Raises `ARGON_INPUT_UNREADABLE`, `ARGON_RUNTIME_VALIDATION_FAILED` naming the place."""
    try:
        data = tomllib.loads((root / file).read_text(encoding="utf-8"))
        table = ScenarioTable.model_validate(data)
    except OSError as error:
        raise ArgonError("ARGON_INPUT_UNREADABLE", args(path=file, found=error.strerror or "unreadable")) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _invalid(file, "TOML", str(error)) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part + 1) if isinstance(part, int) else part for part in first["loc"])
        expected = (
            str(first["ctx"]["error"])
            if first["type"] == "value_error"
            else _EXPECTED.get(first["type"], "a value that fits")
        )
        found = (
            "nothing"
            if first["type"] == "missing"
            else json.dumps(first["input"], ensure_ascii=False, default=str)[:80]
        )
        raise _invalid(f"{file}: {place}" if place else file, expected, found) from error
    return Scenario(file, table.title or Path(file).stem, tuple(each.step() for each in table.step))


def run_scenarios(
    root: Root,
    files: Sequence[str],
    pattern: str | None,
    served: Served,
    clock: Callable[[], datetime],
    limits: Limits,
    governor: Callable[[], Governor],
    run: bool = True,
) -> list[TestOutcome]:
    """The outcome of each scenario whose title contains `pattern`; a file that is none is an error of its own."""
    outcomes = []
    for file in files:
        try:
            scenario = read_scenario(root.root, file)
        except ArgonError as error:
            failure = TestFailure(message=said(error))
            outcomes.append(TestOutcome(name=file, module=file, outcome="error", duration_ms=0.0, failures=[failure]))
            continue
        if pattern is not None and pattern.lower() not in scenario.title.lower():
            continue
        if run:
            outcomes.append(run_scenario(served, scenario, clock, limits, governor))
        else:
            outcomes.append(TestOutcome(name=scenario.title, module=file, outcome="listed", duration_ms=0.0))
    return outcomes


def _invalid(name: str, expected: str, found: str) -> ArgonError:
    return ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", args(name=name, expected=expected, found=found))


def _json(value: Any) -> Any:
    """A TOML value as JSON: dates and times by their text; a float has no exact form and stays one."""
    if isinstance(value, dict):
        return {name: _json(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_json(part) for part in value]
    return value.isoformat() if isinstance(value, date | time) else value


def _instant(value: datetime | date | None) -> datetime | None:
    """An instant; a date is its midnight, and what has no zone is UTC."""
    if value is None:
        return None
    if not isinstance(value, datetime):
        return datetime.combine(value, time(), UTC)
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
