"""Edits of saved sources that a command makes: canonical layout, and fixes that need no asking."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from argon_lang.ide.fixes import disjoint
from argon_lang.problems import Replacement
from argon_lang.syntax.document import Document
from argon_lang.syntax.format import format_document
from argon_lang.workspace.root import Project as Root
from argon_lang.workspace.sources import Inputs
from argon_lang.workspace.writing import replace_file, unwritable

if TYPE_CHECKING:
    from argon_lang.session.project import Project

_MOST_ROUNDS = 20
"""Rounds of fixing; each must leave fewer safe fixes, so this only bounds a fault of the catalog."""


@dataclass(frozen=True, slots=True)
class Formatted:
    """One source with its canonical layout; `diff` is unified, empty when nothing changes."""

    file: str
    changed: bool
    text: str
    diff: str


def format_files(root: Root, inputs: Inputs, only: Sequence[str], *, write: bool) -> tuple[Formatted, ...]:
    """Lay out every source (under `only`, when given). Files that are not UTF-8 are left alone.

    Raises `ARGON_TARGET_UNWRITABLE`.
    """
    done = []
    for source in inputs.sources(""):
        if source.problems or (only and not any(_covers(path, source.path) for path in only)):
            continue
        text = format_document(Document.parse(source.text))
        done.append(Formatted(source.path, text != source.text, text, unified(source.path, source.text, text)))
    for formatted in done:
        if write and formatted.changed:
            write_source(root, formatted.file, formatted.text)
    return tuple(done)


def _covers(path: str, file: str) -> bool:
    return path in (file, ".") or file.startswith(path + "/")


def unified(file: str, old: str, new: str) -> str:
    """The change of one file as a unified diff; empty when there is none."""
    lines = difflib.unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), file, file)
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def write_source(root: Root, file: str, text: str) -> None:
    """Replace a source file as a whole. Raises `ARGON_TARGET_UNWRITABLE`."""
    try:
        replace_file(root.root / file, text.encode("utf-8"))
    except OSError as error:
        raise unwritable(file, error) from error


def safe_fixes(project: Project) -> int:
    """Apply safe fixes until none is left; how many were applied."""
    applied = 0
    for _ in range(_MOST_ROUNDS):
        checked = project.check()
        chosen = disjoint(fix.edits for each in checked.diagnostics for fix in each.fixes[:1] if fix.safe)
        if not chosen:
            break
        applied += len(chosen)
        edits = defaultdict(list)
        for edit in (edit for group in chosen for edit in group):
            edits[edit.location.file].append(edit)
        for file, replacements in edits.items():
            write_source(project.root, file, apply(checked.texts[file], replacements))
    return applied


def apply(text: str, edits: Iterable[Replacement]) -> str:
    """The text with disjoint edits applied; of several at one place the first comes first."""
    ordered = sorted(edits, key=lambda each: each.location.start)
    for edit in ordered[::-1]:
        text = text[: edit.location.start] + edit.text + text[edit.location.end :]
    return text
