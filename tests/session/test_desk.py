"""The desk of an editor, turn by turn and without a thread: each interleaving exactly as it is written down."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from argon_lang.session import incremental
from argon_lang.session.editor import seats
from argon_lang.session.editor.desk import Desk
from argon_lang.session.editor.edited import Edited
from argon_lang.session.frames import Message
from argon_lang.session.worker import Worker
from tests.support.served_packages import SMALL, endless_check, package

Json = Any


class Work:
    """A desk, with the process around it and what it sent."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.name, self.path = f"doc:{root.name}", str(root / "root.ar")
        self.sent: list[Message] = []
        self.desk = Desk({"encoding": "utf-16"}, self.sent.append)
        self.worker = Worker(self.desk, self.sent.append)
        self.told = 0
        self.number = 0

    def tell(self, name: str, given: Mapping[str, Json]) -> None:
        self.worker.receive({"tell": name, "given": given})

    def open(self, text: str) -> None:
        self.told += 1
        given = {"document": self.name, "path": self.path, "told": self.told, "version": 1, "text": text}
        self.tell("opened", given)

    def edit(self, start: int, end: int, text: str) -> None:
        self.told += 1
        edits = [(start, end, text)]
        self.tell("edited", {"document": self.name, "told": self.told, "version": self.told, "edits": edits})

    def hover(self, line: int, character: int) -> int:
        self.number += 1
        position = {"line": line, "character": character}
        given = {"document": self.name, "asked": self.told, "position": position}
        self.worker.receive({"id": self.number, "question": "hover", "given": given})
        return self.number

    def turn(self) -> None:
        """Let the next turn be taken and done."""
        self.desk.step(self.desk.turns.take())

    def answer(self, number: int) -> Json:
        (found,) = [each for each in self.sent if each.get("id") == number]
        return found.get("answer", found.get("error"))

    def diagnostics(self) -> list[Message]:
        return [each for each in self.sent if each.get("event") == "diagnostics"]


@pytest.fixture
def endless(tmp_path: Path) -> Work:
    """A desk whose check, once it computes, goes on for as long as the checker allows."""
    return Work(endless_check(tmp_path))


@pytest.fixture
def small(tmp_path: Path) -> Work:
    return Work(package(tmp_path))


def interposed(monkeypatch: pytest.MonkeyPatch, owner: type, method: str, happen: Callable[[], object]) -> None:
    """Have something happen, once, just before a method is called."""
    real, left = getattr(owner, method), [happen]

    def call(self: object, *given: Any, **named: Any) -> Any:
        if left:
            left.pop()()
        return real(self, *given, **named)

    monkeypatch.setattr(owner, method, call)


