"""What the checker says of a small program, and what its quick fixes make of it."""

from __future__ import annotations

from argon_lang.problems import Diagnostic
from argon_lang.queries.snippet import check_files


def found(text: str, code: str) -> Diagnostic:
    """The only diagnostic of a program, which has this code."""
    (diagnostic,) = check_files({"root.ar": text})
    assert diagnostic.code == code, diagnostic.message
    return diagnostic


def codes(text: str) -> list[str]:
    """The codes of all diagnostics, in the order of the text."""
    return [each.code for each in check_files({"root.ar": text})]


def marked(text: str, diagnostic: Diagnostic) -> str:
    """The source text that a diagnostic points at."""
    return text[diagnostic.location.start : diagnostic.location.end]


def fixed(text: str, diagnostic: Diagnostic, number: int = 0) -> str:
    """The text with a quick fix applied."""
    for edit in sorted(diagnostic.fixes[number].edits, key=lambda each: -each.location.start):
        text = text[: edit.location.start] + edit.text + text[edit.location.end :]
    return text
