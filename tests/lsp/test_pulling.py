"""Diagnostics as a client fetches them: the same as are pushed to any other, and never both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from argon_lang.session.cancellation import Cancellation
from argon_lang.session.turns import Turns
from tests.lsp.packages import package, position
from tests.support.lsp_client import Client

PEOPLE = "pub type Person { name: String }\n"
ROOT = "use self::people::{Person};\n\nmod people;\n\npub derive known(p: Person) :- p: Person;\n"
PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
RELATED = {**PULLS, "textDocument": {"diagnostic": {"relatedDocumentSupport": True}}}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return package(tmp_path, root=ROOT, people=PEOPLE)


def pull(client: Client, uri: str, known: str | None = None) -> Any:
    """A report of one document, asked again as long as the server says that the text was edited meanwhile."""
    params = {"textDocument": {"uri": uri}, "identifier": "argon"} | ({"previousResultId": known} if known else {})
    while "error" in (answer := client.answer(client.ask("textDocument/diagnostic", params))):
        assert answer["error"]["code"] == -32802
        assert answer["error"]["data"] == {"retriggerRequest": True}
    return answer["result"]


def workspace(client: Client, known: dict[str, str] | None = None) -> dict[str, Any]:
    """The reports of the workspace by URI, as soon as everything is checked."""
    ids = [{"uri": uri, "value": value} for uri, value in (known or {}).items()]
    found = client.request("workspace/diagnostic", {"identifier": "argon", "previousResultIds": ids})
    return {each["uri"]: each for each in found["items"]}


def codes(report: Any) -> list[str]:
    return [each["code"] for each in report["items"]]


def refreshes(client: Client) -> int:
    return sum(each["method"] == "workspace/diagnostic/refresh" for each in client.requests)


def test_only_a_client_that_fetches_again_when_told_to_is_to_fetch(client: Client, small: Path) -> None:
    assert "diagnosticProvider" not in client.initialize(small, capabilities={"textDocument": {"diagnostic": {}}})
    assert client.error("textDocument/diagnostic", {"textDocument": {"uri": "file:///x.ar"}}) == -32601


def test_a_client_that_fetches_is_pushed_nothing(client: Client, small: Path) -> None:
    found = client.initialize(small, capabilities=PULLS)["diagnosticProvider"]
    assert found == {"identifier": "argon", "interFileDependencies": True, "workspaceDiagnostics": True}
    uri = (small / "root.ar").as_uri()
    client.open(uri, ROOT.replace("p: Person;", "p: Persom;"))
    assert codes(pull(client, uri)) == ["OE0101"]
    workspace(client)
    assert [each for each in client.notifications if each["method"] == "textDocument/publishDiagnostics"] == []


def test_what_is_the_same_is_said_to_be_unchanged(client: Client, small: Path) -> None:
    client.initialize(small, capabilities=PULLS)
    uri = (small / "root.ar").as_uri()
    client.open(uri, ROOT)
    first = pull(client, uri)
    assert (first["kind"], first["items"]) == ("full", [])
    assert pull(client, uri, first["resultId"]) == {"kind": "unchanged", "resultId": first["resultId"]}
    line, column = position(ROOT, "Person) :-")
    client.edit(uri, (line, column), (line, column + 6), "Persom")
    second = pull(client, uri, first["resultId"])
    assert codes(second) == ["OE0101"]
    client.edit(uri, (line, column), (line, column + 6), "Person")
    assert pull(client, uri, second["resultId"])["resultId"] == first["resultId"]


def test_an_edit_of_one_file_leaves_no_other_stale(client: Client, small: Path) -> None:
    client.initialize(small, capabilities=PULLS)
    root, people = ((small / name).as_uri() for name in ("root.ar", "people.ar"))
    client.open(root, ROOT)
    client.open(people, PEOPLE)
    known = pull(client, root)["resultId"]
    for name, wanted in (("Human", True), ("Person", False), ("Robot", True)):
        before = refreshes(client)
        line = f"pub type {name} {{ name: String }}\n"
        client.change(people, {"text": line})
        client.until(lambda before=before: refreshes(client) > before, "a refresh")
        report = pull(client, root, known)
        assert (report["kind"], bool(report["items"])) == ("full", wanted)
        known = report["resultId"]


def test_the_client_is_not_told_to_fetch_what_it_fetches_by_itself(client: Client, small: Path) -> None:
    client.initialize(small, capabilities=PULLS)
    root = (small / "root.ar").as_uri()
    client.open(root, ROOT)
    pull(client, root)
    for text in (ROOT + "nonsense\n", ROOT):
        client.change(root, {"text": text})
        pull(client, root)
        workspace(client)
    assert refreshes(client) == 0


def test_the_workspace_is_reported_when_all_of_it_is_checked(client: Client, small: Path) -> None:
    (small / "people.ar").write_text("pub type Person { name: Strin }\n", encoding="utf-8")
    client.initialize(small, capabilities=PULLS)
    people = (small / "people.ar").as_uri()
    found = workspace(client)
    assert {uri: codes(each) for uri, each in found.items()} == {people: ["OE0101"]}
    known = {uri: each["resultId"] for uri, each in found.items()}
    assert [each["kind"] for each in workspace(client, known).values()] == ["unchanged"]
    client.open(people, PEOPLE)
    again = workspace(client, known)[people]
    assert (again["kind"], again["items"], again["version"]) == ("full", [], 1)


def test_what_was_said_of_a_file_that_has_gone_is_taken_back(client: Client, small: Path) -> None:
    client.initialize(small, capabilities=PULLS)
    gone = (small / "gone.ar").as_uri()
    (report,) = workspace(client, {gone: "some id of an earlier server"}).values()
    assert (report["uri"], report["kind"], report["items"], report["version"]) == (gone, "full", [], None)


def test_a_workspace_request_with_a_token_is_a_stream(client: Client, small: Path) -> None:
    client.initialize(small, capabilities=PULLS)
    people, root = ((small / name).as_uri() for name in ("people.ar", "root.ar"))
    number = client.ask("workspace/diagnostic", {"previousResultIds": [], "partialResultToken": "stream"})
    client.open(people, PEOPLE)
    for text, wanted in ((PEOPLE.replace("Person", "Human"), True), (PEOPLE, False)):
        client.change(people, {"text": text})
        client.until(lambda wanted=wanted: bool(streamed(client).get(root)) is wanted, "the other file in the stream")
    assert number not in client.responses
    client.notify("$/cancelRequest", {"id": number})
    assert client.answer(number)["error"]["code"] == -32800


def test_a_stream_ends_with_the_server(client: Client, small: Path) -> None:
    client.initialize(small, capabilities=PULLS)
    number = client.ask("workspace/diagnostic", {"previousResultIds": [], "partialResultToken": 7})
    assert client.leave() == 0
    assert client.answer(number)["error"]["code"] == -32800


def test_a_document_comes_with_what_is_different_in_files_that_are_not_open(client: Client, small: Path) -> None:
    client.initialize(small, capabilities=RELATED)
    people, root = ((small / name).as_uri() for name in ("people.ar", "root.ar"))
    client.open(people, PEOPLE.replace("Person", "Human"))
    client.until(lambda: refreshes(client), "a refresh")
    related = pull(client, people)["relatedDocuments"]
    assert [*related] == [root]
    assert codes(related[root])
    client.change(people, {"text": PEOPLE})
    client.until(lambda: refreshes(client) > 1, "another refresh")
    assert pull(client, people)["relatedDocuments"][root]["items"] == []


def test_the_manifest_is_a_document_like_any_other(client: Client, small: Path) -> None:
    client.initialize(small, capabilities=PULLS)
    uri = (small / "ox.toml").as_uri()
    text = (small / "ox.toml").read_text(encoding="utf-8")
    client.open(uri, text.replace('"0.1.0"', '"one"'))
    assert codes(pull(client, uri)) == ["OE1245"]
    client.change(uri, {"text": text})
    assert pull(client, uri)["items"] == []


def test_nothing_is_settled_while_news_wait_or_a_check_was_stopped() -> None:
    turns, done = Turns(), list[str]()
    turns.settled(lambda: done.append("settled"))
    turns.tell(lambda: turns.later("package", lambda: done.append("checked")))
    turn = turns.take()
    assert turn.job is None
    turn.news[0]()
    check = turns.take()
    turns.tell(lambda: None)
    assert isinstance(check.stop, Cancellation)
    turns.again(check)
    for _ in range(2):
        turn = turns.take()
        if turn.job is not None:
            turn.job()
    assert done == ["checked", "settled"]


def streamed(client: Client) -> dict[str, Any]:
    """The last items of each file in the stream."""
    told: dict[str, Any] = {}
    for each in client.notifications:
        if each["method"] == "$/progress" and each["params"]["token"] == "stream":
            told |= {report["uri"]: report.get("items") for report in each["params"]["value"]["items"]}
    return told
