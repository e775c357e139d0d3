"""What an editor asks while one writes: completion, signatures, rename, colours, folds, hierarchies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.packages import covered, package, position
from tests.support.lsp_client import Client, at

ROOT = """\
//! A small world with a 😀 in it.
mod more;
use self::more::{Firm};

/// Somebody.
pub type Person { mut age: Int, name: String }
pub rel works(who: Person, at: Firm);
pub derive adult(p: Person) :- p: Person, p.age >= 18;
pub derive busy(p) :- works(p, f), adult(p);
/* over
   two lines */
pub fn twice(n: Int) -> Int = n * 2;
"""
MORE = "/// A firm.\npub type Firm { }\npub type Shop <: Firm { }\npub type Widget { }\n"
SNIPPETS = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}


class Desk:
    """A server with one file of a package open, the other on disk alone."""

    def __init__(self, client: Client, root: Path) -> None:
        self.client = client
        self.root = root
        self.uri = (root / "root.ar").as_uri()
        self.more = (root / "more.ar").as_uri()

    def at(self, words: str, after: int = 0, **more: Any) -> dict[str, Any]:
        return at(self.uri, *position(ROOT, words, after), **more)

    def ask(self, method: str, **params: Any) -> Any:
        return self.client.request(f"textDocument/{method}", {"textDocument": {"uri": self.uri}, **params})

    def whole(self) -> dict[str, Any]:
        return {"start": {"line": 0, "character": 0}, "end": {"line": ROOT.count("\n"), "character": 0}}

    def named(self, place: dict[str, Any]) -> str:
        return covered(ROOT if place["uri"] == self.uri else MORE, place["range"])


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    root = package(tmp_path_factory.mktemp("editing"), root=ROOT, more=MORE)
    with Client() as client:
        client.initialize(root, capabilities=SNIPPETS)
        found = Desk(client, root)
        client.open(found.uri, ROOT)
        client.diagnostics(found.uri, 1)
        yield found


def written(client: Client, root: Path, text: str, words: str) -> Any:
    """What completion offers behind `words` in a text that is open under another name."""
    uri = (root / "root.ar").as_uri()
    client.change(uri, {"text": text})
    line, column = position(text, words, len(words))
    return client.request("textDocument/completion", at(uri, line, column))


def taken(text: str, item: dict[str, Any]) -> str:
    """The text with an offer and its further edits put in."""
    lines = text.split("\n")
    edits = [item["textEdit"], *item.get("additionalTextEdits", [])]
    for edit in sorted(edits, key=lambda each: each["range"]["start"]["line"], reverse=True):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]]
        lines[start["line"]] = line[: start["character"]] + edit["newText"] + line[end["character"] :]
    return "\n".join(lines)


def test_completion_offers_fields_with_their_types(tmp_path: Path) -> None:
    root = package(tmp_path, root=ROOT, more=MORE)
    with Client() as client:
        client.initialize(root)
        client.open((root / "root.ar").as_uri(), ROOT)
        found = written(client, root, ROOT + "derive d(p: Person) :- p: Person, p.", "p: Person, p.")
        assert [each["label"] for each in found["items"][:2]] == ["age", "name"]
        assert found["items"][0]["detail"] == "mut age: Int"


def test_completion_brings_the_import_and_the_docs(tmp_path: Path) -> None:
    root = package(tmp_path, root=ROOT, more=MORE)
    with Client() as client:
        client.initialize(root)
        client.open((root / "root.ar").as_uri(), ROOT)
        text = ROOT + "type Box { w: Wid"
        found = written(client, root, text, "w: Wid")
        item = next(each for each in found["items"] if each["label"] == "Widget")
        assert taken(text, item).count("use pkg::more::Widget;") == 1
        firm = next(each for each in written(client, root, ROOT + "type Box { w: Fir", "w: Fir")["items"])
        resolved = client.request("completionItem/resolve", firm)
        assert (resolved["label"], "A firm." in resolved["documentation"]["value"]) == ("Firm", True)


def test_a_client_without_snippets_gets_plain_text(tmp_path: Path) -> None:
    root = package(tmp_path, root=ROOT, more=MORE)
    text = ROOT + "fn f() -> Int = tw"
    for capabilities, expected, form in ((SNIPPETS, "twice(${1:n})", 2), ({}, "twice(n)", None)):
        with Client() as client:
            client.initialize(root, capabilities=capabilities)
            client.open((root / "root.ar").as_uri(), ROOT)
            item = next(each for each in written(client, root, text, "= tw")["items"] if each["label"] == "twice")
            assert (item["textEdit"]["newText"], item.get("insertTextFormat")) == (expected, form)


def test_signature_help_shows_the_call(desk: Desk) -> None:
    found = desk.client.request("textDocument/signatureHelp", desk.at("works(p, f)", 9))
    assert [each["label"] for each in found["signatures"]] == ["works(who: Person, at: Firm)"]
    assert found["activeParameter"] == 1
    assert desk.client.request("textDocument/signatureHelp", desk.at("mod more")) is None


def test_rename_tells_the_name_and_changes_every_file(desk: Desk) -> None:
    found = desk.client.request("textDocument/prepareRename", desk.at("Firm})"[:4]))
    assert found["placeholder"] == "Firm"
    edits = desk.client.request("textDocument/rename", desk.at("Firm}", newName="Company"))["changes"]
    assert {uri: len(each) for uri, each in edits.items()} == {desk.uri: 2, desk.more: 2}
    assert {each["newText"] for changed in edits.values() for each in changed} == {"Company"}


def test_a_rename_that_would_collide_is_refused_in_words(desk: Desk) -> None:
    answer = desk.client.answer(desk.client.ask("textDocument/rename", desk.at("adult(p: ", newName="busy")))
    assert answer["error"]["code"] == -32803
    assert "`adult` cannot be renamed to `busy`" in answer["error"]["message"]
    assert "choose another name" in answer["error"]["message"]
    answer = desk.client.answer(desk.client.ask("textDocument/prepareRename", desk.at("//! A small")))
    assert answer["error"]["code"] == -32803


def test_colours_are_packed_relative_to_each_other(desk: Desk) -> None:
    data = desk.ask("semanticTokens/full")["data"]
    assert len(data) % 5 == 0
    places, line, column = [], 0, 0
    for delta_line, delta, length, kind, _ in zip(*[iter(data)] * 5, strict=True):
        line, column = line + delta_line, (column if not delta_line else 0) + delta
        places.append((line, column, length, kind))
    assert places == sorted(places)
    rows = ROOT.split("\n")
    texts = [rows[line].encode("utf-16-le")[c * 2 : (c + n) * 2].decode("utf-16-le") for line, c, n, _ in places]
    assert texts[0] == "//! A small world with a 😀 in it."
    assert {"Person", "adult", "twice", "/* over", "   two lines */"} <= set(texts)
    part = desk.ask(
        "semanticTokens/range", range={"start": {"line": 5, "character": 0}, "end": {"line": 6, "character": 0}}
    )
    assert 0 < len(part["data"]) < len(data)


def test_of_colours_that_were_told_what_is_different_is_told(tmp_path: Path, client: Client) -> None:
    client.initialize()
    uri = (tmp_path / "lone.ar").as_uri()
    client.open(uri, "pub type A { size: Int }\npub type B;\n")
    document = {"textDocument": {"uri": uri}}
    first = client.request("textDocument/semanticTokens/full", document)
    delta = "textDocument/semanticTokens/full/delta"
    same = client.request(delta, {**document, "previousResultId": first["resultId"]})
    assert same == {"resultId": first["resultId"], "edits": []}
    client.edit(uri, (0, 14), (0, 14), "s")
    second = client.request(delta, {**document, "previousResultId": first["resultId"]})
    (edit,) = second["edits"]
    assert len(edit["data"]) < len(first["data"])
    row = [*first["data"]]
    row[edit["start"] : edit["start"] + edit["deleteCount"]] = edit["data"]
    assert row == client.request("textDocument/semanticTokens/full", document)["data"]
    assert "data" in client.request(delta, {**document, "previousResultId": "unknown"})


def test_folds_selections_hints_and_links(desk: Desk) -> None:
    assert {"startLine": 9, "startCharacter": 0, "endLine": 10, "kind": "comment"} in desk.ask("foldingRange")
    place = dict(zip(("line", "character"), position(ROOT, "age >= 18"), strict=True))
    (chain,) = desk.ask("selectionRange", positions=[place])
    ranges = []
    while chain is not None:
        ranges.append(chain["range"])
        chain = chain.get("parent")
    assert covered(ROOT, ranges[0]) == "age"
    assert covered(ROOT, ranges[1]) == "p.age"
    assert all(outer["start"]["line"] <= inner["start"]["line"] for inner, outer in pairwise(ranges))
    hints = desk.ask("inlayHint", range=desk.whole())
    assert [(each["label"], "textEdits" in each) for each in hints] == [(": Person", True), (": Firm", False)]
    (link,) = desk.ask("documentLink")
    assert (covered(ROOT, link["range"]), link["target"]) == ("more", desk.more)


def test_types_and_what_implements_them(desk: Desk) -> None:
    ask = desk.client.request
    assert [desk.named(each) for each in ask("textDocument/typeDefinition", desk.at("f), adult"))] == ["Firm"]
    assert [desk.named(each) for each in ask("textDocument/implementation", desk.at("Firm}"))] == ["Shop"]
    assert [desk.named(each) for each in ask("textDocument/declaration", desk.at("adult(p);"))] == ["adult"]


def test_hierarchies_go_up_and_down(desk: Desk) -> None:
    ask = desk.client.request
    (firm,) = ask("textDocument/prepareTypeHierarchy", desk.at("Firm}"))
    (shop,) = ask("typeHierarchy/subtypes", {"item": firm})
    assert shop["name"] == "Shop"
    assert [each["name"] for each in ask("typeHierarchy/supertypes", {"item": shop})] == ["Firm"]
    (adult,) = ask("textDocument/prepareCallHierarchy", desk.at("adult(p: "))
    (call,) = ask("callHierarchy/incomingCalls", {"item": adult})
    assert (call["from"]["name"], [covered(ROOT, each) for each in call["fromRanges"]]) == ("busy", ["adult"])
    (busy,) = ask("textDocument/prepareCallHierarchy", desk.at("busy(p)"))
    assert {each["to"]["name"] for each in ask("callHierarchy/outgoingCalls", {"item": busy})} == {"works", "adult"}
    assert ask("textDocument/prepareCallHierarchy", desk.at("//! A small")) is None


def test_an_item_that_is_none_of_ours_is_refused(desk: Desk) -> None:
    item = {"name": "x", "kind": 1, "uri": desk.uri, "range": desk.whole(), "selectionRange": desk.whole()}
    answer = desk.client.answer(desk.client.ask("callHierarchy/incomingCalls", {"item": item}))
    assert answer["error"]["code"] == -32602


def test_a_range_is_laid_out_alone(tmp_path: Path) -> None:
    with Client() as client:
        client.initialize()
        uri, text = "untitled:untidy", "type   A{}\n\ntype   B{}\n"
        client.open(uri, text)
        asked = {
            "textDocument": {"uri": uri},
            "range": {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 4}},
            "options": {"tabSize": 4, "insertSpaces": True},
        }
        edits = client.request("textDocument/rangeFormatting", asked)
        assert [each["range"]["start"]["line"] for each in edits] == [2]
