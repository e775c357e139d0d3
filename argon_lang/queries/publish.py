"""From problems to diagnostics: the only place where a code becomes words and an item-relative span absolute."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from argon_lang.problems import (
    Args,
    Diagnostic,
    Edit,
    Fix,
    Location,
    Place,
    Problem,
    PublishedFix,
    PublishedRelated,
    Related,
    Replacement,
)
from argon_lang.program.findings import BEFORE_ITEM
from shared_catalog import render
from shared_catalog.load import front

Locate = Callable[[Place], Location | None]
"""Where a place is; None when its item is no more."""

_SEVERITY = {"warn": "warning", "error": "error"}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a problem's own offsets count from: `start` of `file`; `insertion` is where `BEFORE_ITEM` is from there."""

    file: str
    start: int
    insertion: int = 0

    def span(self, start: int, end: int) -> Location:
        """An own span, absolute."""
        return Location(self.file, self.start + start, self.start + end)


def severity(code: str, lints: Mapping[str, str]) -> str | None:
    """`error`, `warning`, `info` as the entry says, or as a lint level turns a warning; None when it is off.

    An error cannot be turned down: a program in error has no meaning to build.
    """
    declared = front(code).severity
    level = lints.get(code)
    if declared == "error" or level is None:
        return declared
    return _SEVERITY.get(level)


def publish(problem: Problem, origin: Origin, locate: Locate, lints: Mapping[str, str]) -> Diagnostic | None:
    """The diagnostic of a problem; None when its lint is off."""
    level = severity(problem.code, lints)
    if level is None:
        return None
    code, values = problem.code, problem.args
    related = [_related(code, each, values, origin, locate) for each in problem.related]
    return Diagnostic(
        code,
        level,
        render.message(code, values),
        origin.span(problem.start, problem.end),
        tuple(each for each in related if each is not None),
        tuple(render.note(code, note.key, _over(values, note.args)) for note in problem.notes),
        tuple(_fix(code, fix, values, origin, locate) for fix in problem.fixes),
        front(code).tags,
    )


def _over(values: Args, own: Args) -> Args:
    """The placeholders of a part: its own, and the message's where it gives none."""
    return tuple({**dict(values), **dict(own)}.items())


def _related(code: str, part: Related, values: Args, origin: Origin, locate: Locate) -> PublishedRelated | None:
    location = origin.span(part.start, part.end) if part.place is None else locate(part.place)
    if location is None:
        return None
    return PublishedRelated(render.label(code, part.key, _over(values, part.args)), location)


def _fix(code: str, fix: Fix, values: Args, origin: Origin, locate: Locate) -> PublishedFix:
    places = ((edit, _place(edit, origin, locate)) for edit in fix.edits)
    edits = tuple(Replacement(place, edit.text) for edit, place in places if place is not None)
    return PublishedFix(render.fix_title(code, fix.key, _over(values, fix.args)), fix.safe, edits)


def _place(edit: Edit, origin: Origin, locate: Locate) -> Location | None:
    if edit.item is not None:
        return locate(Place(edit.item, edit.start, edit.end))
    if edit.start == BEFORE_ITEM:
        return origin.span(origin.insertion, origin.insertion)
    return origin.span(edit.start, edit.end)
