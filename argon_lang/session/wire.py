"""Program answers in wire form: diagnostics with zero-based UTF-16 positions, build, format and creation reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from argon_lang.problems import Diagnostic
from argon_lang.runtime.envelopes import (
    BuildReport,
    CheckReport,
    CheckSummary,
    DiagnosticForm,
    FormatReport,
    FormattedForm,
    NewReport,
)
from argon_lang.session.checked import Checked
from argon_lang.session.places import Placer, plain_diagnostic
from argon_lang.workspace.build import BuildResult

if TYPE_CHECKING:
    from argon_lang.session.editing import Formatted


def diagnostic_forms(diagnostics: Iterable[Diagnostic], texts: Mapping[str, str]) -> list[DiagnosticForm]:
    """Diagnostics in wire form, in order."""
    placer = Placer(texts.get)
    return [DiagnosticForm.model_validate(plain_diagnostic(each, placer)) for each in diagnostics]


def check_report(checked: Checked) -> CheckReport:
    """The answer of `check`."""
    severities = [each.severity for each in checked.diagnostics]
    return CheckReport(
        diagnostics=diagnostic_forms(checked.diagnostics, checked.texts),
        summary=CheckSummary(
            errors=severities.count("error"), warnings=severities.count("warning"), infos=severities.count("info")
        ),
        inputs_digest=checked.inputs_digest,
    )


def build_report(result: BuildResult, texts: Mapping[str, str]) -> BuildReport:
    """The answer of `build`."""
    found = result.compiled.diagnostics if result.compiled is not None else ()
    return BuildReport(
        ok=result.ok,
        module_hash=result.module_hash,
        artifact=result.artifact if result.ok else None,
        wrote_oxbin=result.wrote,
        current=result.current,
        inputs_digest=result.inputs_digest,
        diagnostics=diagnostic_forms(found, texts),
    )


def format_report(formatted: Sequence[Formatted]) -> FormatReport:
    """The answer of `fmt`."""
    return FormatReport(
        files=[FormattedForm(file=each.file, changed=each.changed, diff=each.diff or None) for each in formatted]
    )


def created_report(name: str, paths: Sequence[str]) -> NewReport:
    """The answer of `new`."""
    return NewReport(name=name, files=list(paths))
