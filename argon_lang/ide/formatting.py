"""The canonical layout of a file, as edits."""

from __future__ import annotations

from difflib import SequenceMatcher

from argon_lang.problems import Location, Replacement
from argon_lang.queries.database import Database
from argon_lang.syntax.format import format_changes


def format_edits(db: Database, file: str) -> tuple[Replacement, ...]:
    """The edits that lay a file out, a run of changed lines each. Items with syntax errors are left as they are."""
    document = db.documents().get(file)
    if document is None:
        return ()
    return tuple(
        edit
        for change in format_changes(document)
        for edit in line_edits(file, change.start, document.text[change.start : change.end], change.text)
    )


def line_edits(file: str, start: int, before: str, after: str) -> tuple[Replacement, ...]:
    """The edits that turn `before`, which stands at `start`, into `after`: whole lines, and as few as there need be.

    So cursors, marks and folds of an editor stay where they are.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [start]
    for line in old:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return tuple(
        Replacement(Location(file, starts[low], starts[high]), "".join(new[first:last]))
        for tag, low, high, first, last in matcher.get_opcodes()
        if tag != "equal"
    )
