"""Program answers in wire form: diagnostics with zero-based UTF-16 positions, build, format and creation reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from argon_lang.problems import Diagnostic, Location
from argon_lang.runtime.envelopes import (
    BuildReport,
    CheckReport,
    CheckSummary,
    DiagnosticForm,
    EditForm,
    FixForm,
    FormatReport,
    FormattedForm,
    NewReport,
    Place,
    Position,
    RelatedPlace,
)
from argon_lang.session.checked import Checked
from argon_lang.text import LineIndex
from argon_lang.workspace.build import BuildResult

if TYPE_CHECKING:
    from argon_lang.session.editing import Formatted


class Placer:
    """Turns locations into places; each file's line index is made once."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """`texts` by the file names that the locations use."""
        self._texts = texts
        self._indexes: dict[str, LineIndex] = {}

    def place(self, location: Location) -> Place:
        """Zero-based lines, UTF-16 columns; a file whose text is not at hand gives offsets on line 0."""
        index = self._indexes.get(location.file)
        if index is None:
            index = self._indexes[location.file] = LineIndex(self._texts.get(location.file, ""))
        start, end = (Position(line=line, character=column) for line, column in self._span(index, location))
        return Place(file=location.file, start=start, end=end)

    def _span(self, index: LineIndex, location: Location) -> tuple[tuple[int, int], tuple[int, int]]:
        return index.position(location.start, "utf-16"), index.position(location.end, "utf-16")


def diagnostic_form(diagnostic: Diagnostic, placer: Placer) -> DiagnosticForm:
    """One diagnostic in wire form."""
    return DiagnosticForm.model_validate(
        {
            "code": diagnostic.code,
            "severity": diagnostic.severity,
            "message": diagnostic.message,
            "span": placer.place(diagnostic.location),
            "related": [
                RelatedPlace(message=each.message, span=placer.place(each.location)) for each in diagnostic.related
            ],
            "fixes": [
                FixForm(
                    title=fix.title,
                    safe=fix.safe,
                    edits=[EditForm(span=placer.place(edit.location), text=edit.text) for edit in fix.edits],
                )
                for fix in diagnostic.fixes
            ],
            "help": list(diagnostic.help),
            "tags": list(diagnostic.tags),
        }
    )


def diagnostic_forms(diagnostics: Iterable[Diagnostic], texts: Mapping[str, str]) -> list[DiagnosticForm]:
    """Diagnostics in wire form, in order."""
    placer = Placer(texts)
    return [diagnostic_form(each, placer) for each in diagnostics]


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
