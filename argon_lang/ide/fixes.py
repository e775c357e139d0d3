"""The quick fixes that apply at a span."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from argon_lang.problems import Diagnostic, PublishedFix


@dataclass(frozen=True, slots=True)
class Offer:
    """A fix with the diagnostic that it mends. `preferred`: it is safe and the only one."""

    diagnostic: Diagnostic
    fix: PublishedFix
    preferred: bool


def fixes_at(diagnostics: Iterable[Diagnostic], start: int, end: int) -> list[Offer]:
    """The fixes of the diagnostics of one file that touch `[start, end]`, in order."""
    found = []
    for each in diagnostics:
        if each.location.start <= end and start <= each.location.end:
            only = len(each.fixes) == 1
            found += [Offer(each, fix, only and fix.safe) for fix in each.fixes]
    return found
