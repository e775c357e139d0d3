"""Between the ide's plain data and the protocol: positions, URIs, and every result as JSON.

The only module that knows how the protocol counts and what it calls things. Results are plain dicts: building
lsprotocol objects and taking them apart again costs ten times as much as the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pygls import uris

import shared_catalog
from argon_lang.ide.fixes import Offer
from argon_lang.ide.hover import Hover
from argon_lang.ide.symbols import IndexEntry, OutlineEntry
from argon_lang.problems import Diagnostic, Location, PublishedFix, Replacement
from argon_lang.text import Encoding, LineIndex

Json = Any

SOURCE = "argon"
_SEVERITY = {"error": 1, "warning": 2, "info": 3}
_TAGS = {"unnecessary": 1, "deprecated": 2}
_CATALOG = Path(shared_catalog.__file__).parent / "codes"

_KINDS = {
    "module": 2,  # Module
    "metaxis": 10,  # Enum
    "metatype": 26,  # TypeParameter
    "metarel": 26,  # TypeParameter
    "concept": 5,  # Class
    "relation": 11,  # Interface
    "struct": 23,  # Struct
    "enum": 10,  # Enum
    "fn": 12,  # Function
    "predicate": 12,  # Function
    "query": 6,  # Method
    "check": 24,  # Event
    "mutation": 9,  # Constructor
    "test": 24,  # Event
    "individual": 14,  # Constant
    "fact": 14,  # Constant
    "field": 8,  # Field
    "end": 7,  # Property
    "variant": 22,  # EnumMember
}
_OTHER_KIND = 13  # Variable


def to_path(uri: str) -> str | None:
    """The path of a `file:` URI; None for any other."""
    try:
        split = urlsplit(uri)
    except ValueError:
        return None
    return uris.to_fs_path(uri) if split.scheme == "file" else None


def to_uri(path: Path | str) -> str:
    """The `file:` URI of an absolute path."""
    return Path(path).as_uri()


class Places:
    """Turns locations into URIs and ranges, for one revision of the sources.

    `text_of` gives the text of a file, `uri_of` its URI; both None for one that is not at hand.
    """

    def __init__(
        self, encoding: Encoding, text_of: Callable[[str], str | None], uri_of: Callable[[str], str | None]
    ) -> None:
        self._encoding: Encoding = encoding
        self._text_of = text_of
        self._uri_of = uri_of
        self._indexes: dict[str, LineIndex] = {}

    def range(self, location: Location) -> Json:
        """The range of a location."""
        index = self._index(location.file)
        return {"start": self._position(index, location.start), "end": self._position(index, location.end)}

    def place(self, location: Location) -> Json | None:
        """URI and range of a location; None when the file has no URI."""
        uri = self._uri_of(location.file)
        return None if uri is None else {"uri": uri, "range": self.range(location)}

    def places(self, locations: Iterable[Location]) -> Json:
        """All that have a URI."""
        return [found for each in locations if (found := self.place(each)) is not None]

    def offset(self, file: str, line: int, character: int) -> int:
        """The offset of a position, clamped to the file."""
        return self._index(file).offset(line, character, self._encoding)

    def _index(self, file: str) -> LineIndex:
        found = self._indexes.get(file)
        if found is None:
            found = self._indexes[file] = LineIndex(self._text_of(file) or "")
        return found

    def _position(self, index: LineIndex, offset: int) -> Json:
        line, column = index.position(offset, self._encoding)
        return {"line": line, "character": column}


def diagnostic(found: Diagnostic, places: Places) -> Json:
    """A diagnostic. Help lines stand under the message, for clients show nothing else beside it."""
    result: dict[str, Json] = {
        "range": places.range(found.location),
        "severity": _SEVERITY[found.severity],
        "code": found.code,
        "codeDescription": {"href": to_uri(_CATALOG / f"{found.code}.md")},
        "source": SOURCE,
        "message": "\n".join((found.message, *(f"help: {line}" for line in found.help))),
    }
    related = [
        {"location": place, "message": each.message}
        for each in found.related
        if (place := places.place(each.location)) is not None
    ]
    if related:
        result["relatedInformation"] = related
    if tags := [_TAGS[each] for each in found.tags if each in _TAGS]:
        result["tags"] = tags
    if found.fixes:
        result["data"] = {"fixes": [each.title for each in found.fixes]}
    return result


def hover(found: Hover, places: Places) -> Json:
    """A hover."""
    return {"contents": {"kind": "markdown", "value": found.markdown}, "range": places.range(found.location)}


def highlight(location: Location, declares: bool, places: Places) -> Json:
    """One highlighted place: declarations are shown as writes."""
    return {"range": places.range(location), "kind": 3 if declares else 2}


def document_symbol(entry: OutlineEntry, places: Places) -> Json:
    """One declaration with its members."""
    result: dict[str, Json] = {
        "name": entry.name or "_",
        "kind": _KINDS.get(entry.kind, _OTHER_KIND),
        "range": places.range(entry.location),
        "selectionRange": places.range(entry.name_location),
    }
    if entry.detail:
        result["detail"] = entry.detail
    if entry.children:
        result["children"] = [document_symbol(each, places) for each in entry.children]
    return result


def workspace_symbol(entry: IndexEntry, places: Places) -> Json | None:
    """One symbol of the index; None when its file has no URI."""
    place = places.place(entry.location)
    if place is None:
        return None
    symbol = entry.symbol
    kind = _KINDS.get(symbol.kind, _OTHER_KIND)
    return {"name": symbol.name, "kind": kind, "location": place, "containerName": symbol.module}


def text_edits(edits: Iterable[Replacement], places: Places) -> Json:
    """Edits of one file."""
    return [{"range": places.range(each.location), "newText": each.text} for each in edits]


def code_action(offer: Offer, places: Places, uri_of: Callable[[str], str | None]) -> Json | None:
    """A quick fix; None when it edits a file without a URI."""
    changes = _changes(offer.fix, places, uri_of)
    if changes is None:
        return None
    return {
        "title": offer.fix.title,
        "kind": "quickfix",
        "diagnostics": [diagnostic(offer.diagnostic, places)],
        "isPreferred": offer.preferred,
        "edit": {"changes": changes},
    }


def _changes(fix: PublishedFix, places: Places, uri_of: Callable[[str], str | None]) -> Json | None:
    found: dict[str, list[Json]] = {}
    for each in fix.edits:
        uri = uri_of(each.location.file)
        if uri is None:
            return None
        found.setdefault(uri, []).extend(text_edits((each,), places))
    return found
