"""The check guard: which violations a state has, and which of them a write brought about (semantics S7.3, S9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from argon_lang.engine.display import display
from argon_lang.engine.identity import identity
from argon_lang.errors import ArgonError
from argon_lang.ir.module import Check
from argon_lang.ir.names import check_key
from argon_lang.ir.rules import Var
from argon_lang.ir.values import EnumValue, Row, StructValue, Value
from argon_lang.problems import args
from argon_lang.runtime.reading import Reading

UNDECIDED = "OW0245"
Severity = Literal["error", "warning", "info"]
_UNSPEAKABLE = ("ARGON_RUNTIME_DERIVE_FAILED", "ARGON_RUNTIME_ARITHMETIC")
_SEVERITIES: dict[str, Severity] = {"Error": "error", "Warning": "warning", "Info": "info"}


@dataclass(frozen=True, slots=True)
class Found:
    """A violation: the check, its whole row (head arguments first), and what its report says."""

    check: Check
    row: Row
    severity: Severity
    message: str
    code: str | None

    @property
    def key(self) -> Row:
        """The head arguments: what makes it the same violation before and after."""
        return self.row[: self.check.arity]


def violations(reading: Reading, checks: Iterable[Check]) -> Iterator[Found]:
    """Every violation of these checks, in the order of checks and rows; of one that is undecided, that it is (S7.3)."""
    for check in checks:
        for row in reading.model.rows(check_key(check.path)):
            yield _report(reading, check, row)
        for row in reading.model.doubted(check_key(check.path)):
            yield _undecided(reading, check, row)


def _undecided(reading: Reading, check: Check, row: Row) -> Found:
    """OW0245: whether the check is violated rests on what is not known of an open concept."""
    opened = (each.path for each in reading.served.module.concepts if each.open)
    name = ", ".join(display(value) for value in row[: check.arity])
    return Found(check, row, "warning", undecided(name, check.path, next(opened, "")), UNDECIDED)


def undecided(name: str, of: str, concept: str) -> str:
    """The catalog's message of OW0245."""
    from shared_catalog import render

    short = (path.rsplit("::", 1)[-1] for path in (of, concept))
    return render.message(UNDECIDED, args(name=name, of=next(short), type=next(short)))


def _report(reading: Reading, check: Check, row: Row) -> Found:
    """What the check says of a violation; one whose report cannot be computed is an error that says so."""
    env: dict[str, Value] = {t.name: v for t, v in zip(check.rule.terms, row, strict=True) if isinstance(t, Var)}
    try:
        report = reading.shown(check.report, env)
    except ArgonError as error:
        if error.code not in _UNSPEAKABLE:
            raise
        from shared_catalog import render

        return Found(check, row, "error", render.message(error.code, error.args_), None)
    if not isinstance(report, StructValue):
        raise TypeError(f"the report of {check.path} is {report!r}")
    severity = report.get("severity")
    code = report.get("code")
    return Found(
        check,
        row,
        _SEVERITIES[severity.variant] if isinstance(severity, EnumValue) else "error",
        str(report.get("message")),
        None if code is None else str(code),
    )


def brought_about(before: Iterable[Found], after: Iterable[Found]) -> list[Found]:
    """The violations of `after` whose key no violation of `before` has."""
    known = {_identity(found) for found in before}
    return [found for found in after if _identity(found) not in known]


def _identity(found: Found) -> tuple[object, ...]:
    """A violation that becomes an error is a new one."""
    return (found.check.path, found.severity == "error", *(identity(value) for value in found.key))
