"""Scenarios: a run of writes and questions against a fresh store, with what is expected of each (semantics S9.3).

A scenario is a test with a story. Each step has an outcome; an `expect` step is about the one before it, or about a
question of its own. A write that is refused ends the scenario unless the next step expects that.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Literal

from argon_lang.engine.governor import Governor, Limits
from argon_lang.errors import ArgonError
from argon_lang.runtime.arguments import Given
from argon_lang.runtime.envelopes import Explanation, Json, TestFailure, TestOutcome
from argon_lang.runtime.served import Served
from argon_lang.runtime.service import RuntimeService
from argon_lang.runtime.testing import said
from argon_lang.runtime.transact import refusal_names
from argon_lang.store.memory import MemoryStore

Do = Literal["mutate", "query", "derive", "compute", "expect"]
Outcome = Literal["passed", "failed", "error"]
_TAGGED = ("decimal", "real", "money", "date", "dateTime", "duration", "f64")


@dataclass(frozen=True, slots=True)
class Expected:
    """What a step is to come to; None is not looked at. `rows` and `value` are written as people read them."""

    rows: tuple[tuple[Json, ...], ...] | None = None
    count: int | None = None
    value: Json = None
    refused: str | None = None
    fact: str | None = None
    holds: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `at` sets the clock from here on; `label` names it, and its result, which later steps call `$label`."""

    do: Do
    path: str | None = None
    args: Mapping[str, Json] | Sequence[Json] = ()
    label: str | None = None
    at: datetime | None = None
    expected: Expected = Expected()


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario file: its path in the project, its title, and its steps in order."""

    file: str
    title: str
    steps: tuple[Step, ...]


@dataclass
class _Clock:
    """Says the instant of the scenario; the machine's own until a step sets one."""

    system: Callable[[], datetime]
    instant: datetime | None = None

    def __call__(self) -> datetime:
        return self.instant or self.system()


@dataclass
class _Last:
    """What the last question or write came to."""

    rows: list[list[Json]] | None = None
    value: Json = None
    error: ArgonError | None = None


@dataclass
class _Run:
    """A scenario in progress."""

    service: RuntimeService
    governor: Callable[[], Governor]
    clock: _Clock
    last: _Last = field(default_factory=_Last)
    results: dict[str, Json] = field(default_factory=dict)

    def step(self, step: Step) -> list[TestFailure]:
        """Do one step; what is wrong with it. Raises ArgonError for a question that cannot be answered."""
        self.clock.instant = step.at or self.clock.instant
        if step.do == "expect":
            return self.judge(step)
        if self.last.error is not None:
            raise self.last.error
        self.last = self.done(step)
        if step.label is not None:
            self.results[step.label] = self.last.value
        return []

    def done(self, step: Step) -> _Last:
        """What a step that is no `expect` comes to."""
        path, given = str(step.path), self.given(step.args)
        match step.do:
            case "mutate":
                try:
                    receipt = self.service.mutate(path, given, governor=self.governor())
                except ArgonError as error:
                    if not refusal_names(error):
                        raise
                    return _Last(error=error)
                made = receipt.minted[0].entity if receipt.minted else None
                return _Last(value=receipt.result if receipt.result is not None else made)
            case "compute":
                return _Last(value=self.service.compute(path, given, governor=self.governor()).value)
            case _:
                return self.answered(path, given, derive=step.do == "derive")

    def answered(self, path: str, given: Given, *, derive: bool) -> _Last:
        """The rows of a query, or of a head."""
        governor = self.governor()
        if derive:
            return _Last(rows=[row.values for row in self.service.derive(path, governor=governor).rows])
        return _Last(rows=[row.values for row in self.service.query(path, given, governor=governor).rows])

    def given(self, args: Given) -> Given:
        """Arguments with the results that they name put in."""
        if isinstance(args, Mapping):
            return {name: self.named(value) for name, value in args.items()}
        return [self.named(value) for value in args]

    def named(self, value: Json) -> Json:
        """The result that `$label` stands for; else the value."""
        if isinstance(value, str) and value.startswith("$") and value[1:] in self.results:
            return self.results[value[1:]]
        return value

    def judge(self, step: Step) -> list[TestFailure]:
        """What is not as an `expect` has it."""
        wanted, failures = step.expected, list[TestFailure]()
        if step.path is not None and self.last.error is None:
            derive = step.path not in {query.rsplit("::", 1)[-1] for query in self.service.served.schema.queries}
            self.last = self.answered(step.path, self.given(step.args), derive=derive)
        error = self.last.error
        if wanted.refused is None and error is not None:
            raise error
        self.last.error = None
        if wanted.refused is not None and (error is None or wanted.refused not in refusal_names(error)):
            found = said(error) if error is not None else "accepted"
            failures.append(TestFailure(message=f"expected a refusal with {wanted.refused}: {found}"))
        failures += self.judged_answer(wanted)
        if wanted.fact is not None:
            failures += self.judged_fact(wanted.fact, wanted.holds)
        return failures

    def judged_answer(self, wanted: Expected) -> list[TestFailure]:
        """What is not as expected of rows, their number, or a value."""
        rows = self.last.rows or []
        failures = []
        if wanted.count is not None and len(rows) != wanted.count:
            failures.append(TestFailure(message=f"expected {wanted.count} rows", left=len(rows), right=wanted.count))
        expected = [[self.named(cell) for cell in row] for row in wanted.rows] if wanted.rows is not None else None
        if expected is not None and not _same_rows(rows, expected):
            shown = [[plain(cell) for cell in row] for row in rows]
            message = f"expected {_told(expected)}, found {_told(shown)}"
            failures.append(TestFailure(message=message, left=shown, right=expected))
        if wanted.value is not None and not same(self.last.value, self.named(wanted.value)):
            found = plain(self.last.value)
            message = f"expected {_told(wanted.value)}, found {_told(found)}"
            failures.append(TestFailure(message=message, left=found, right=wanted.value))
        return failures

    def judged_fact(self, fact: str, holds: bool) -> list[TestFailure]:
        """A fact that does not hold though it should, or the other way, with the tree that says why."""
        found: Explanation = self.service.explain(fact, governor=self.governor())
        if found.derived == holds:
            return []
        told = "does not hold" if holds else "holds"
        return [TestFailure(message=f"{found.fact} {told}", explanation=found)]


