"""The package's own tests (semantics S9.2): each on a fresh store, each top-level statement one transaction.

A failing `assert` is recorded and the test goes on; a refused statement ends it. Whether something is derivable that an
open world leaves unknown is neither a success nor a failure: a test with nothing worse is inconclusive. A `rejects`
block is one transaction that must be refused and never commits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from argon_lang.engine.display import display
from argon_lang.engine.governor import Governor
from argon_lang.errors import ArgonError
from argon_lang.ir.expr import Binary, Expr
from argon_lang.ir.statements import Assert, AssertDerivable, AssertRejects, Statement, TestCase, TestStep
from argon_lang.ir.values import Value
from argon_lang.program.types import UNKNOWN
from argon_lang.runtime.base import ReadPoint
from argon_lang.runtime.envelopes import Place, TestFailure, TestOutcome, TestReport
from argon_lang.runtime.explain import explain_goal
from argon_lang.runtime.facts import Goal
from argon_lang.runtime.models import Models
from argon_lang.runtime.options import Depth
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.served import Served
from argon_lang.runtime.shown import labels_of, place_of
from argon_lang.runtime.statements import Env, run
from argon_lang.runtime.transact import perform, refusal_names
from argon_lang.runtime.work import Work
from argon_lang.store.memory import MemoryStore
from argon_lang.store.protocol import Snapshot
from shared_catalog import render

Outcome = Literal["passed", "failed", "error", "inconclusive"]
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


@dataclass
class _Run:
    """One test in progress."""

    served: Served
    clock: Callable[[], datetime]
    governor: Governor
    store: MemoryStore = field(default_factory=MemoryStore)
    models: Models = field(default_factory=Models)
    env: Env = field(default_factory=dict)
    failures: list[TestFailure] = field(default_factory=list)

    def reading(self) -> Reading:
        """The state after the transactions so far."""
        now = self.clock()
        return self.models.reading(self.served, self.store.snapshot(), ReadPoint(now), now, self.governor)

    def transact(self, statements: Iterable[Statement], name: str, place: Place | None, *, commit: bool) -> None:
        """Run statements as one transaction. Raises ArgonError when it is refused; then nothing of it stays.

        What they assert on the way is judged in the state that the transaction has made so far.
        """
        now, snapshot = self.clock(), self.store.snapshot()
        with self.store.write(now) as writer:
            env = self.env if commit else dict(self.env)

            def before(instant: datetime) -> Reading:
                return self.models.reading(self.served, snapshot, ReadPoint(instant), now, self.governor)

            work = Work(self.served, writer, now, "test", self.governor, before(now))

            def judge(statement: Assert | AssertDerivable, inner: Mapping[str, Value]) -> None:
                self.failures.extend(_judged(work.reading, statement, inner, place, None))

            work.judge = judge
            perform(work, before, lambda: run(work, statements, env, name))
            if commit:
                writer.set_module_hash(self.served.module_hash)
                writer.commit()


def run_tests(
    served: Served,
    pattern: str | None,
    clock: Callable[[], datetime],
    governor: Callable[[], Governor],
    run: bool = True,
) -> TestReport:
    """Run the tests whose name contains `pattern` (all of them when None); without `run` only list them."""
    wanted = [case for case in served.module.tests if pattern is None or pattern.lower() in case.name.lower()]
    outcomes = [_run_one(served, case, clock, governor()) if run else _listed_one(served, case) for case in wanted]
    return report_of(served, outcomes)


def report_of(served: Served, outcomes: list[TestOutcome]) -> TestReport:
    """The outcomes with their counts."""
    counts = [outcome.outcome for outcome in outcomes]
    return TestReport(
        passed=counts.count("passed"),
        failed=counts.count("failed"),
        errors=counts.count("error"),
        inconclusive=counts.count("inconclusive"),
        tests=outcomes,
        module_hash=served.module_hash,
    )


def _listed_one(served: Served, case: TestCase) -> TestOutcome:
    span, _ = _places(served, case)
    return TestOutcome(name=case.name, module=case.module, span=span, outcome="listed", duration_ms=0.0)


def _run_one(served: Served, case: TestCase, clock: Callable[[], datetime], governor: Governor) -> TestOutcome:
    started = time.perf_counter()
    span, sites = _places(served, case)
    attempt = _Run(served, clock, governor)
    outcome: Outcome = "passed"
    for index, step in enumerate(case.steps):
        place = sites[index] if index < len(sites) else span
        try:
            _step(attempt, case, step, place)
        except ArgonError as error:
            attempt.failures.append(TestFailure(message=said(error), span=place))
            outcome = "error"
            break
    if attempt.failures and outcome == "passed":
        undecided = all(each.truth4 == "Can" for each in attempt.failures)
        outcome = "inconclusive" if undecided else "failed"
    spent = round((time.perf_counter() - started) * 1000, 3)
    return TestOutcome(
        name=case.name,
        module=case.module,
        span=span,
        outcome=outcome,
        duration_ms=spent,
        failures=attempt.failures,
    )


def said(error: ArgonError) -> str:
    """An error's code and message in one line."""
    return f"{error.code}: {render.message(error.code, error.args_)}"


