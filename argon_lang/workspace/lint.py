"""`[lint]` of the manifest: the level at which a package wants to see a warning or an information."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from argon_lang.problems import Diagnostic
from argon_lang.workspace.manifest import LintLevel

_SEVERITY = {"warn": "warning", "error": "error"}


def at_level(diagnostics: Iterable[Diagnostic], lint: Mapping[str, LintLevel]) -> tuple[Diagnostic, ...]:
    """The diagnostics as the package wants them: those that are `off` left out, the others with their severity.

    A code that `lint` does not name keeps the severity of the catalog; an error of the language is never named there.
    """
    return tuple(
        replace(diagnostic, severity=_SEVERITY[lint[diagnostic.code]]) if diagnostic.code in lint else diagnostic
        for diagnostic in diagnostics
        if lint.get(diagnostic.code) != "off"
    )
