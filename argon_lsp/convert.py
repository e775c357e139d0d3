"""Between the reasoner's plain data and the protocol: URIs, and every result as JSON.

The only module that knows what the protocol calls things; lines and columns are counted already. Results are plain
dicts: building lsprotocol objects and taking them apart again costs ten times as much as the answer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lsprotocol import types as lsp
from pygls import uris

import shared_catalog

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


def uri_of(file: str) -> str:
    """The URI of a file as the reasoner names it: an open document by its URI, any other by its path."""
    return to_uri(file) if Path(file).is_absolute() else file


def position(given: lsp.Position) -> Json:
    """A position as the reasoner takes it."""
    return {"line": given.line, "character": given.character}


def location(span: Json) -> Json:
    """URI and range of a place."""
    return {"uri": uri_of(span["file"]), "range": _range(span)}


def _range(span: Json) -> Json:
    return {"start": span["start"], "end": span["end"]}


def diagnostic(found: Json) -> Json:
    """A diagnostic. Help lines stand under the message, for clients show nothing else beside it."""
    result: dict[str, Json] = {
        "range": _range(found["span"]),
        "severity": _SEVERITY[found["severity"]],
        "code": found["code"],
        "codeDescription": {"href": to_uri(_CATALOG / f"{found['code']}.md")},
        "source": SOURCE,
        "message": "\n".join((found["message"], *(f"help: {line}" for line in found["help"]))),
    }
    if found["related"]:
        result["relatedInformation"] = [
            {"location": location(each["span"]), "message": each["message"]} for each in found["related"]
        ]
    if tags := [_TAGS[each] for each in found["tags"] if each in _TAGS]:
        result["tags"] = tags
    if found["fixes"]:
        result["data"] = {"fixes": [each["title"] for each in found["fixes"]]}
    return result


def hover(found: Json) -> Json:
    """A hover."""
    return {"contents": {"kind": "markdown", "value": found["markdown"]}, "range": _range(found["span"])}


def highlight(found: Json) -> Json:
    """One highlighted place: declarations are shown as writes."""
    return {"range": _range(found["span"]), "kind": 3 if found["declares"] else 2}


def document_symbol(entry: Json) -> Json:
    """One declaration with its members."""
    result: dict[str, Json] = {
        "name": entry["name"] or "_",
        "kind": _KINDS.get(entry["kind"], _OTHER_KIND),
        "range": _range(entry["span"]),
        "selectionRange": _range(entry["nameSpan"]),
    }
    if entry["detail"]:
        result["detail"] = entry["detail"]
    if entry["children"]:
        result["children"] = [document_symbol(each) for each in entry["children"]]
    return result


def workspace_symbol(found: Json) -> Json:
    """One symbol of the index."""
    kind = _KINDS.get(found["kind"], _OTHER_KIND)
    return {
        "name": found["name"],
        "kind": kind,
        "location": location(found["span"]),
        "containerName": found["module"],
    }


def text_edit(edit: Json) -> Json:
    """One edit."""
    return {"range": _range(edit["span"]), "newText": edit["text"]}


def code_action(offer: Json) -> Json:
    """A quick fix with the diagnostic that it mends."""
    changes: dict[str, list[Json]] = {}
    for each in offer["fix"]["edits"]:
        changes.setdefault(uri_of(each["span"]["file"]), []).append(text_edit(each))
    return {
        "title": offer["fix"]["title"],
        "kind": "quickfix",
        "diagnostics": [diagnostic(offer["diagnostic"])],
        "isPreferred": offer["preferred"],
        "edit": {"changes": changes},
    }