MOMENTS: dict[str, tuple[type, str]] = {
    "before the check looks at anything": (Desk, "_check"),
    "before the news are in the database": (Edited, "_bring"),
    "while the sources are being loaded": (incremental.Incremental, "load"),
    "after that, before the database is asked": (incremental.Incremental, "ask"),
    "when the database has begun": (Edited, "_diagnostics"),
}
"""The steps of a check, by where a question may come."""


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_question_never_waits_for_a_check_at_whatever_moment_it_comes(
    endless: Work, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    numbers: list[int] = []
    interposed(monkeypatch, *MOMENTS[moment], lambda: numbers.append(endless.hover(1, 10)))
    endless.open((endless.root / "root.ar").read_text("utf-8"))
    endless.turn()  # takes the news in
    endless.turn()  # the check: it would go on for long
    assert endless.diagnostics() == []
    endless.turn()
    (number,) = numbers
    assert "pub type P" in endless.answer(number)["found"]["markdown"]
    assert endless.desk.turns.take().key is not None, "the check goes on after the answer"


def test_a_check_that_gave_way_goes_on_and_tells_what_it_finds(small: Work) -> None:
    small.open(SMALL.replace("knows(_, p)", "nows(_, p)"))
    small.turn()
    turn = small.desk.turns.take()
    number = small.hover(0, 10)
    small.desk.step(turn)
    assert small.diagnostics() == []
    small.turn()
    assert small.answer(number)["found"] is not None
    small.turn()
    (told,) = small.diagnostics()
    assert (told["file"], told["version"]) == (small.name, 1)
    assert [each["code"] for each in told["diagnostics"]] == ["OE0101"]


def test_an_edit_stops_the_check_of_what_was_before_it(small: Work) -> None:
    small.open(SMALL)
    small.turn()
    turn = small.desk.turns.take()
    small.edit(0, 0, "// typed\n")
    small.desk.step(turn)
    small.turn()
    assert [each["version"] for each in small.diagnostics()] == [2]


def test_a_question_about_a_text_that_was_edited_since_is_stale_also_when_it_was_begun(
    small: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.open(SMALL)
    interposed(monkeypatch, incremental.Incremental, "ask", lambda: small.edit(0, 0, "// typed\n"))
    number = small.hover(0, 10)
    small.turn()
    small.turn()
    assert small.answer(number) == {"stale": True}


def test_a_question_that_other_news_stopped_is_answered_all_the_same(
    small: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.open(SMALL)
    interposed(monkeypatch, incremental.Incremental, "ask", partial(small.tell, "files", {"paths": []}))
    number = small.hover(0, 10)
    small.turn()
    assert all("id" not in each for each in small.sent)
    small.turn()
    assert "pub type Person" in small.answer(number)["found"]["markdown"]


def test_a_question_that_waits_is_cancelled_at_once_and_never_begun(small: Work) -> None:
    small.open(SMALL)
    number = small.hover(0, 10)
    small.worker.receive({"cancel": number})
    assert small.answer(number)["code"] == "ARGON_RUNTIME_CANCELLED"
    small.turn()
    assert len([each for each in small.sent if "id" in each]) == 1


def test_a_question_that_is_being_answered_is_cancelled_at_its_next_step(
    small: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.open(SMALL)
    number = small.hover(0, 10)
    interposed(monkeypatch, incremental.Incremental, "ask", lambda: small.worker.receive({"cancel": number}))
    small.turn()
    assert small.answer(number)["code"] == "ARGON_RUNTIME_CANCELLED"


def test_a_folder_that_left_the_workspace_and_the_disk_takes_its_diagnostics_along(small: Work) -> None:
    (small.root / "root.ar").write_text("pub type A { b: Nothing }\n", encoding="utf-8")
    small.tell("folders", {"added": [str(small.root)], "removed": []})
    small.turn()
    small.turn()
    assert [len(each["diagnostics"]) for each in small.diagnostics()] == [1]
    shutil.rmtree(small.root)
    small.tell("folders", {"added": [], "removed": [str(small.root)]})
    small.turn()
    small.turn()
    assert [len(each["diagnostics"]) for each in small.diagnostics()] == [1, 0]


def test_a_fault_in_one_piece_of_news_loses_nothing_else(small: Work, caplog: pytest.LogCaptureFixture) -> None:
    small.tell("edited", {"document": "never opened", "told": 1, "version": 1, "edits": []})
    small.open(SMALL)
    number = small.hover(0, 10)
    small.turn()
    assert "pub type Person" in small.answer(number)["found"]["markdown"]
    assert [record.message for record in caplog.records] == ["a fault at the desk: 'never opened'"]


def test_a_module_is_renamed_with_the_file_that_it_has_now_though_no_watcher_told_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "Watcher", Mock())
    root = package(tmp_path)
    text = "mod old;\npub type B { a: old::A }\n"
    (root / "root.ar").write_text(text, encoding="utf-8")
    (root / "old.ar").write_text("pub type A { }\n", encoding="utf-8")
    work = Work(root)
    work.open(text)
    work.turn()
    work.turn()
    (root / "old.ar").rename(root / "new.ar")
    work.edit(4, 7, "new")
    work.number += 1
    given = {"document": work.name, "asked": work.told, "position": {"line": 0, "character": 5}}
    given |= {"newName": "newest", "lazy": False, "moves": True}
    work.worker.receive({"id": work.number, "question": "rename", "given": given})
    work.turn()
    assert work.answer(work.number)["found"]["moves"] == [[str(root / "new.ar"), str(root / "newest.ar")]]
