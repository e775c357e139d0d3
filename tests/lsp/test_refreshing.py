"""What an editor shows of one file and another file changed: it is told to ask again, once, and only then."""

from __future__ import annotations

from pathlib import Path

from tests.lsp.packages import package
from tests.support.lsp_client import Client

PEOPLE = "pub type Person { name: String }\npub derive age(p: Person, n: Int) :- p: Person, n = 1;\n"
ROOT = "use self::people::{Person, age};\n\nmod people;\n\npub derive old(p: Person) :- age(p, years), years > 60;\n"
REFRESHES = {
    "workspace": {"semanticTokens": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True}},
    "textDocument": {"inlayHint": {}},
}
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}


def asked_again(client: Client) -> set[str]:
    return {each["method"] for each in client.requests} & {
        "workspace/semanticTokens/refresh",
        "workspace/inlayHint/refresh",
    }


def test_colours_and_hints_of_another_file_are_asked_for_again(client: Client, tmp_path: Path) -> None:
    root = package(tmp_path, root=ROOT, people=PEOPLE)
    client.initialize(root, capabilities=REFRESHES)
    uri, people = ((root / name).as_uri() for name in ("root.ar", "people.ar"))
    client.open(uri, ROOT)
    client.open(people, PEOPLE)
    document = {"textDocument": {"uri": uri}}
    client.request("textDocument/semanticTokens/full", document)
    (hint,) = client.request("textDocument/inlayHint", {**document, "range": WHOLE})
    assert hint["label"] == ": Int"
    client.change(people, {"text": PEOPLE + "// nothing new\n"})
    client.request("workspace/symbol", {"query": "nothing waits behind this"})
    assert asked_again(client) == set()
    client.change(people, {"text": PEOPLE.replace("n: Int", "n: Decimal").replace("n = 1", "n = 1.5")})
    client.until(lambda: "workspace/inlayHint/refresh" in asked_again(client), "a refresh of hints")
    client.change(people, {"text": PEOPLE.replace("type Person { name: String }", "struct Person { name: String }")})
    client.until(lambda: "workspace/semanticTokens/refresh" in asked_again(client), "a refresh of colours")


def test_a_symbol_is_placed_when_somebody_goes_there(client: Client, tmp_path: Path) -> None:
    root = package(tmp_path, root=ROOT, people=PEOPLE)
    client.initialize(
        root, capabilities={"workspace": {"symbol": {"resolveSupport": {"properties": ["location.range"]}}}}
    )
    (found,) = client.request("workspace/symbol", {"query": "Person"})
    assert found["location"] == {"uri": (root / "people.ar").as_uri()}
    place = client.request("workspaceSymbol/resolve", found)["location"]
    assert place["range"]["start"] == {"line": 0, "character": 9}
    gone = {**found, "data": {**found["data"], "path": "pkg::people::Robot"}}
    assert client.request("workspaceSymbol/resolve", gone)["location"] == found["location"]


def test_several_ranges_are_laid_out_at_once(client: Client) -> None:
    uri = "untitled:ranges"
    client.initialize()
    client.open(uri, "type A{}\ntype B{}\ntype C{}\n")
    lines = [{"start": {"line": n, "character": 0}, "end": {"line": n, "character": 4}} for n in (0, 2)]
    asked = {"textDocument": {"uri": uri}, "ranges": lines, "options": {"tabSize": 4, "insertSpaces": True}}
    found = client.request("textDocument/rangesFormatting", asked)
    assert sorted(each["range"]["start"]["line"] for each in found) == [0, 2]
