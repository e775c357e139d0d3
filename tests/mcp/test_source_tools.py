"""The tools about source text: what they find, what they refuse; no file is touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.mcp_client import Client
from tests.support.served_packages import lease

PASTED = "pub type P { }\npub rel r(a: P, b: P);\npub derive d(x: P) :- r(x, y), r(y, x);\n"
MEMBER = '[package]\nname = "part"\nversion = "0.1.0"\nprelude = ["std::core::{type, rel}"]\n'
WORKSPACE = MEMBER.replace("part", "whole") + '[workspace]\nmembers = ["parts/*"]\n'


def refusal(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The error of a call that was refused."""
    error: dict[str, Any] = client.result(tool, **arguments)["structuredContent"]["error"]
    return error


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lease(tmp_path_factory.mktemp("sources"))


@pytest.fixture(scope="module")
def client(root: Path) -> Iterator[Client]:
    before = {each: each.read_bytes() for each in root.rglob("*.ar")}
    with Client(root) as found:
        yield found
    assert {each: each.read_bytes() for each in root.rglob("*.ar")} == before


def test_a_pasted_text_is_parsed_to_a_depth_and_diagnosed(client: Client) -> None:
    found = client.call("argon_parse_source", source=PASTED + "\tderive e(x: P) :- q(x);\n", depth=2, tabSize=8)
    assert [each["node"] for each in found["tree"]] == ["ConceptDecl", "RelationDecl", "DeriveDecl", "DeriveDecl"]
    assert any("childCount" in child for child in found["tree"][2]["children"])
    (problem,) = (each for each in found["diagnostics"] if each["severity"] == "error")
    assert (problem["code"], problem["span"]["start"]["character"]) == ("OE0101", 19)
    assert (problem["column"], problem["sourceLine"]) == (27, "        derive e(x: P) :- q(x);")


def test_a_saved_file_is_parsed_within_its_package(client: Client) -> None:
    found = client.call("argon_parse_source", filePath="root.ar", depth=1)
    assert found["diagnostics"] == []
    assert all("children" not in each for each in found["tree"])


def test_a_text_is_laid_out(client: Client) -> None:
    found = client.call("argon_format_source", source="pub   type P{ }\n")
    assert (found["changed"], found["formatted"]) == (True, "pub type P {}\n")
    assert "-pub   type P{ }" in found["hunks"]
    assert client.call("argon_format_source", filePath="root.ar")["changed"] is False


def test_symbols_are_found_by_letters_and_kind(client: Client) -> None:
    found = client.call("argon_lookup_symbol", query="latf")["symbols"]
    assert [each["symbolId"] for each in found] == ["fn pkg::late_fee"]
    assert found[0]["signature"] == "pub fn late_fee(amount: Money, days_late: Int) -> Money"
    assert client.call("argon_lookup_symbol", query="late", kinds=["concept"])["symbols"] == []


def test_references_come_with_their_lines(client: Client) -> None:
    (symbol,) = client.call("argon_lookup_symbol", query="overdue", kinds=["predicate"])["symbols"]
    by_id = client.call("argon_find_references", symbolId=symbol["symbolId"])
    by_name = client.call("argon_find_references", query="overdue")
    assert by_id["references"] == by_name["references"]
    assert {each["span"]["file"] for each in by_id["references"]} == {"root.ar", "tests.ar"}
    assert all("overdue" in each["line"] for each in by_id["references"])


def test_a_line_ends_where_it_does_for_an_editor(client: Client, tmp_path: Path) -> None:
    text = "// one \u2028 line \x0c still\npub type Odd { }\nderive d(x: Odd) :- missing(x);\n"
    told = client.call("argon_check", overlay=[{"path": "world.ar", "text": text}])["diagnostics"]
    (problem,) = (each for each in told if "missing" in each["message"])
    assert problem["span"]["start"]["line"] == 2
    assert problem["sourceLine"] == "derive d(x: Odd) :- missing(x);"
    (tmp_path / "root.ar").write_text(text, "utf-8")
    with Client(tmp_path) as other:
        found = other.call("argon_find_references", query="Odd")["references"]
    assert [each["line"] for each in found] == ["pub type Odd { }", "derive d(x: Odd) :- missing(x);"]


def test_imports_tell_what_is_there(client: Client) -> None:
    text = "use std::time::{today, now as moment};\npub use self::gone::Thing;\nuse std::math::*;\n"
    found = client.call("argon_list_imports", source=text)["imports"]
    assert found == [
        {"module": "std::time", "items": ["today", "now"], "isPublic": False, "resolved": True},
        {"module": "self::gone", "items": ["Thing"], "isPublic": True, "resolved": False},
        {"module": "std::math", "items": ["*"], "isPublic": False, "resolved": True},
    ]


def test_a_pasted_name_is_renamed(client: Client) -> None:
    found = client.call("argon_rename_symbol", source=PASTED, oldName="P", newName="Person")
    assert found["source"] == PASTED.replace("P", "Person")
    assert [each["code"] for each in found["diagnostics"] if each["severity"] == "error"] == []
    local = client.call("argon_rename_symbol", source=PASTED, oldName="y", newName="other", scope="item:d")
    assert "r(x, other), r(other, x)" in local["source"]


def test_a_symbol_is_renamed_project_wide_as_a_diff(client: Client) -> None:
    found = client.call("argon_rename_symbol", symbol="overdue", newName="past_due")
    assert found["files"] == ["root.ar", "tests.ar"]
    assert found["diff"].count("+++ ") == 2
    assert "past_due" in found["diff"]
    assert len(found["edits"]) == len(client.call("argon_find_references", query="overdue")["references"])


def test_what_cannot_be_done_is_refused_in_words(client: Client) -> None:
    taken = refusal(client, "argon_rename_symbol", symbol="overdue", newName="late_fee")
    assert (taken["code"], taken["details"]["reason"]) == ("ARGON_RENAME_REFUSED", "taken")
    assert refusal(client, "argon_find_references", query="nowhere")["code"] == "ARGON_RUNTIME_NOT_FOUND"
    assert refusal(client, "argon_find_references")["code"] == "MCP-INVALID-INPUT"
    assert refusal(client, "argon_rename_symbol", newName="x")["code"] == "MCP-INVALID-INPUT"
    assert refusal(client, "argon_parse_source")["code"] == "MCP-INVALID-INPUT"
    assert refusal(client, "argon_parse_source", filePath="../other.ar")["code"] == "MCP-PATH-OUTSIDE-PROJECT"
    assert refusal(client, "argon_parse_source", filePath="gone.ar")["code"] == "ARGON_INPUT_UNREADABLE"
    assert refusal(client, "argon_lookup_symbol", query="a", projectRoot="..")["code"] == "MCP-PATH-OUTSIDE-PROJECT"


def test_a_member_of_the_workspace_is_asked_by_name_or_folder(tmp_path: Path) -> None:
    (tmp_path / "parts" / "one").mkdir(parents=True)
    (tmp_path / "ox.toml").write_text(WORKSPACE, "utf-8")
    (tmp_path / "root.ar").write_text("pub type Whole { }\n", "utf-8")
    (tmp_path / "parts" / "one" / "ox.toml").write_text(MEMBER, "utf-8")
    (tmp_path / "parts" / "one" / "root.ar").write_text("pub type Part { }\n", "utf-8")
    with Client(tmp_path) as client:
        for asked in ("part", "parts/one"):
            found = client.call("argon_lookup_symbol", query="Part", projectRoot=asked)["symbols"]
            assert [each["path"] for each in found] == ["pkg::Part"]
        assert client.call("argon_lookup_symbol", query="Part")["symbols"] == []
