"""Fixtures with markers: a comment line under a span says which diagnostics begin there, and no other may occur.

    fact pays(alise, l1);
         //   ^^^^^ OE0101

The carets stand under the marked code points of the nearest line above that is no marker. Several codes at one span
are parted by blanks; several spans under one line take several marker lines. A span that goes on over the line's end is
marked up to it; an empty span has one caret. The two first columns cannot be marked: indent what begins there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from argon_lang.problems import Diagnostic

FIXTURES = Path(__file__).parent.parent / "fixtures"
_MARKER = re.compile(r"^\s*//[ ]*(\^+)[ ]+([A-Z0-9_ ]+?)\s*$")


@dataclass(frozen=True, order=True)
class Mark:
    """One expected or found diagnostic; `line` and columns are zero-based code points, `end` exclusive."""

    file: str
    line: int
    start: int
    end: int
    code: str


def files_of(path: Path) -> dict[str, str]:
    """The texts of a fixture: a folder's `.ar` files and `ox.toml` by relative path, or one file as `root.ar`."""
    if path.is_file():
        return {"root.ar": path.read_text(encoding="utf-8")}
    found = [*path.rglob("*.ar"), *path.rglob("ox.toml")]
    return {each.relative_to(path).as_posix(): each.read_text(encoding="utf-8") for each in sorted(found)}


def expected(files: Mapping[str, str]) -> list[Mark]:
    """Every marker of the files, sorted."""
    marks: list[Mark] = []
    for file, text in files.items():
        above = 0
        for number, line in enumerate(text.splitlines()):
            match = _MARKER.match(line)
            if match is None:
                above = number
                continue
            marks += [Mark(file, above, match.start(1), match.end(1), code) for code in match[2].split()]
    return sorted(marks)


def found(files: Mapping[str, str], diagnostics: list[Diagnostic]) -> list[Mark]:
    """The diagnostics as marks, sorted."""
    return sorted(_mark(files[each.location.file], each) for each in diagnostics)


def _mark(text: str, diagnostic: Diagnostic) -> Mark:
    place = diagnostic.location
    begin = text.rfind("\n", 0, place.start) + 1
    stop = text.find("\n", place.start)
    stop = len(text) if stop < 0 else stop
    line = text.count("\n", 0, place.start)
    end = max(min(place.end, stop), place.start + 1)
    return Mark(place.file, line, place.start - begin, end - begin, diagnostic.code)


def check_marked(files: Mapping[str, str], diagnostics: list[Diagnostic]) -> None:
    """Fail when the diagnostics are not exactly the marked ones."""
    wanted, actual = expected(files), found(files, diagnostics)
    unmarked = [mark for mark in actual if mark not in wanted]
    missing = [mark for mark in wanted if mark not in actual]
    messages = {_mark(files[d.location.file], d): d.message for d in diagnostics if d.location.file in files}
    shown = [f"not marked: {mark}: {messages[mark]}" for mark in unmarked] + [f"not found: {m}" for m in missing]
    assert not shown, "\n".join(shown)
    assert wanted == actual
