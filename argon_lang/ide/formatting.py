"""The canonical layout of a file, as edits."""

from __future__ import annotations

from difflib import SequenceMatcher

from argon_lang.problems import Location, Replacement
from argon_lang.queries.database import Database
from argon_lang.syntax.format import format_document


def format_edits(db: Database, file: str) -> tuple[Replacement, ...]:
    """The edits that lay a file out, a run of changed lines each; none where its syntax is in error."""
    document = db.documents().get(file)
    if document is None or any(problem.code[1:2] == "E" for _, problem in document.problems):
        return ()
    return line_edits(file, document.text, format_document(document))


def line_edits(file: str, before: str, after: str) -> tuple[Replacement, ...]:
    """The edits of whole lines that turn one text into another; so cursors and folds elsewhere stay where they are."""
    if before == after:
        return ()
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return tuple(
        Replacement(Location(file, starts[low], starts[high]), "".join(new[first:last]))
        for tag, low, high, first, last in matcher.get_opcodes()
        if tag != "equal"
    )