def run_scenario(
    served: Served,
    scenario: Scenario,
    clock: Callable[[], datetime],
    limits: Limits,
    governor: Callable[[], Governor],
) -> TestOutcome:
    """Run a scenario on a store of its own."""
    started, scenario_clock = time.perf_counter(), _Clock(clock)
    service = RuntimeService(served, MemoryStore(), clock=scenario_clock, limits=limits, principal="scenario")
    run, failures = _Run(service, governor, scenario_clock), list[TestFailure]()
    outcome: Outcome = "passed"
    names = [_name(number, step) for number, step in enumerate(scenario.steps, 1)]
    for number, step in enumerate((*scenario.steps, Step("expect"))):
        try:
            failures += [_at(names[number], failure) for failure in run.step(step)]
        except ArgonError as error:
            # A refusal comes to light at the step after the one that was refused.
            failures.append(_at(names[number - (run.last.error is not None)], TestFailure(message=said(error))))
            outcome = "error"
            break
    return TestOutcome(
        name=scenario.title,
        module=scenario.file,
        outcome="failed" if failures and outcome == "passed" else outcome,
        duration_ms=round((time.perf_counter() - started) * 1000, 3),
        failures=failures,
    )


def _name(number: int, step: Step) -> str:
    told = step.label or (f"{step.do} {step.path}" if step.path is not None else step.do)
    return f"step {number} ({told})"


def _at(name: str, failure: TestFailure) -> TestFailure:
    return failure.model_copy(update={"message": f"{name}: {failure.message}"})


def plain(value: Json) -> Json:
    """A wire value as people write it in a scenario: an individual's label, a number's or date's text, a variant."""
    match value:
        case {"entity": id_, **rest}:
            return rest.get("label", id_)
        case {"enum": path, **rest}:
            variant = str(path).rsplit("::", 1)[-1]
            return {variant: plain(rest["payload"])} if "payload" in rest else variant
        case {"struct": _, "fields": fields}:
            return {name: plain(part) for name, part in fields.items()}
        case {"tuple": relation, "ends": ends}:
            return {str(relation).rsplit("::", 1)[-1]: [plain(end) for end in ends]}
        case dict() if len(value) == 1 and next(iter(value)) in _TAGGED:
            return next(iter(value.values()))
        case dict():
            return {name: plain(part) for name, part in value.items()}
        case list():
            return [plain(part) for part in value]
        case _:
            return value


def _told(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}…"


def _same_rows(rows: Sequence[Sequence[Json]], expected: Sequence[Sequence[Json]]) -> bool:
    pairs = zip(rows, expected, strict=False)
    return len(rows) == len(expected) and all(same(list(row), list(wanted)) for row, wanted in pairs)


def same(value: Json, wanted: Json) -> bool:
    """Is a wire value what is written? Numbers are compared as numbers, individuals by label or id."""
    if isinstance(value, dict) and isinstance(wanted, str) and wanted == value.get("entity"):
        return True
    found, given = plain(value), plain(wanted)
    if isinstance(found, dict) and isinstance(given, dict):
        return found.keys() == given.keys() and all(same(found[name], given[name]) for name in found)
    if isinstance(found, list) and isinstance(given, list):
        return len(found) == len(given) and all(map(same, found, given))
    if isinstance(found, bool) or isinstance(given, bool):
        return found is given
    left, right = _number(found), _number(given)
    return left == right if left is not None and right is not None else found == given


def _number(value: Json) -> Decimal | None:
    if isinstance(value, int | str):
        try:
            return Decimal(value)
        except InvalidOperation:
            return None
    return None
