"""`forget`: what was said of a fact is gone, in every branch, at any time, from the file and from receipts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from argon_lang.errors import ArgonError
from argon_lang.runtime.options import WriteOptions
from argon_lang.runtime.service import At
from argon_lang.store import sqlite_file
from argon_lang.store.protocol import Store
from argon_lang.store.sqlite import SqliteStore
from tests.runtime.worlds import World, refusal
from tests.store.stores import BACKENDS, memory, sqlite

SOURCE = """
#[allow_forget]
pub type Person { name: String, mut note: String? }
pub type Patient <: Person { file: Int = 7 }
pub type Doctor <: Person;
#[allow_forget]
pub rel visited(who: Person, whom: Person) { mut why: String }
pub rel knows(who: Person, whom: Person);
pub standpoint ward;
fact Person(ann) { name: "Ann" };
fact visited(ann, ann) { why: "declared" };
derive known(p: Person) :- visited(p, _);

pub mutate enter(name: String) -> Person {
    let p = insert Patient { name: name, note: "told in secret" };
    return p;
}
pub mutate promote(p: Person) { insert iof(p, Doctor) {}; }
pub mutate visit(a: Person, b: Person, why: String) { insert visited(a, b) { why: why }; }
pub mutate leave(a: Person, b: Person) { delete visited(a, b); }
pub mutate deny(a: Person, b: Person) { refute visited(a, b); }
pub mutate erase_visits(p: Person) { forget visited(p, _); }
pub mutate erase_patient(p: Person) { forget Patient(p); }
pub mutate erase(p: Person) { forget Person(p); }
pub mutate erase_all() { forget visited(_, _); forget Person(_); }
pub mutate erase_and_fail(p: Person) { forget visited(p, _); require false; }
"""


@pytest.fixture(params=BACKENDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    make: Callable[[Path], Store] = request.param
    return make(tmp_path)


@pytest.fixture
def world(store: Store) -> World:
    made = World(SOURCE, store=store)
    made.do("enter", "Bob", options=WriteOptions(key="first"))
    made.do("visit", "#1.1", "ann", "a secret reason")
    made.do("visit", "#1.1", "ann", "another")
    return made


def told(world: World) -> list[str]:
    return [f"{line.place} {line.op} {line.fact}".strip() for line in world.service.log().lines]


def bytes_of(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in folder.glob("store.sqlite3*"))


def test_no_read_at_any_time_sees_what_was_forgotten(world: World) -> None:
    assert world.rows("visited", tx=2) == [["ann", "ann"], ["#1.1", "ann"]]
    world.do("erase_visits", "#1.1")
    for tx in (None, 1, 2, 3, 4):
        assert world.rows("visited", tx=tx) == [["ann", "ann"]]
        assert world.rows("known", tx=tx) == [["ann"]]
    assert world.service.log("visited(#1.1, _)").lines == []


def test_the_log_stays_gapless_with_ids_writers_and_content_ids(world: World) -> None:
    before = world.store.snapshot().log()
    world.do("erase_visits", "#1.1")
    after = world.store.snapshot().log()
    assert [each.tx for each in after] == [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4]
    for old, new in zip(before, after, strict=False):
        assert (old.event.id, old.event.content_id) == (new.event.id, new.event.content_id)
        assert old.event.change.principal == new.event.change.principal
    assert told(world)[4:9] == ["2.1 erased", "2.2 erased", "3.1 erased", "3.2 erased", "4.1 erased"]
    (line,) = [each for each in world.service.log().lines if each.op == "erase"]
    assert (line.fact, line.count, line.principal, line.tx) == ("visited", 3, "user:eve", 4)


def test_the_receipt_tells_what_was_forgotten_and_a_replayed_one_no_more(world: World) -> None:
    receipt = world.do("erase_visits", "#1.1", options=WriteOptions(key="second"))
    assert [(each.op, each.count) for each in receipt.events][-1] == ("erase", 3)
    assert "visited(Bob" in receipt.events[0].fact or "visited(#1.1" in receipt.events[0].fact
    again = world.do("erase_visits", "#1.1", options=WriteOptions(key="second"))
    assert (again.replayed, again.tx, again.events) == (True, 4, [])
    assert world.do("enter", "Bob", options=WriteOptions(key="first")).events != []


def test_with_an_individual_go_its_fields_and_receipts_once_nothing_needs_it(world: World) -> None:
    with pytest.raises(ArgonError) as error:
        world.do("erase", "#1.1")
    assert refusal(error) == "OE0244"
    world.do("erase_visits", "#1.1")
    world.do("erase", "#1.1")
    assert all("Bob" not in line and "secret" not in line for line in told(world))
    assert world.rows("Person", tx=1) == [["ann"]]
    replayed = world.do("enter", "Bob", options=WriteOptions(key="first"))
    assert (replayed.tx, replayed.events, replayed.minted, replayed.result) == (1, [], [], None)


def test_what_another_membership_declares_stays(world: World) -> None:
    world.do("promote", "#1.1")
    world.do("erase_patient", "#1.1")
    assert world.rows("Doctor") == [["#1.1"]]
    facts = " ".join(told(world))
    assert '#1.1.name == "Bob"' in facts
    assert ".file" not in facts


def test_facts_that_ended_or_were_denied_are_found_in_the_log(world: World) -> None:
    world.do("leave", "#1.1", "ann")
    world.do("deny", "#1.1", "ann", options=WriteOptions(standpoint="ward"))
    world.do("erase_visits", "#1.1")
    assert {op for line in told(world)[4:] for op in [line.split()[1]]} == {"erased", "erase"}
    assert not any(record.kind == "against" for record in world.store.snapshot().records())


def test_what_is_declared_stays_and_that_nothing_was_found_is_logged(world: World) -> None:
    assert [(each.op, each.count) for each in world.do("erase_visits", "ann").events] == [("erase", 0)]
    assert world.rows("visited") == [["ann", "ann"], ["#1.1", "ann"]]


def test_a_refused_or_tried_erasure_erases_nothing(world: World) -> None:
    before = world.state()
    with pytest.raises(ArgonError):
        world.do("erase_and_fail", "#1.1")
    world.do("erase_visits", "#1.1", options=WriteOptions(dry_run=True))
    assert world.state() == before


def test_forks_do_not_see_it_either_and_cannot_erase(world: World) -> None:
    made = world.service.create_fork("trial")
    fork = world.service.on_fork(made.fork.fork)
    fork.mutate("visit", ["ann", "#1.1", "back"], WriteOptions())
    fork.mutate("visit", ["#1.1", "#1.1", "a secret of the fork"], WriteOptions())
    with pytest.raises(ArgonError) as error:
        fork.mutate("erase_visits", ["#1.1"], WriteOptions())
    assert error.value.code == "ARGON_RUNTIME_VALIDATION_FAILED"
    assert fork.derive("visited", At()).row_count == 4
    world.do("erase_visits", "#1.1")
    world.do("visit", "ann", "ann", "on")
    rows = [[value["label"] for value in row.values] for row in fork.derive("visited", At()).rows]
    assert sorted(rows) == [["ann", "Patient #1.1"], ["ann", "ann"]]
    said = [row.row for row in (each.event.change for each in fork.store.snapshot().log()) if row.op != "erased"]
    assert "back" in str(said)
    assert "reason" not in str(said)
    assert "a secret of the fork" not in str(said)


def test_nothing_of_it_is_left_in_the_file_nor_beside_it(tmp_path: Path) -> None:
    world = World(SOURCE, store=sqlite(tmp_path))
    world.do("enter", "Bob", options=WriteOptions(key="first"))
    world.do("visit", "#1.1", "ann", "a secret reason")
    assert b"a secret reason" in bytes_of(tmp_path)
    world.do("erase_visits", "#1.1")
    world.do("erase", "#1.1")
    assert b"secret" not in bytes_of(tmp_path)
    assert b"Bob" not in bytes_of(tmp_path)


@pytest.mark.parametrize("step", ["rewrite", "commit"])
def test_an_interrupted_erasure_erases_nothing(step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(SOURCE, store=sqlite(tmp_path))
    world.do("enter", "Bob")
    world.do("visit", "#1.1", "ann", "why")
    before, real, calls = world.state(), getattr(sqlite_file, step), [0]

    def fails(*given: Any) -> None:
        calls[0] += 1
        if step == "commit" or calls[0] > 1:
            raise sqlite3.OperationalError("disk I/O error")
        real(*given)

    with monkeypatch.context() as patched:
        patched.setattr(sqlite_file, step, fails)
        with pytest.raises(ArgonError):
            world.do("erase_all")
    assert world.state() == before
    assert World(SOURCE, store=SqliteStore(tmp_path / "store.sqlite3")).state() == before


def test_another_process_forgets_what_it_had_read(tmp_path: Path) -> None:
    world = World(SOURCE, store=sqlite(tmp_path))
    world.do("enter", "Bob")
    world.do("visit", "#1.1", "ann", "why")
    other = World(SOURCE, store=SqliteStore(tmp_path / "store.sqlite3"))
    assert len(other.rows("visited")) == 2
    world.do("erase_visits", "#1.1")
    world.do("visit", "ann", "#1.1", "later")
    assert other.rows("visited") == [["ann", "ann"], ["ann", "#1.1"]]
    assert other.rows("visited", tx=2) == [["ann", "ann"]]
    assert told(other) == told(world)
    reopened = World(SOURCE, store=SqliteStore(tmp_path / "store.sqlite3"))
    assert told(reopened) == told(world)


def test_both_backends_keep_the_same_log(tmp_path: Path) -> None:
    logs = []
    for make in (memory, sqlite):
        world = World(SOURCE, store=make(tmp_path))
        world.do("enter", "Bob")
        world.do("visit", "#1.1", "ann", "why")
        world.do("erase_visits", "#1.1")
        world.do("visit", "#1.1", "ann", "again")
        logs.append(told(world))
        assert world.rows("visited", tx=4) == [["ann", "ann"], ["#1.1", "ann"]]
    assert logs[0] == logs[1]
