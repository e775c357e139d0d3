"""The process that reasons: when it dies, whoever waits gets one error, and the next one knows everything."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.coherence.processes import Watched, children
from tests.lsp.packages import package, position
from tests.support.lsp_client import Client, at
from tests.support.served_packages import endless_check

PEOPLE = "pub type Person { name: Strin }\n"
ROOT = "use self::people::{Person};\n\nmod people;\n\npub derive known(p: Person) :- p: Person;\n"
INTERNAL_ERROR = -32603


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A package with an error in a file that nobody opens."""
    return package(tmp_path, root=ROOT, people=PEOPLE)


def kill_reasoner(client: Client) -> None:
    """Kill the one child of the server, and wait for its end."""
    (pid,) = children(client.process.pid)
    process = Watched(pid)
    process.kill()
    assert process.ended(30)
    process.close()


def lines_about_the_end(client: Client) -> list[str]:
    return [line for line in client.log if "worker process ended" in line]


if sys.platform == "linux":

    def test_another_process_knows_what_was_typed_and_not_saved(client: Client, small: Path) -> None:
        client.initialize(small)
        uri = (small / "root.ar").as_uri()
        client.open(uri, ROOT)
        client.diagnostics(uri, 1)
        version = client.edit(uri, (4, 20), (4, 26), "Persom")
        assert [each["code"] for each in client.diagnostics(uri, version)] == ["OE0101"]
        client.notifications.clear()
        kill_reasoner(client)
        assert [each["code"] for each in client.diagnostics(uri, version)] == ["OE0101"]
        version = client.edit(uri, (4, 20), (4, 26), "Person")
        assert client.diagnostics(uri, version) == []
        line, column = position(ROOT, "known")
        assert client.request("textDocument/hover", at(uri, line, column)) is not None
        assert client.leave() == 0
        assert len(lines_about_the_end(client)) == 1
        assert not any("Traceback" in line for line in client.log)

    def test_what_was_said_of_files_that_are_not_open_is_taken_back_and_said_again(client: Client, small: Path) -> None:
        client.initialize(small)
        people = (small / "people.ar").as_uri()
        client.codes_until(people, ["OE0101"])
        client.notifications.clear()
        (small / "people.ar").write_text(PEOPLE.replace("Strin", "String"), encoding="utf-8")
        client.codes_until(people, [])
        (small / "people.ar").write_text(PEOPLE, encoding="utf-8")
        client.codes_until(people, ["OE0101"])
        kill_reasoner(client)
        client.codes_until(people, [])
        client.codes_until(people, ["OE0101"])

    def test_whoever_waits_gets_one_error_and_may_ask_again(client: Client, tmp_path: Path) -> None:
        root = endless_check(tmp_path)
        uri, text = (root / "root.ar").as_uri(), (root / "root.ar").read_text("utf-8")
        client.initialize()
        client.open(uri, text)
        assert client.request("textDocument/hover", at(uri, 1, 10)) is not None
        (pid,) = children(client.process.pid)
        os.kill(pid, signal.SIGSTOP)  # so that the question is there, and cannot have been answered
        number = client.ask("textDocument/hover", at(uri, 1, 10))
        assert client.error("textDocument/telepathy", {}) == -32601
        kill_reasoner(client)
        error = client.answer(number)["error"]
        assert (error["code"], error["message"]) == (INTERNAL_ERROR, "the process that reasons has ended; ask again")
        assert client.request("textDocument/hover", at(uri, 1, 10)) is not None
        client.close_input()
        assert client.exit_status() == 1
        assert len(lines_about_the_end(client)) == 1

    def test_a_process_that_dies_of_what_it_is_told_is_not_started_for_ever(client: Client, small: Path) -> None:
        client.initialize(small)
        people = (small / "people.ar").as_uri()
        client.codes_until(people, ["OE0101"])
        kill_reasoner(client)
        client.codes_until(people, [])
        client.codes_until(people, ["OE0101"])
        kill_reasoner(client)
        client.codes_until(people, [])
        assert client.request("workspace/symbol", {"query": "Pers"})[0]["name"] == "Person"
        client.codes_until(people, ["OE0101"])
        assert client.leave() == 0
        first, second = lines_about_the_end(client)
        assert "starting another one" in first
        assert "the next edit or question starts another" in second
