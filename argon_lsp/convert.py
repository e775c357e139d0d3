"""Between the reasoner's plain data and the protocol: URIs, and every result as JSON.

The only module that knows what the protocol calls things; lines and columns are counted already. Results are plain
dicts: building lsprotocol objects and taking them apart again costs ten times as much as the answer.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

import shared_catalog
from argon_lsp import errors

Json = Any

SOURCE = "argon"
_SEVERITY = {"error": 1, "warning": 2, "info": 3}
_TAGS = {"unnecessary": 1, "deprecated": 2}
_CATALOG = Path(shared_catalog.__file__).parent / "codes"

_KINDS = {
    "module": 2,  # Module
    "standpoint": 3,  # Namespace
    "metaxis": 10,  # Enum
    "metatype": 26,  # TypeParameter
    "metarel": 26,  # TypeParameter
    "concept": 5,  # Class
    "relation": 11,  # Interface
    "struct": 23,  # Struct
    "enum": 10,  # Enum
    "trait": 11,  # Interface
    "impl": 3,  # Namespace
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


def span(given: lsp.Range) -> dict[str, Json]:
    """A range as the reasoner takes it."""
    return {"start": position(given.start), "end": position(given.end)}


def data(item: Any, *names: str) -> Json:
    """What an item of an earlier answer carries. Raises JsonRpcInvalidParams for one that is none of ours."""
    found = item.data
    if not isinstance(found, dict) or not isinstance(found.get("document"), str) or not found.keys() >= set(names):
        raise JsonRpcInvalidParams("the item carries no data of this server")
    return found


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


def diagnostics(told: Json) -> list[Json]:
    """The diagnostics of a file."""
    return [diagnostic(each) for each in told]


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
    """One symbol of the index; without a place in its file it carries what that is asked for by."""
    span = found["span"]
    placed = {"location": location(span)} if "start" in span else {"location": {"uri": uri_of(span["file"])}}
    result = {"name": found["name"], "kind": _KINDS.get(found["kind"], _OTHER_KIND), "containerName": found["module"]}
    return result | placed | ({} if "start" in span else {"data": found["data"]})


def text_edit(edit: Json) -> Json:
    """One edit."""
    return {"range": _range(edit["span"]), "newText": edit["text"]}


def quick_fix(offer: Json) -> Json:
    """A quick fix with the diagnostic that it mends."""
    return {
        "title": offer["fix"]["title"],
        "kind": "quickfix",
        "diagnostics": [diagnostic(offer["diagnostic"])],
        "isPreferred": offer["preferred"],
        "edit": {"changes": _changes(offer["fix"]["edits"])},
    }


def action(offer: Json, document: str, place: lsp.Range) -> Json:
    """Another action; one without edits carries what they are asked for by."""
    result: dict[str, Json] = {"title": offer["title"], "kind": offer["kind"]}
    if "edits" in offer:
        return result | {"edit": {"changes": _changes(offer["edits"])}}
    return result | {"data": {"document": document, "action": offer["action"], **span(place)}}


def taken(offer: lsp.CodeAction, edits: list[Json]) -> Json:
    """An action that somebody takes."""
    return {"title": offer.title, "kind": offer.kind, "data": offer.data, "edit": {"changes": _changes(edits)}}


# -- reading -----------------------------------------------------------------------------------------------------------


def folding_range(found: Json) -> Json:
    """One fold. A region's last line stays in sight, since it holds the closing brace."""
    start, end = found["span"]["start"], found["span"]["end"]
    last = end["line"] - (found["kind"] == "region")
    result = {"startLine": start["line"], "startCharacter": start["character"], "endLine": max(start["line"], last)}
    return result if found["kind"] == "region" else result | {"kind": found["kind"]}


def selection_range(spans: list[Json]) -> Json:
    """A chain of ranges, each with the one around it as its parent."""
    result: Json = None
    for each in reversed(spans):
        result = {"range": _range(each)} | ({"parent": result} if result is not None else {})
    return result


def inlay_hint(found: Json) -> Json:
    """A hint of a type."""
    edit = {"range": {"start": found["at"], "end": found["at"]}, "newText": found["insert"]}
    result = {"position": found["at"], "label": found["text"], "kind": 1, "paddingLeft": False}
    return result | ({"textEdits": [edit]} if found["insert"] else {})


