"""Refactorings, renamed files and layout while typing, asked for as an editor asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.packages import lease, position
from tests.support.lsp_client import Client, at

LAZY = {
    "textDocument": {"codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}},
    "workspace": {
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename"]},
        "fileOperations": {"willRename": True},
    },
}


class Session:
    """A client with a file of the lease example open."""

    def __init__(self, client: Client, root: Path) -> None:
        self.client = client
        self.root = root
        self.text = (root / "root.ar").read_text(encoding="utf-8")
        client.open(self.uri("root.ar"), self.text)

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def actions(self, start: str, end: str = "", **context: Any) -> list[Any]:
        """The actions between the start of some words and the end of others."""
        low = position(self.text, start)
        high = position(self.text, end, len(end)) if end else low
        places = {
            name: dict(zip(("line", "character"), at_, strict=True)) for name, at_ in (("start", low), ("end", high))
        }
        asked = {
            "textDocument": {"uri": self.uri("root.ar")},
            "range": places,
            "context": {"diagnostics": [], **context},
        }
        found: list[Any] = self.client.request("textDocument/codeAction", asked)
        return found


def _session(folder: Path, capabilities: Any) -> Iterator[Session]:
    root = lease(folder)
    with Client() as client:
        client.initialize(root, capabilities=capabilities)
        yield Session(client, root)


@pytest.fixture(scope="module")
def lazy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    yield from _session(tmp_path_factory.mktemp("lazy"), LAZY)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    yield from _session(tmp_path_factory.mktemp("plain"), {})


def extraction(session: Session) -> Any:
    """The offer to extract two atoms of `called_upon`."""
    found = session.actions("answers_for(p, t)", "in_arrears(t),")
    return next(each for each in found if each["kind"] == "refactor.extract")


def test_an_action_is_offered_without_its_edits_which_come_when_it_is_taken(lazy: Session) -> None:
    offer = extraction(lazy)
    assert "edit" not in offer
    taken = lazy.client.request("codeAction/resolve", offer)
    first, second = taken["edit"]["changes"][lazy.uri("root.ar")]
    assert first["newText"].startswith("derive extracted(p) :- answers_for(p, t),")
    assert second["newText"] == "extracted(p)"


def test_a_client_that_cannot_ask_later_gets_the_edits_at_once(plain: Session) -> None:
    assert len(extraction(plain)["edit"]["changes"][plain.uri("root.ar")]) == 2


def test_an_action_of_an_older_text_is_not_taken(lazy: Session) -> None:
    offer = extraction(lazy)
    offer["data"]["action"]["text"] = "0" * 16
    assert lazy.client.error("codeAction/resolve", offer) == -32801


def test_an_action_that_is_none_of_ours_is_refused(lazy: Session) -> None:
    assert lazy.client.error("codeAction/resolve", {"title": "x", "data": {"document": lazy.uri("root.ar")}}) == -32602


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (["refactor"], {"refactor", "refactor.extract"}),
        (["refactor.extract"], {"refactor.extract"}),
        (["source.organizeImports"], set()),
        (["notebook"], set()),
    ],
)
def test_only_the_kinds_that_are_asked_for_come(lazy: Session, only: list[str], kinds: set[str]) -> None:
    found = lazy.actions("answers_for(p, t)", "in_arrears(t),", only=only)
    assert {each["kind"] for each in found} <= kinds
    assert not kinds or found


def test_a_module_is_renamed_with_its_file_where_the_editor_can(lazy: Session, plain: Session) -> None:
    asked = at(lazy.uri("root.ar"), *position(lazy.text, "mod world", 4), newName="town")
    *edits, move = lazy.client.request("textDocument/rename", asked)["documentChanges"]
    assert move == {"kind": "rename", "oldUri": lazy.uri("world.ar"), "newUri": lazy.uri("town.ar")}
    assert {each["textDocument"]["uri"] for each in edits} == {lazy.uri("root.ar"), lazy.uri("tests.ar")}
    asked["textDocument"]["uri"] = plain.uri("root.ar")
    response = plain.client.answer(plain.client.ask("textDocument/rename", asked))
    assert "rename the file in the editor" in response["error"]["message"]


def test_a_module_is_renamed_with_the_file_that_it_has_at_this_moment(tmp_path: Path) -> None:
    for session in _session(tmp_path, LAZY):
        session.client.diagnostics(session.uri("root.ar"), 1)
        (session.root / "world.ar").rename(session.root / "town.ar")
        text = session.text.replace("mod world", "mod town")
        session.client.change(session.uri("root.ar"), {"text": text})
        asked = at(session.uri("root.ar"), *position(text, "mod town", 4), newName="village")
        move = session.client.request("textDocument/rename", asked)["documentChanges"][-1]
        assert move == {"kind": "rename", "oldUri": session.uri("town.ar"), "newUri": session.uri("village.ar")}


def test_a_file_that_will_be_renamed_takes_its_module_along(lazy: Session) -> None:
    files = [{"oldUri": lazy.uri("world.ar"), "newUri": lazy.uri("town.ar")}]
    changes = lazy.client.request("workspace/willRenameFiles", {"files": files})["changes"]
    assert {each["newText"] for edits in changes.values() for each in edits} == {"town"}
    elsewhere = [{"oldUri": "file:///nowhere/a.ar", "newUri": "file:///nowhere/b.ar"}]
    assert lazy.client.request("workspace/willRenameFiles", {"files": elsewhere}) is None


def test_an_item_is_laid_out_when_its_end_is_typed(plain: Session) -> None:
    end = len(plain.text.split("\n")) - 1
    plain.client.edit(plain.uri("root.ar"), (end, 0), (end, 0), "derive  spare( x: Person ) :- x: Person;")
    asked = at(plain.uri("root.ar"), end, 40, ch=";", options={"tabSize": 4, "insertSpaces": True})
    (edit,) = plain.client.request("textDocument/onTypeFormatting", asked)
    assert edit["newText"].startswith("derive spare(x: Person) :- x: Person;")
