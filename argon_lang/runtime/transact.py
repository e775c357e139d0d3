"""The middle of every transaction, of a caller's mutation and of a test's statement alike: statements, gates, guard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, partial

from argon_lang.errors import ArgonError
from argon_lang.ir.module import DEFAULT, Check
from argon_lang.ir.values import Value
from argon_lang.problems import Note, args
from argon_lang.runtime.boundaries import boundaries
from argon_lang.runtime.gates import enforce
from argon_lang.runtime.guard import Found, brought_about, violations
from argon_lang.runtime.options import SHALLOW
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.reports import violation_form
from argon_lang.runtime.shown import iso
from argon_lang.runtime.work import GateRefusal, Work

Before = Callable[[datetime], Reading]
"""The state before the transaction, at an instant of valid time."""


@dataclass(frozen=True, slots=True)
class Performed:
    """What a transaction that may commit did: the value it yields, and the violations that it brought about."""

    result: Value
    fresh: tuple[tuple[Reading, Found], ...]


def perform(work: Work, before: Before, action: Callable[[], Value]) -> Performed:
    """Run `action` on the working state and hold gates and guard at every instant that it wrote, and between them.

    Raises `ARGON_RUNTIME_WRITE_REFUSED`, `_CHECK_VIOLATION` (severity Error, not there before), domain errors, limits.
    """
    with _as_write_refusal(work.instant):
        result = action()
    written, fresh = sorted(work.instants), _Fresh(work)
    for instant in written:
        with _as_write_refusal(work.instant, instant):
            enforce(work, work.reading_at(instant))
    for instant in written:
        fresh.judge(partial(before, instant), work.reading_at(instant), work.served.module.checks)
    between = boundaries(work)
    for instant in between.instants:
        after, unwritten = work.passing(instant), cache(partial(before, instant))
        with _as_write_refusal(work.instant, instant):
            enforce(work, after, unwritten)
        fresh.judge(unwritten, after, between.checks)
    return Performed(result, tuple(fresh.found.values()))


@dataclass(frozen=True, slots=True)
class _Fresh:
    """What a transaction brings about, by check and row, at the first instant at which it does."""

    work: Work
    found: dict[tuple[object, ...], tuple[Reading, Found]] = field(default_factory=dict)

    def judge(self, before: Callable[[], Reading], after: Reading, checks: Sequence[Check]) -> None:
        """Add the violations of an instant. Raises `ARGON_RUNTIME_CHECK_VIOLATION`."""
        for view, judged in _by_view(after, checks).items():
            reading = _seen(after, view)
            standing = list(violations(reading, judged))
            new = brought_about(violations(_seen(before(), view), judged), standing) if standing else []
            if errors := [each for each in new if each.severity == "error"]:
                raise _violated(self.work.instant, reading, errors)
            for each in new:
                self.found.setdefault((each.check.path, each.row), (reading, each))


def _by_view(after: Reading, checks: Sequence[Check]) -> dict[str, list[Check]]:
    """The module's checks under the written view, and those of each standpoint under its own (S7.3).

    What a standpoint says changes nothing in the default view.
    """
    grouped: dict[str, list[Check]] = {}
    for check in checks:
        grouped.setdefault(after.point.view if check.standpoint == DEFAULT else check.standpoint, []).append(check)
    return grouped


def _seen(reading: Reading, view: str) -> Reading:
    """The same state in a view."""
    return reading if view == reading.point.view else reading.at(replace(reading.point, view=view))


@contextmanager
def _as_write_refusal(now: datetime, instant: datetime | None = None) -> Iterator[None]:
    """Turn a construction gate's refusal into `_WRITE_REFUSED`, its own code under `details.code` (S7.4).

    `instant` is where the gate is broken, if not now.
    """
    try:
        yield
    except GateRefusal as refusal:
        from shared_catalog import render

        told = render.message(refusal.code, refusal.args_)
        raise ArgonError(
            "ARGON_RUNTIME_WRITE_REFUSED",
            args(code=refusal.code, found=told),
            details={"code": refusal.code, "message": told}
            | ({"batchStep": refusal.step} if refusal.step is not None else {})
            | ({"at": iso(instant)} if instant not in (None, now) else {}),
            notes=(*_since(now, instant or now), Note("explain", args(code=refusal.code))),
        ) from refusal


def _since(now: datetime, instant: datetime) -> tuple[Note, ...]:
    """When a state begins in which something is amiss, if that is not now."""
    return (Note("since", args(since=iso(instant))),) if instant != now else ()


def _violated(now: datetime, after: Reading, errors: Sequence[Found]) -> ArgonError:
    instant = after.point.valid_at
    forms = [violation_form(after, found, SHALLOW) for found in errors]
    return ArgonError(
        "ARGON_RUNTIME_CHECK_VIOLATION",
        args(name=errors[0].check.path.rsplit("::", 1)[-1], found=errors[0].message),
        details={"violations": [form.dump() for form in forms]} | ({"at": iso(instant)} if instant != now else {}),
        notes=(*_since(now, instant), Note("proof")),
    )


def refusal_names(error: ArgonError) -> frozenset[str]:
    """Every code or name by which `assert rejects(…)` may pin a refusal; empty when the error is none."""
    if error.code == "ARGON_RUNTIME_WRITE_REFUSED":
        return frozenset({error.code, str(error.details["code"])})
    if error.code != "ARGON_RUNTIME_CHECK_VIOLATION":
        return frozenset()
    violated = error.details["violations"]
    found = violated if isinstance(violated, list) else []
    names = {str(form["check"]).rsplit("::", 1)[-1] for form in found}
    return frozenset({error.code, *names, *(str(form["code"]) for form in found if "code" in form)})
