"""Sources whose expected problems stand under the places they belong to, as `//   ^^^ OE0001`.

Carets mark columns of the last line that is no marker line; one caret marks an empty span as well. Columns 0 and 1,
which the slashes cover, are marked by `//@0-1 OE0001` (start and end column).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from argon_lang.syntax.document import Document
from argon_lang.text import LineIndex

_CARETS = re.compile(r"^//( *)(\^+) (O[EWI]\d{4})$")
_COLUMNS = re.compile(r"^//@(\d+)-(\d+) (O[EWI]\d{4})$")


@dataclass(frozen=True, order=True)
class Mark:
    """A code at zero-based columns of a zero-based line; `end` is `start + 1` for an empty span."""

    line: int
    start: int
    end: int
    code: str


def expected_marks(text: str) -> list[Mark]:
    """What the marker lines of a fixture ask for."""
    found, target = [], -1
    for number, line in enumerate(text.split("\n")):
        carets, columns = _CARETS.match(line), _COLUMNS.match(line)
        if carets:
            start = 2 + len(carets[1])
            found.append(Mark(target, start, start + len(carets[2]), carets[3]))
        elif columns:
            found.append(Mark(target, int(columns[1]), int(columns[2]), columns[3]))
        else:
            target = number
    return sorted(found)


def found_marks(text: str) -> list[Mark]:
    """What the parser reports for a text, in the same form; a span of many lines ends with its first."""
    document, lines = Document.parse(text), LineIndex(text)
    found = []
    for index, problem in document.problems:
        base = document.starts[index]
        line, start = lines.position(base + problem.start)
        last, end = lines.position(base + problem.end)
        stop = end if last == line else len(lines.line_text(line))
        found.append(Mark(line, start, max(stop, start + 1), problem.code))
    return sorted(found)