def _places(served: Served, case: TestCase) -> tuple[Place | None, list[Place]]:
    for module, name, span, sites in served.module.source.tests:
        if (module, name) == (case.module, case.name):
            return place_of(span), [place_of(site) for site in sites]
    return None, []


def _step(attempt: _Run, case: TestCase, step: TestStep, place: Place | None) -> None:
    match step:
        case Assert() | AssertDerivable():
            snapshot = attempt.store.snapshot()
            attempt.failures.extend(_judged(attempt.reading(), step, attempt.env, place, snapshot))
        case AssertRejects():
            _assert_rejects(attempt, step, place)
        case _:
            attempt.transact([step], case.name, place, commit=True)


def _judged(
    reading: Reading,
    step: Assert | AssertDerivable,
    env: Mapping[str, Value],
    place: Place | None,
    snapshot: Snapshot | None,
) -> Iterator[TestFailure]:
    """What is wrong with an assertion, if anything; with the tree of a fact where the state is a stored one."""
    if isinstance(step, AssertDerivable):
        yield from _underivable(reading, step, env, place, snapshot)
    elif reading.value(step.expr, env) is not True:
        sides = _sides(reading, step.expr, env)
        shown = [labels_of(reading).wire(value, UNKNOWN) for value in sides]
        left, right = shown if len(shown) == 2 else (None, None)
        tail = f": {display(sides[0])} against {display(sides[1])}" if len(sides) == 2 else ""
        yield TestFailure(message=f"assert {step.text}{tail}", span=place, left=left, right=right)


def _sides(reading: Reading, expr: Expr, env: Mapping[str, Value]) -> list[Value]:
    if isinstance(expr, Binary) and expr.op in _COMPARISONS:
        return [reading.value(expr.left, env), reading.value(expr.right, env)]
    return []


def _underivable(
    reading: Reading,
    step: AssertDerivable,
    env: Mapping[str, Value],
    place: Place | None,
    snapshot: Snapshot | None,
) -> Iterator[TestFailure]:
    row = tuple(None if arg is None else reading.value(arg, env) for arg in step.args)
    holds = reading.model.holds(step.key, row)
    unknown = not holds and reading.model.doubtful and reading.model.upper().holds(step.key, row)
    if holds != step.negated and not unknown:
        return
    explanation = None
    if snapshot is not None:
        goal = Goal(step.key, row, labels_of(reading).fact(step.key, row))
        explanation = explain_goal(snapshot, reading, goal, Depth())
    told = step.text.rstrip("; ")
    yield TestFailure(message=told, span=place, truth4="Can" if unknown else None, explanation=explanation)


def _assert_rejects(attempt: _Run, step: AssertRejects, place: Place | None) -> None:
    try:
        attempt.transact(step.body, "rejects", place, commit=False)
    except ArgonError as error:
        names = refusal_names(error)
        if not names:
            raise
        if step.code is not None and step.code.rsplit("::", 1)[-1] not in names:
            attempt.failures.append(TestFailure(message=f"{step.text}: refused with {said(error)}", span=place))
        return
    attempt.failures.append(TestFailure(message=f"{step.text}: accepted", span=place))
