"""Commands: answered as data with a document, shown where the client can, told of unsaved text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.lsp.packages import lease, position
from tests.support.lsp_client import Client

CAPABILITIES = {
    "window": {"showDocument": {"support": True}, "workDoneProgress": True},
    "workspace": {"textDocumentContent": {}},
}
FAILING = '\n\ntest "nobody is late" {\n    assert not derivable overdue(march);\n    assert 1 + 1 == 3;\n}\n'


class Session:
    """A client that shows everything, with two files of the lease example open."""

    def __init__(self, client: Client, root: Path) -> None:
        self.client = client
        self.root = root
        for name in ("root.ar", "tests.ar"):
            client.open(self.uri(name), self.text(name))

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def text(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")

    def save(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")
        self.client.change(self.uri(name), {"text": text})
        self.client.notify("textDocument/didSave", {"textDocument": {"uri": self.uri(name)}})

    def run(self, command: str, *arguments: Any, **more: Any) -> Any:
        return self.client.request("workspace/executeCommand", {"command": command, "arguments": arguments, **more})

    def refused(self, command: str, *arguments: Any) -> tuple[int, str]:
        asked = {"command": command, "arguments": arguments}
        error = self.client.answer(self.client.ask("workspace/executeCommand", asked))["error"]
        return error["code"], error["message"]

    def opened(self, uri: str) -> Any:
        """What the client was asked to open."""

        def found() -> Any:
            asked = (each["params"] for each in self.client.requests if each["method"] == "window/showDocument")
            return [each for each in asked if each["uri"] == uri]

        return self.client.until(found, f"{uri} to be shown")[-1]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    root = lease(tmp_path_factory.mktemp("commands"))
    with Client() as client:
        client.initialize(root, capabilities=CAPABILITIES)
        yield Session(client, root)


def test_a_failing_test_is_a_diagnostic_with_its_why_until_it_passes(session: Session) -> None:
    before = session.text("tests.ar")
    session.save("tests.ar", before + FAILING)
    found = session.run("argon.runTest", session.uri("tests.ar"), "pkg::tests::nobody is late")
    assert (found["title"], found["unsaved"]) == ("0 passed, 1 failed", [])
    assert found["answer"]["failed"] == 1
    assert "overdue(march)" in found["text"]
    marked = lambda: [  # noqa: E731
        each for each in session.client.diagnostics(session.uri("tests.ar")) if each["source"] == "argon test"
    ]
    derivable, equal = session.client.until(marked, "the failures as diagnostics")
    line, _ = position(before + FAILING, "assert not derivable overdue(march);\n    assert 1")
    assert derivable["range"]["start"]["line"] == line
    assert derivable["message"].startswith("nobody is late: ")
    assert "`overdue(march)` holds by root.ar:" in derivable["message"]
    assert equal["range"]["start"]["line"] == line + 1
    page = session.client.request("workspace/textDocumentContent", {"uri": session.opened(found["uri"])["uri"]})
    assert page["text"] == found["text"]
    session.save("tests.ar", (before + FAILING.replace("assert not", "assert").replace("== 3", "== 2")))
    again = session.run("argon.runTest", session.uri("tests.ar"), "pkg::tests::nobody is late")
    assert again["title"] == "1 passed", again["text"]
    session.client.until(lambda: not marked(), "the failures to go")
    session.save("tests.ar", before)


def test_all_tests_of_a_package_run_with_its_scenarios(session: Session) -> None:
    found = session.run("argon.runTest", session.uri("root.ar"))
    assert found["title"] == "7 passed"
    assert "a tenant falls behind and catches up" in found["text"]
    told = [
        each["params"]["message"] for each in session.client.notifications if each["method"] == "window/showMessage"
    ]
    assert told[-1] == "7 passed"


def test_a_query_is_a_table(session: Session) -> None:
    found = session.run("argon.runQuery", session.uri("root.ar"), "late_payers")
    assert found["title"] == "1 row"
    assert "| ada |" in found["text"]
    assert found["answer"]["rows"][0]["values"][0]["label"] == "ada"
    assert session.opened(found["uri"])["external"] is False
    assert session.run("argon.runQuery", session.uri("root.ar"), "reminders", {"t": "ada"})["answer"]["rowCount"] == 1


def test_a_build_says_what_was_not_saved(session: Session) -> None:
    session.client.change(session.uri("root.ar"), {"text": session.text("root.ar") + "// more\n"})
    found = session.run("argon.build", session.uri("root.ar"))
    assert found["unsaved"] == ["root.ar"]
    assert "Not saved, and so not part of this: root.ar." in found["text"]
    assert (session.root / "target" / "root.oxbin").is_file()
    session.client.change(session.uri("root.ar"), {"text": session.text("root.ar")})
    assert session.run("argon.build", session.uri("root.ar"))["title"].startswith("current ")


def test_a_build_that_fails_lists_the_errors(session: Session) -> None:
    before = session.text("root.ar")
    session.save("root.ar", before + "pub derive wrong(p: Nobody) :- p: Nobody;\n")
    found = session.run("argon.build", session.uri("root.ar"))
    session.save("root.ar", before)
    assert found["title"].startswith("not built")
    assert "`OE0101`" in found["text"]


def test_a_fact_is_explained_in_text_and_as_a_page_that_opens_outside(session: Session) -> None:
    found = session.run("argon.explainFact", session.uri("root.ar"), "overdue(march)")
    assert (found["form"], found["title"]) == ("markdown", "why overdue(march)")
    assert found["answer"]["derived"] is True
    assert (
        session.run("argon.explainFact", session.uri("root.ar"), "overdue(april)")["title"] == "why not overdue(april)"
    )
    page = session.run("argon.showProof", session.uri("root.ar"), "overdue(march)")
    assert page["text"].startswith("<!DOCTYPE html>")
    assert session.opened(page["uri"])["external"] is True
    assert Path(unquote(page["uri"].removeprefix("file://"))).read_text(encoding="utf-8") == page["text"]


def test_a_code_is_explained_and_a_wrong_one_corrected(session: Session) -> None:
    found = session.run("argon.explainCode", "oe0101")
    assert found["title"] == "OE0101"
    assert found["text"].startswith("# OE0101 ")
    code, message = session.refused("argon.explainCode", "OE0110X")
    assert code == -32803
    assert "OE0110X" in message


def test_a_command_that_cannot_be_done_says_why(session: Session, tmp_path: Path) -> None:
    assert session.refused("argon.nothing")[0] == -32602
    assert session.refused("argon.runQuery", session.uri("root.ar")) == (
        -32602,
        "argon.runQuery: argument 2 is the path of a query",
    )
    assert session.refused("argon.build", (tmp_path / "lone.ar").as_uri())[0] == -32803
    code, message = session.refused("argon.runTest", session.uri("root.ar"), "pkg::tests::no such test")
    assert (code, "no such test" in message) == (-32803, True)
    assert session.refused("argon.explainFact", session.uri("root.ar"), "overdue(nobody)")[0] == -32803


def test_work_is_shown_on_the_token_of_the_client_or_on_one_of_ours(session: Session) -> None:
    session.run("argon.build", session.uri("root.ar"), workDoneToken="mine")
    told = kinds(session.client, "mine")
    assert (told[0], told[-1], {*told[1:-1]}) == ("begin", "end", {"report"})
    session.run("argon.build", session.uri("root.ar"))
    created = [
        each["params"]["token"]
        for each in session.client.requests
        if each["method"] == "window/workDoneProgress/create"
    ]
    assert kinds(session.client, created[-1])[0] == "begin"
    assert kinds(session.client, created[-1])[-1] == "end"


def kinds(client: Client, token: str) -> list[str]:
    """The steps of some work as they were told."""
    told = (each["params"] for each in client.notifications if each["method"] == "$/progress")
    return [each["value"]["kind"] for each in told if each["token"] == token]
