"""Lenses: found at once, worded one by one, with live rows only for a client that counts again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.packages import lease, package, position
from tests.support.lsp_client import Client

RECOUNTS = {"workspace": {"codeLens": {"refreshSupport": True}}}
LISTS = {"experimental": {"commands": {"commands": ["argon.showReferences"]}}}
TEXT = """\
pub type Person { age: Int }
pub type Adult <: Person;
fact Person(ann) { age: 40 };
fact Person(bob) { age: 4 };
pub derive grown(p: Person) :- p: Person, p.age > 17;
derive grown(p: Person) :- p: Adult;
check young(p: Person) :- p: Person, not grown(p) => Diagnostic { severity: Severity::Warning, message: "young" };
pub query everyone() -> [Person] { select p from p: Person }
pub query named(p: Person) -> [Person] { select q from q: Person where q == p }
test "ann is grown" { assert derivable grown(ann); }
"""


def lenses(client: Client, uri: str) -> list[Any]:
    return client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})


def worded(client: Client, uri: str, kind: str, name: str) -> Any:
    """The command of the lens of a kind above a declaration."""
    for each in lenses(client, uri):
        data = each["data"]
        if data["kind"] == kind and data["symbol"]["path"].endswith(f"::{name}"):
            return client.request("codeLens/resolve", each)["command"]
    raise AssertionError(f"no {kind} above {name}")


def argon(root: Path, *words: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "argon_lang", *words, "--project", str(root)], check=True, capture_output=True
    )


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return package(tmp_path, root=TEXT)


def test_every_declaration_has_the_lenses_of_its_kind(client: Client, small: Path) -> None:
    client.initialize(small, capabilities=RECOUNTS)
    uri = (small / "root.ar").as_uri()
    client.open(uri, TEXT)
    found: dict[str, list[str]] = {}
    for each in lenses(client, uri):
        found.setdefault(each["data"]["symbol"]["path"].removeprefix("pkg::"), []).append(each["data"]["kind"])
    assert found == {
        "Person": ["uses"],
        "Adult": ["uses"],
        "grown": ["uses"],
        "young": ["violations"],
        "everyone": ["query", "uses"],
        "named": ["uses"],
        "ann is grown": ["test"],
    }


def test_uses_and_violations_are_counted_in_the_unsaved_text(client: Client, small: Path) -> None:
    client.initialize(small, capabilities=LISTS)
    uri = (small / "root.ar").as_uri()
    client.open(uri, TEXT)
    command = worded(client, uri, "uses", "grown")
    assert command["title"] == "2 clauses, 2 uses"
    assert command["command"] == "argon.showReferences"
    assert [each["uri"] for each in command["arguments"][2]] == [uri, uri]
    assert worded(client, uri, "violations", "young")["title"] == "1 violation by declared facts"
    line, column = position(TEXT, "age: 4 }", 5)
    client.edit(uri, (line, column), (line, column + 1), "44")
    assert worded(client, uri, "violations", "young")["title"] == "0 violations by declared facts"
    client.edit(uri, (0, 0), (0, 0), "nonsense\n")
    assert worded(client, uri, "violations", "young")["title"] == "violations are not known"


def test_a_client_without_the_command_to_list_places_gets_words_alone(client: Client, small: Path) -> None:
    client.initialize(small)
    uri = (small / "root.ar").as_uri()
    client.open(uri, TEXT)
    assert worded(client, uri, "uses", "Person") == {"title": "13 uses", "command": ""}


def test_rows_are_those_of_the_artifact_and_the_store_and_counted_again(client: Client, tmp_path: Path) -> None:
    root = lease(tmp_path)
    argon(root, "build")
    client.initialize(root, capabilities=RECOUNTS)
    uri = (root / "root.ar").as_uri()
    client.open(uri, (root / "root.ar").read_text(encoding="utf-8"))
    assert worded(client, uri, "rows", "Invoice")["title"] == "2 rows at generation 0"
    argon(root, "mutate", "bill", "t=ben", "amount=10.00", "due=2026-05-03")
    client.until(lambda: "workspace/codeLens/refresh" in {each["method"] for each in client.requests}, "a refresh")
    assert worded(client, uri, "rows", "Invoice")["title"] == "3 rows at generation 1"
    with (root / "root.ar").open("a", encoding="utf-8") as file:
        file.write("\npub derive fresh(i: Invoice) :- i: Invoice;\n")
    client.change(uri, {"text": (root / "root.ar").read_text(encoding="utf-8")})
    assert worded(client, uri, "rows", "fresh")["title"].startswith("not counted")


def test_a_client_that_does_not_count_again_is_told_no_rows(client: Client, tmp_path: Path) -> None:
    root = lease(tmp_path)
    argon(root, "build")
    client.initialize(root)
    uri = (root / "root.ar").as_uri()
    client.open(uri, (root / "root.ar").read_text(encoding="utf-8"))
    assert "rows" not in {each["data"]["kind"] for each in lenses(client, uri)}


def test_a_lens_that_is_none_of_ours_is_refused(greeted: Client) -> None:
    lens = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}}
    assert greeted.error("codeLens/resolve", lens) == -32602
    assert greeted.error("codeLens/resolve", {**lens, "data": {"document": "x", "symbol": None, "kind": "y"}}) == -32602
