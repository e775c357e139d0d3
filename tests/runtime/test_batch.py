"""Several mutations as one transaction: all or nothing, and the step that fails is named."""

from __future__ import annotations

from typing import Any

import pytest

from argon_lang.errors import ArgonError
from argon_lang.runtime.options import WriteOptions
from tests.runtime.worlds import World

SOURCE = """
use std::core::{Diagnostic, Severity};
pub type Room { mut beds: Int }
pub type Guest { name: String }
pub rel sleeps(who: Guest, in_room: Room);
fact Room(blue) { beds: 1 };
fact Room(red) { beds: 2 };
fact Guest(ann) { name: "Ann" };
fact Guest(bob) { name: "Bob" };
fact Guest(cid) { name: "Cid" };
pub derive shares(a: Guest, b: Guest) :- sleeps(a, r), sleeps(b, r), a != b;
check crowded(r: Room) :- sleeps(a, r), sleeps(b, r), a != b, r.beds < 2
    => Diagnostic { severity: Severity::Error, message: "too many" };
pub mutate put(g: Guest, r: Room) { insert sleeps(g, r); }
pub mutate leave(g: Guest, r: Room) { require sleeps(g, r); delete sleeps(g, r); }
pub mutate beds(r: Room, n: Int) { require n > 0; update r set { beds = n }; }
pub mutate welcome(name: String) -> Guest { let g = insert Guest { name: name }; return g; }
pub mutate put_ghost(g: Guest) { insert Guest { }; }
"""


@pytest.fixture(params=["new", "written"])
def world(request: pytest.FixtureRequest) -> World:
    made = World(SOURCE.replace("pub mutate put_ghost(g: Guest) { insert Guest { }; }\n", ""))
    if request.param == "written":
        made.do("put", "cid", "red")
    return made


def batch(world: World, *steps: tuple[str, Any], **options: Any) -> Any:
    return world.service.batch(list(steps), WriteOptions(**options))


def refused(world: World, *steps: tuple[str, Any]) -> ArgonError:
    before = world.state()
    with pytest.raises(ArgonError) as caught:
        batch(world, *steps)
    assert world.state() == before
    return caught.value


def test_all_steps_are_one_transaction_and_each_sees_the_ones_before(world: World) -> None:
    head = world.store.snapshot().head
    receipt = batch(world, ("put", ["ann", "blue"]), ("leave", ["ann", "blue"]), ("welcome", {"name": "Dan"}))
    assert receipt.tx == head + 1 == world.store.snapshot().head
    assert [each and each["label"] for each in receipt.result] == [None, None, f"Guest #{head + 1}.1"]


def test_what_a_step_breaks_and_a_later_one_mends_is_accepted(world: World) -> None:
    batch(world, ("put", ["ann", "blue"]), ("put", ["bob", "blue"]), ("beds", ["blue", 2]))
    assert sorted(world.rows("shares"))[:1] == [["ann", "bob"]]


def test_a_failed_require_and_a_wrong_argument_name_their_step(world: World) -> None:
    error = refused(world, ("put", ["ann", "blue"]), ("beds", ["blue", 0]), ("put", ["bob", "red"]))
    assert (error.details["code"], error.details["batchStep"]) == ("OE0731", 2)
    error = refused(world, ("put", ["ann", "blue"]), ("put", ["zoe", "blue"]))
    assert (error.code, error.details["batchStep"]) == ("ARGON_RUNTIME_NOT_FOUND", 2)
    error = refused(world, ("put", ["ann"]))
    assert (error.code, error.details["batchStep"]) == ("ARGON_RUNTIME_SIGNATURE_MISMATCH", 1)


@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_violation_of_the_whole_names_the_step_that_brings_it_about(world: World, place: int) -> None:
    steps: list[tuple[str, Any]] = [("beds", ["red", 3]), ("beds", ["red", 4])]
    steps.insert(place - 1, ("put", ["bob", "blue"]))
    error = refused(world, ("put", ["ann", "blue"]), *steps)
    assert (error.code, error.details["batchStep"]) == ("ARGON_RUNTIME_CHECK_VIOLATION", place + 1)
    assert error.details["violations"]


def test_a_mutation_that_is_not_declared_is_refused_before_anything_runs(world: World) -> None:
    assert refused(world, ("put", ["ann", "blue"]), ("evict", [])).code == "ARGON_RUNTIME_NOT_FOUND"


def test_a_dry_batch_writes_nothing_and_a_key_replays(world: World) -> None:
    before = world.state()
    dry = batch(world, ("put", ["ann", "red"]), ("put", ["bob", "red"]), dry_run=True, include_delta=True)
    assert world.state() == before
    assert any("shares(ann, bob)" in delta.added for delta in dry.derived_delta.values())
    first = batch(world, ("put", ["ann", "red"]), key="k")
    again = batch(world, ("put", ["ann", "red"]), key="k")
    assert again.replayed
    assert (again.tx, again.events) == (first.tx, first.events)
