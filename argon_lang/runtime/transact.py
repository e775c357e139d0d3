"""The middle of every transaction, of a caller's mutation and of a test's statement alike: statements, gates, guard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from argon_lang.errors import ArgonError
from argon_lang.ir.module import DEFAULT, Check
from argon_lang.ir.values import Value
from argon_lang.problems import Note, args
from argon_lang.runtime.gates import enforce
from argon_lang.runtime.guard import Found, brought_about, violations
from argon_lang.runtime.options import SHALLOW
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.reports import violation_form
from argon_lang.runtime.work import GateRefusal, Work

Before = Callable[[datetime], Reading]
"""The state before the transaction, at an instant of valid time."""


@dataclass(frozen=True, slots=True)
class Performed:
    """What a transaction that may commit did: the value it yields, and the violations that it brought about."""

    result: Value
    fresh: tuple[tuple[Reading, Found], ...]


def perform(work: Work, before: Before, action: Callable[[], Value]) -> Performed:
    """Run `action` on the working state and hold gates and guard at every instant that it wrote.

    Raises `ARGON_RUNTIME_WRITE_REFUSED`, `_CHECK_VIOLATION` (severity Error, not there before), domain errors, limits.
    """
    with _as_write_refusal():
        result = action()
        enforce(work)
    fresh: dict[tuple[object, ...], tuple[Reading, Found]] = {}
    for instant in sorted(work.instants):
        for old, after, checks in _views(work, before(instant), work.reading_at(instant)):
            new = brought_about(violations(old, checks), violations(after, checks))
            if errors := [found for found in new if found.severity == "error"]:
                raise _violated(after, errors)
            fresh.update({(found.check.path, found.row): (after, found) for found in new})
    return Performed(result, tuple(fresh.values()))


def _views(work: Work, before: Reading, after: Reading) -> Iterator[tuple[Reading, Reading, list[Check]]]:
    """The module's checks in the written view, and those of each standpoint in its own, before and after (S7.3).

    What a standpoint says changes nothing in the default view.
    """
    grouped: dict[str, list[Check]] = {after.point.view: []}
    for check in work.served.module.checks:
        view = after.point.view if check.standpoint == DEFAULT else check.standpoint
        grouped.setdefault(view, []).append(check)
    for view, checks in grouped.items():
        if view == after.point.view:
            yield before, after, checks
        else:
            points = (replace(each.point, view=view) for each in (before, after))
            old, new = (each.at(point) for each, point in zip((before, after), points, strict=True))
            yield old, new, checks


@contextmanager
def _as_write_refusal() -> Iterator[None]:
    """Turn a construction gate's refusal into `_WRITE_REFUSED`, its own code under `details.code` (S7.4)."""
    try:
        yield
    except GateRefusal as refusal:
        from shared_catalog import render

        told = render.message(refusal.code, refusal.args_)
        raise ArgonError(
            "ARGON_RUNTIME_WRITE_REFUSED",
            args(code=refusal.code, found=told),
            details={"code": refusal.code, "message": told}
            | ({"batchStep": refusal.step} if refusal.step is not None else {}),
            notes=(Note("explain", args(code=refusal.code)),),
        ) from refusal


def _violated(after: Reading, errors: Sequence[Found]) -> ArgonError:
    forms = [violation_form(after, found, SHALLOW) for found in errors]
    return ArgonError(
        "ARGON_RUNTIME_CHECK_VIOLATION",
        args(name=errors[0].check.path.rsplit("::", 1)[-1], found=errors[0].message),
        details={"violations": [form.dump() for form in forms]},
        notes=(Note("proof"),),
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