def document_link(found: Json) -> Json:
    """A link to a file."""
    return {"range": _range(found["span"]), "target": uri_of(found["target"])}


def code_lens(found: Json) -> Json:
    """A lens, to be resolved."""
    return {"range": _range(found["span"]), "data": found["data"]}


def signature_help(found: Json) -> Json:
    """The signatures of a call."""
    shown = [
        {
            "label": each["label"],
            "documentation": {"kind": "markdown", "value": each["docs"]},
            "parameters": [{"label": parameter} for parameter in each["parameters"]],
        }
        for each in found["signatures"]
    ]
    return {"signatures": shown, "activeSignature": 0, "activeParameter": found["active"]}


def hierarchy_item(entry: Json) -> Json:
    """One entry of a hierarchy."""
    return {
        "name": entry["name"],
        "kind": _KINDS.get(entry["kind"], _OTHER_KIND),
        "detail": entry["detail"],
        "uri": uri_of(entry["span"]["file"]),
        "range": _range(entry["span"]),
        "selectionRange": _range(entry["nameSpan"]),
        "data": entry["data"],
    }


def hierarchy_call(call: Json, end: str) -> Json:
    """One call; `end` says which end of it the entry is."""
    return {end: hierarchy_item(call["entry"]), "fromRanges": [_range(each) for each in call["places"]]}


# -- writing -----------------------------------------------------------------------------------------------------------

_COMPLETION_KINDS = {
    "module": 9, "type": 25, "class": 7, "relation": 8, "struct": 22, "enum": 13, "variant": 20, "function": 3,
    "predicate": 3, "query": 2, "check": 23, "mutation": 4, "individual": 21, "local": 6, "field": 5, "member": 2,
    "keyword": 14, "snippet": 15,
}  # fmt: skip
_PLACE = re.compile(r"\$\{\d+:([^}]*)\}|\$\d+")


def completion_list(found: Json, *, snippets: bool) -> Json:
    """The offers of a place; without `snippets` the places to fill in become plain text."""
    where = _range(found["span"])
    return {
        "isIncomplete": found["incomplete"],
        "items": [_offer(each, where, snippets) for each in found["candidates"]],
    }


def _offer(each: Json, where: Json, snippets: bool) -> Json:
    as_snippet = each["snippet"] and snippets
    text = each["insert"] if as_snippet or not each["snippet"] else _PLACE.sub(r"\1", each["insert"])
    result: dict[str, Json] = {
        "label": each["label"],
        "kind": _COMPLETION_KINDS[each["kind"]],
        "sortText": f"{each['order']:04}",
        "filterText": each["label"],
        "textEdit": {"range": where, "newText": text},
    }
    if as_snippet:
        result["insertTextFormat"] = 2
    if each["detail"]:
        result["detail"] = each["detail"]
    if each["docs"]:
        result["documentation"] = each["docs"]
    if each["edits"]:
        result["additionalTextEdits"] = [text_edit(edit) for edit in each["edits"]]
    return result | {"data": each["data"]}


def renamable(found: Json) -> Json:
    """The name that would be changed. Raises JsonRpcException with the reason where there is none."""
    _refuse(found)
    return {"range": _range(found["span"]), "placeholder": found["text"]}


def renaming(found: Json) -> Json:
    """The edits of a rename, and the files that are renamed after them.

    Raises JsonRpcException with the reason when it is refused.
    """
    _refuse(found)
    if not found["moves"]:
        return workspace_edit(found["edits"])
    changes = [
        {"textDocument": {"uri": uri, "version": None}, "edits": edits}
        for uri, edits in _changes(found["edits"]).items()
    ]
    moves = [{"kind": "rename", "oldUri": to_uri(old), "newUri": to_uri(new)} for old, new in found["moves"]]
    return {"documentChanges": [*changes, *moves]}


def workspace_edit(edits: list[Json]) -> Json:
    """Edits of any files."""
    return {"changes": _changes(edits)}


def _refuse(found: Json) -> None:
    if "refused" in found:
        body = found["refused"]
        raise JsonRpcException("; ".join((body["message"], *body.get("help", ()))), errors.REQUEST_FAILED)


def _changes(edits: list[Json]) -> Json:
    changes: dict[str, list[Json]] = {}
    for each in edits:
        changes.setdefault(uri_of(each["span"]["file"]), []).append(text_edit(each))
    return changes
