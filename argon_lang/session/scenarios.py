"""Scenario files: `scenarios/*.toml` of a project, read and validated (semantics S9.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

from argon_lang.engine.governor import Governor, Limits
from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.runtime.envelopes import TestFailure, TestOutcome
from argon_lang.runtime.scenarios import Expected, Scenario, Step, run_scenario
from argon_lang.runtime.served import Served
from argon_lang.runtime.testing import said
from argon_lang.session.editor.scenes import FOLDER
from argon_lang.session.scenario_files import StepTable, read_table
from argon_lang.workspace.root import Project as Root


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
        data = (root / file).read_bytes()
    except OSError as error:
        raise ArgonError("ARGON_INPUT_UNREADABLE", args(path=file, found=error.strerror or "unreadable")) from error
    table = read_table(file, data)
    return Scenario(file, table.title or Path(file).stem, tuple(map(_step, table.step)))


def _step(table: StepTable) -> Step:
    """As the runtime takes it; TOML's dates as their text."""
    rows = tuple(tuple(map(_json, row)) for row in table.rows) if table.rows is not None else None
    expected = Expected(rows, table.count, _json(table.value), table.refused, table.fact, table.holds)
    return Step(table.do, table.path, _json(table.args), table.label, _instant(table.at), expected)


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
