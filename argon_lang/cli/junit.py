"""A report of tests as JUnit XML, for whoever collects results from many tools."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

if TYPE_CHECKING:
    from argon_lang.runtime.envelopes import TestOutcome, TestReport

_KINDS = {"failed": "failure", "error": "error", "inconclusive": "skipped", "listed": "skipped"}


def junit_xml(report: TestReport, name: str) -> bytes:
    """The report as one test suite; a test's failures with their proofs and why-not trees as text."""
    total = sum(each.duration_ms for each in report.tests) / 1000
    counts = {"tests": len(report.tests), "failures": report.failed, "errors": report.errors}
    skipped = sum(each.outcome in ("inconclusive", "listed") for each in report.tests)
    suite = Element("testsuite", name=name, skipped=str(skipped), time=f"{total:.3f}")
    for key, count in counts.items():
        suite.set(key, str(count))
    for outcome in report.tests:
        _case(suite, outcome)
    indent(suite)
    text: str = tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _case(suite: Element, outcome: TestOutcome) -> None:
    case = SubElement(suite, "testcase", name=_clean(outcome.name), classname=_clean(outcome.module))
    case.set("time", f"{outcome.duration_ms / 1000:.3f}")
    if outcome.span is not None:
        case.set("file", outcome.span.file)
        case.set("line", str(outcome.span.start.line + 1))
    if outcome.outcome in _KINDS:
        messages = [failure.message for failure in outcome.failures]
        told = SubElement(case, _KINDS[outcome.outcome], message=_clean(messages[0] if messages else outcome.outcome))
        told.text = _clean("\n".join(_lines(outcome)))


def _lines(outcome: TestOutcome) -> list[str]:
    """Each failure, and under it the facts of its tree."""
    lines = []
    for failure in outcome.failures:
        lines.append(failure.message)
        nodes = failure.explanation.nodes if failure.explanation is not None else []
        depths: dict[str, int] = {}
        for node in nodes:
            depths[node.id] = depths.get(node.parent or "", 0) + 1
            lines.append(f"{'  ' * depths[node.id]}{node.kind} {node.fact}")
    return lines


def _clean(text: str) -> str:
    """The text without the characters that XML cannot hold."""
    return "".join(each for each in text if each in "\t\n" or (each >= " " and not "\ud800" <= each <= "\udfff"))
