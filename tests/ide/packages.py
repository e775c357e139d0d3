"""Small packages with marked places: `$0`, `$1`, … stand before the names that a test asks about."""

from __future__ import annotations

import re
from dataclasses import dataclass

from argon_lang.problems import Location
from argon_lang.queries.database import Database
from argon_lang.queries.snippet import database_of

_MARK = re.compile(r"\$(\d)")


@dataclass(frozen=True)
class Marked:
    """A package, and the places that its marks stand at."""

    db: Database
    marks: dict[int, tuple[str, int]]

    def at(self, mark: int = 0) -> tuple[str, int]:
        """File and offset of a mark."""
        return self.marks[mark]

    def text(self, location: Location) -> str:
        """What a location covers."""
        whole = self.db.text(location.file)
        assert whole is not None
        return whole[location.start : location.end]

    def marked(self, locations: object) -> list[int | str]:
        """The marks that locations begin at; file and text of those that begin at none."""
        numbers = {place: mark for mark, place in self.marks.items()}
        assert isinstance(locations, (tuple, list))
        return [numbers.get((each.file, each.start), f"{each.file}: {self.text(each)}") for each in locations]


def marked(text: str, **others: str) -> Marked:
    """The package of `root.ar` and other modules by name."""
    texts: dict[str, str] = {}
    marks: dict[int, tuple[str, int]] = {}
    for name, source in {"root": text, **others}.items():
        plain, taken = "", 0
        for match in _MARK.finditer(source):
            plain += source[taken : match.start()]
            taken = match.end()
            marks[int(match[1])] = (f"{name}.ar", len(plain))
        texts[f"{name}.ar"] = plain + source[taken:]
    return Marked(database_of(texts), marks)
