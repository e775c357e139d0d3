"""The quick fixes that apply at a span, and those that may be applied together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from argon_lang.problems import Diagnostic, PublishedFix, Replacement


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


def all_safe(diagnostics: Iterable[Diagnostic]) -> tuple[Replacement, ...]:
    """The edits of every fix that needs no asking, but of those that touch what an earlier one touches."""
    chosen = disjoint(fix.edits for each in diagnostics for fix in each.fixes[:1] if fix.safe)
    return tuple(edit for edits in chosen for edit in edits)


def disjoint(fixes: Iterable[tuple[Replacement, ...]]) -> list[tuple[Replacement, ...]]:
    """The fixes that touch nothing an earlier one touches."""
    taken: dict[str, list[tuple[int, int]]] = defaultdict(list)
    chosen = []
    for edits in fixes:
        if edits and not any(_touches(taken[edit.location.file], edit) for edit in edits):
            chosen.append(edits)
            for edit in edits:
                taken[edit.location.file].append((edit.location.start, edit.location.end))
    return chosen


def _touches(taken: Iterable[tuple[int, int]], edit: Replacement) -> bool:
    start, end = edit.location.start, edit.location.end
    return any(start <= other_end and other_start <= end for other_start, other_end in taken)
