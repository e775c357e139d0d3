"""An editor's questions about the program, by name: plain JSON in, plain JSON out, asked of one package's revision.

Each asks the ide one question. Places name files as the client does: an open document by the client's own name for it,
any other file by its path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from argon_lang.ide import definition, fixes, formatting, hover, references, symbols
from argon_lang.queries.database import Database
from argon_lang.session.edited import Edited
from argon_lang.session.library import std_path
from argon_lang.session.places import Placer, plain_diagnostic, plain_edits, plain_fix
from argon_lang.text import Encoding

Json = Any


@dataclass(frozen=True, slots=True)
class Asked:
    """One revision of a package, asked about `file`."""

    package: Edited
    file: str
    placer: Placer
    given: Mapping[str, Json]

    @property
    def database(self) -> Database:
        """The program at this revision."""
        return self.package.database

    @property
    def offset(self) -> int:
        """The offset of the position that was given."""
        return self.placer.offset(self.file, self.given["position"])


def placer_of(package: Edited, encoding: Encoding) -> Placer:
    """How this revision of a package is told to the client."""
    return Placer(package.text, encoding, lambda file: name_of(package, file))


def name_of(package: Edited, file: str) -> str | None:
    """What the client calls a file; None for one that it cannot know."""
    document = package.document(package.relative(file))
    if document is not None:
        return document.name
    path = std_path(file) or package.path_of(file)
    return str(path) if path is not None else None


def _hover(asked: Asked) -> Json:
    found = hover.hover(asked.database, asked.file, asked.offset)
    return None if found is None else {"markdown": found.markdown, "span": asked.placer.place(found.location)}


def _definition(asked: Asked) -> Json:
    return asked.placer.places(definition.definition(asked.database, asked.file, asked.offset))


def _references(asked: Asked) -> Json:
    declaration = asked.given["declaration"]
    found = references.references(asked.database, asked.file, asked.offset, declaration=declaration)
    return asked.placer.places(found)


def _highlights(asked: Asked) -> Json:
    found = references.highlights(asked.database, asked.file, asked.offset)
    return [{"span": asked.placer.place(location), "declares": declares} for location, declares in found]


def _outline(asked: Asked) -> Json:
    return [_entry(each, asked.placer) for each in symbols.outline(asked.database, asked.file)]


def _entry(entry: symbols.OutlineEntry, placer: Placer) -> Json:
    return {
        "name": entry.name,
        "kind": entry.kind,
        "detail": entry.detail,
        "span": placer.place(entry.location),
        "nameSpan": placer.place(entry.name_location),
        "children": [_entry(each, placer) for each in entry.children],
    }


def _format(asked: Asked) -> Json:
    return plain_edits(formatting.format_edits(asked.database, asked.file), asked.placer)


def _fixes(asked: Asked) -> Json:
    """The fixes of what is wrong now, not of what the client remembers."""
    start, end = (asked.placer.offset(asked.file, asked.given[each]) for each in ("start", "end"))
    offers = fixes.fixes_at(asked.package.diagnostics_of(asked.file), start, end)
    found = ((each, plain_fix(each.fix, asked.placer)) for each in offers)
    return [
        {"diagnostic": plain_diagnostic(offer.diagnostic, asked.placer), "fix": fix, "preferred": offer.preferred}
        for offer, fix in found
        if fix is not None
    ]


def symbols_like(package: Edited, letters: str, placer: Placer) -> Json:
    """The symbols of one package by a few letters of their names, the closest first."""
    found = ((each.symbol, placer.place(each.location)) for each in symbols.search(package.database, letters))
    return [
        {"name": symbol.name, "kind": symbol.kind, "module": symbol.module, "span": span}
        for symbol, span in found
        if span is not None
    ]


QUESTIONS: Mapping[str, Callable[[Asked], Json]] = {
    "hover": _hover,
    "definition": _definition,
    "references": _references,
    "highlights": _highlights,
    "outline": _outline,
    "format": _format,
    "fixes": _fixes,
}
"""Every question about one document, by name."""
