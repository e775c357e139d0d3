"""Each request, asked of the lease example as an editor asks it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.packages import covered, lease, position
from tests.support.lsp_client import Client, at


class Session:
    """A server with the lease example open."""

    def __init__(self, client: Client, root: Path) -> None:
        self.client = client
        self.root = root
        self.texts = {path.name: path.read_text(encoding="utf-8") for path in root.glob("*.ar")}

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def at(self, name: str, words: str, after: int = 0, **more: Any) -> dict[str, Any]:
        return at(self.uri(name), *position(self.texts[name], words, after), **more)

    def named(self, place: dict[str, Any]) -> tuple[str, str]:
        """File name and text of a location."""
        path = Path(place["uri"].removeprefix("file://"))
        return path.name, covered(path.read_text(encoding="utf-8"), place["range"])


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    root = lease(tmp_path_factory.mktemp("features"))
    with Client() as client:
        client.initialize(root)
        found = Session(client, root)
        for name in ("root.ar", "world.ar"):
            client.open(found.uri(name), found.texts[name])
        yield found


def test_the_example_is_clean(session: Session) -> None:
    for name in ("root.ar", "world.ar"):
        assert session.client.diagnostics(session.uri(name), 1) == []


def test_hover_shows_signature_docs_and_clauses(session: Session) -> None:
    found = session.client.request("textDocument/hover", session.at("root.ar", "answers_for(middle", 3))
    assert found["contents"]["kind"] == "markdown"
    text = found["contents"]["value"]
    assert "pub derive answers_for(p: Person, debtor: Person)" in text
    assert "at first hand or through other backers" in text
    assert "2 clauses" in text


def test_hover_over_nothing_is_null(session: Session) -> None:
    assert session.client.request("textDocument/hover", session.at("root.ar", "//! Flats", 5)) is None


def test_definition_goes_to_other_files_and_into_std(session: Session) -> None:
    ask = session.client.request
    (place,) = ask("textDocument/definition", session.at("root.ar", "t: Tenant)", 4))
    assert session.named(place) == ("parties.ar", "Tenant")
    (place,) = ask("textDocument/definition", session.at("root.ar", "days_between(i.due", 3))
    assert place["uri"].endswith("/std/time/root.ar")
    assert session.named(place)[1] == "days_between"


def test_definition_of_a_predicate_is_every_clause(session: Session) -> None:
    found = session.client.request("textDocument/definition", session.at("root.ar", "answers_for(middle", 3))
    assert [session.named(each) for each in found] == [("root.ar", "answers_for")] * 2


def test_references_are_found_in_files_that_are_not_open(session: Session) -> None:
    asked = session.at("root.ar", "derive overdue", 8, context={"includeDeclaration": False})
    found = session.client.request("textDocument/references", asked)
    assert {session.named(each)[0] for each in found} == {"root.ar", "tests.ar"}
    assert {session.named(each)[1] for each in found} == {"overdue"}


def test_highlights_mark_declaration_and_uses(session: Session) -> None:
    found = session.client.request("textDocument/documentHighlight", session.at("root.ar", "overdue(i: Inv", 9))
    assert [each["kind"] for each in found].count(3) == 1
    assert {covered(session.texts["root.ar"], each["range"]) for each in found} == {"i"}


def test_the_outline_is_a_tree(session: Session) -> None:
    params = {"textDocument": {"uri": session.uri("root.ar")}}
    found = {each["name"]: each for each in session.client.request("textDocument/documentSymbol", params)}
    assert [each["name"] for each in found["Invoice"]["children"]] == ["payer", "amount", "due", "paid"]
    assert found["late_fee"]["detail"] == "pub fn late_fee(amount: Money, days_late: Int) -> Money"


def test_formatting_edits_lines_that_are_not_laid_out(session: Session, tmp_path: Path) -> None:
    uri = "untitled:untidy"
    session.client.open(uri, "// 😀\npub   type A{b:Int}\n")
    options = {"tabSize": 8, "insertSpaces": False}
    asked = {"textDocument": {"uri": uri}, "options": options}
    (edit,) = session.client.request("textDocument/formatting", asked)
    assert edit["newText"] == "pub type A { b: Int }\n" or "    b: Int,\n" in edit["newText"]
    version = session.client.change(uri, {"range": edit["range"], "text": edit["newText"]})
    session.client.diagnostics(uri, version)
    assert session.client.request("textDocument/formatting", asked) == []
    session.client.close(uri)


def test_workspace_symbols_are_found_by_a_few_letters(session: Session) -> None:
    found = session.client.request("workspace/symbol", {"query": "latfe"})
    assert [each["name"] for each in found] == ["late_fee"]


def test_questions_about_a_document_that_is_not_open_are_answered_by_null(session: Session) -> None:
    assert session.client.request("textDocument/hover", at("file:///nowhere/x.ar", 0, 0)) is None


def test_a_std_file_can_be_read_and_asked_about(session: Session) -> None:
    (place,) = session.client.request("textDocument/definition", session.at("root.ar", "days_between(i.due", 3))
    path = Path(place["uri"].removeprefix("file://"))
    text = path.read_text(encoding="utf-8")
    session.client.open(place["uri"], text)
    found = session.client.request("textDocument/hover", at(place["uri"], *position(text, "days_between", 2)))
    assert "days_between(start: Date, end: Date) -> Int" in found["contents"]["value"]
    session.client.close(place["uri"])
