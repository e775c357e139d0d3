"""Forks in domain terms: what they changed, what stands against them, and their way back through all gates."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.errors import ArgonError
from argon_lang.runtime.options import WriteOptions
from argon_lang.runtime.service import At, RuntimeService
from argon_lang.runtime.wires import ForkDiff
from argon_lang.store.memory import MemoryStore
from argon_lang.store.sqlite import SqliteStore
from tests.runtime.worlds import World, refusal, served, short

SOURCE = """
use std::core::{Diagnostic, Severity};
pub type Person { mut name: String, mut age: Int }
pub type Room { mut beds: Int }
pub rel sleeps(who: Person, in_room: Room) { mut since: Int }
fact Person(ann) { name: "Ann", age: 30 };
fact Person(bob) { name: "Bob", age: 40 };
fact Room(blue) { beds: 1 };
fact Room(red) { beds: 2 };
pub derive shares(a: Person, b: Person) :- sleeps(a, r), sleeps(b, r), a != b;
check crowded(r: Room) :- sleeps(a, r), sleeps(b, r), a != b, r.beds < 2
    => Diagnostic { severity: Severity::Error, message: "too many" };
check lonely(p: Person) :- p: Person, not sleeps(p, _)
    => Diagnostic { severity: Severity::Warning, message: "no bed" };
pub mutate put(p: Person, r: Room) { insert sleeps(p, r) { since: 1 }; }
pub mutate leave(p: Person, r: Room) { delete sleeps(p, r); }
pub mutate older(p: Person, by: Int) { require by > 0; update p set { age = p.age + by }; }
pub mutate beds(r: Room, n: Int) { update r set { beds = n }; }
pub mutate arrive(name: String) -> Person { let p = insert Person { name: name, age: 1 }; return p; }
pub mutate go(p: Person) { delete Person(p); }
pub query ages() -> [Int] { select p.age from p: Person order by p.age }
"""


@pytest.fixture(params=["memory", "sqlite"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "store.sqlite3")
    made = World(SOURCE, store=store)
    made.do("put", "ann", "blue")
    return made


def fork(world: World, name: str = "trial") -> str:
    return world.service.create_fork(name).fork.fork


def on(world: World, handle: str) -> RuntimeService:
    return world.service.on_fork(handle)


def promoted(world: World, handle: str, diff: ForkDiff) -> Any:
    return world.service.promote_fork(handle, diff.diff_hash)


def refused(call: Any) -> ArgonError:
    with pytest.raises(ArgonError) as caught:
        call()
    return caught.value


def test_a_write_in_a_fork_is_seen_there_alone(world: World) -> None:
    handle = fork(world)
    before = world.state()
    receipt = on(world, handle).mutate("older", ["ann", 5])
    assert [row.values[0] for row in on(world, handle).query("ages").rows] == [35, 40]
    assert [row.values[0] for row in world.service.query("ages").rows] == [30, 40]
    assert world.state() == before
    assert (receipt.tx, receipt.store_id) == (2, str(on(world, handle).store.id))
    assert receipt.store_id != str(world.store.id)


def test_reads_of_a_fork_and_of_its_parent_at_one_generation_are_not_confused(world: World) -> None:
    handle = fork(world)
    world.do("older", "ann", 1)
    on(world, handle).mutate("older", ["ann", 2])
    assert world.store.generation() == on(world, handle).store.generation()
    assert [row.values[0] for row in world.service.query("ages").rows] == [31, 40]
    assert [row.values[0] for row in on(world, handle).query("ages").rows] == [32, 40]


def test_a_fork_reads_in_both_times(world: World) -> None:
    handle = fork(world)
    world.clock.advance(days=1)
    on(world, handle).mutate("older", ["ann", 5])
    early = At("2026-03-10T18:00:00Z")
    ages = [[row.values[0] for row in on(world, handle).query("ages", (), at).rows] for at in (early, At(tx=1), At())]
    assert ages == [[30, 40], [30, 40], [35, 40]]


def test_a_diff_speaks_of_individuals_fields_tuples_checks_and_derived_heads(world: World) -> None:
    handle = fork(world)
    branch = on(world, handle)
    cid = branch.mutate("arrive", ["Cid"]).minted[0].entity
    branch.mutate("older", ["bob", 2])
    branch.mutate("beds", ["blue", 3])
    branch.mutate("put", ["bob", "blue"])
    branch.mutate("leave", ["ann", "blue"])
    branch.mutate("put", ["ann", "blue"])
    diff = world.service.fork_diff(handle)
    assert [(made.entity, made.concept) for made in diff.created] == [(cid, "pkg::Person")]
    changed = {(each.subject, each.field): (each.before, each.after) for each in diff.fields}
    assert changed["bob", "age"] == (["bob.age == 40"], ["bob.age == 42"])
    assert changed["blue", "beds"] == (["blue.beds == 1"], ["blue.beds == 3"])
    assert (diff.added, diff.removed) == (["sleeps(bob, blue)"], [])
    assert {head: (delta.added, delta.removed) for head, delta in diff.derived.items()} == {
        "pkg::shares/2": (["shares(ann, bob)", "shares(bob, ann)"], [])
    }
    assert [found.fact for found in diff.fixed] == ["lonely(bob)"]
    assert [found.fact for found in diff.violated] == [f"lonely({cid})"]
    assert diff.fork.state == "fork trial at tx 7, 6 uncommitted"
    assert (diff.parent_tx, diff.conflicts) == (1, [])


def test_equal_diffs_have_equal_hashes_and_any_change_of_either_side_another(world: World) -> None:
    handle = fork(world)
    on(world, handle).mutate("older", ["ann", 5])
    first = world.service.fork_diff(handle).diff_hash
    world.clock.advance(minutes=5)
    assert world.service.fork_diff(handle).diff_hash == first
    world.do("older", "bob", 1)
    second = world.service.fork_diff(handle).diff_hash
    on(world, handle).mutate("older", ["ann", 1])
    assert len({first, second, world.service.fork_diff(handle).diff_hash}) == 3


def test_what_was_promoted_is_on_the_parent_as_it_was_recorded(world: World) -> None:
    handle = fork(world)
    made = on(world, handle).mutate("arrive", ["Cid"], WriteOptions(principal="agent:x"))
    on(world, handle).mutate("put", [made.minted[0].entity, "red"])
    events = [(line.event.id, line.event.content_id) for line in on(world, handle).store.snapshot().log(since_tx=1)]
    world.clock.advance(hours=1)
    receipt = promoted(world, handle, world.service.fork_diff(handle))
    log = world.store.snapshot().log(since_tx=1)
    assert [(line.event.id, line.event.content_id) for line in log] == events
    assert {(line.tx, line.event.change.fork) for line in log} == {(2, "trial")}
    assert next(line.event.change.principal for line in log) == "agent:x"
    assert (receipt.tx, receipt.promoted_from, [each.entity for each in receipt.minted]) == (
        2,
        "trial",
        [made.minted[0].entity],
    )
    assert world.service.forks().forks == []
    assert refused(lambda: on(world, handle)).code == "ARGON_RUNTIME_FORK_NOT_FOUND"


def test_a_promotion_needs_the_hash_of_the_diff_as_it_is_now(world: World) -> None:
    handle = fork(world)
    on(world, handle).mutate("older", ["ann", 5])
    diff = world.service.fork_diff(handle)
    before = world.state()
    for wrong in ("", "0" * 64, diff.diff_hash.upper()):
        error = refused(lambda wrong=wrong: world.service.promote_fork(handle, wrong))
        assert (error.code, error.details["argument"]) == ("ARGON_RUNTIME_VALIDATION_FAILED", "expectDiffHash")
    assert world.state() == before
    world.do("older", "bob", 1)
    assert refused(lambda: promoted(world, handle, diff)).code == "ARGON_RUNTIME_VALIDATION_FAILED"
    promoted(world, handle, world.service.fork_diff(handle))
    assert [row.values[0] for row in world.service.query("ages").rows] == [35, 41]


def test_what_both_changed_is_a_conflict_that_names_it_and_everything_stays(world: World) -> None:
    handle = fork(world)
    on(world, handle).mutate("older", ["ann", 5])
    world.do("older", "ann", 7)
    diff = world.service.fork_diff(handle)
    assert diff.conflicts == ["ann.age == _"]
    before = world.state()
    error = refused(lambda: promoted(world, handle, diff))
    assert (error.code, error.details["conflicts"]) == ("ARGON_RUNTIME_FORK_CONFLICT", ["ann.age == _"])
    assert world.state() == before
    assert on(world, handle).store.snapshot().head == 2


def test_a_promotion_runs_the_gates_and_the_guard_against_the_parent_as_it_is(world: World) -> None:
    handle = fork(world)
    on(world, handle).mutate("leave", ["ann", "blue"])
    on(world, handle).mutate("put", ["bob", "blue"])
    cid = world.do("arrive", "Cid").minted[0].entity
    other = fork(world, "other")
    on(world, other).mutate("leave", ["ann", "blue"])
    on(world, other).mutate("put", [cid, "blue"])
    promoted(world, other, world.service.fork_diff(other))
    error = refused(lambda: promoted(world, handle, world.service.fork_diff(handle)))
    assert error.code in ("ARGON_RUNTIME_FORK_CONFLICT", "ARGON_RUNTIME_CHECK_VIOLATION")
    third = fork(world, "third")
    on(world, third).mutate("beds", ["blue", 2])
    on(world, third).mutate("put", ["bob", "blue"])
    world.do("go", "bob")
    gone = refused(lambda: promoted(world, third, world.service.fork_diff(third)))
    assert refusal(type("E", (), {"value": gone})) in ("OE0229", "ARGON_RUNTIME_FORK_CONFLICT")


def test_a_violation_that_only_the_two_together_make_refuses_the_promotion(world: World) -> None:
    handle = fork(world)
    on(world, handle).mutate("leave", ["ann", "blue"])
    on(world, handle).mutate("put", ["ann", "red"])
    world.do("beds", "red", 1)
    world.do("put", "bob", "red")
    error = refused(lambda: promoted(world, handle, world.service.fork_diff(handle)))
    assert error.code == "ARGON_RUNTIME_CHECK_VIOLATION"
    assert [each["fact"] for each in error.details["violations"]] == ["crowded(red)"]  # type: ignore[attr-defined]


def test_individuals_of_two_branches_never_share_a_name(world: World) -> None:
    handle = fork(world)
    theirs = on(world, handle).mutate("arrive", ["Cid"]).minted[0].entity
    mine = world.do("arrive", "Dan").minted[0].entity
    assert theirs != mine
    promoted(world, handle, world.service.fork_diff(handle))
    assert {short(row.values[0]) for row in world.service.derive("Person").rows} >= {theirs, mine}
    assert world.service.explain(f"Person({theirs})").derived


def test_a_fork_of_a_fork_goes_back_to_the_fork(world: World) -> None:
    outer = fork(world, "outer")
    on(world, outer).mutate("older", ["ann", 1])
    inner = on(world, outer).create_fork("inner").fork.fork
    on(world, inner).mutate("older", ["ann", 10])
    assert refused(lambda: world.service.abort_fork(outer)).code == "ARGON_RUNTIME_VALIDATION_FAILED"
    promoted(world, inner, world.service.fork_diff(inner))
    assert [row.values[0] for row in on(world, outer).query("ages").rows] == [40, 41]
    assert [row.values[0] for row in world.service.query("ages").rows] == [30, 40]
    promoted(world, outer, world.service.fork_diff(outer))
    assert [row.values[0] for row in world.service.query("ages").rows] == [40, 41]


def test_an_aborted_fork_leaves_nothing(world: World) -> None:
    before = world.state()
    handle = fork(world)
    on(world, handle).mutate("older", ["ann", 5])
    ended = world.service.abort_fork(handle)
    assert (ended.ended, world.state()) == (True, before)
    assert refused(lambda: world.service.fork_diff(handle)).code == "ARGON_RUNTIME_FORK_NOT_FOUND"


@pytest.mark.parametrize("name", ["", "  ", "main", "x" * 81, "a\nb"])
def test_a_name_that_would_mislead_is_refused(world: World, name: str) -> None:
    assert refused(lambda: fork(world, name)).code == "ARGON_RUNTIME_VALIDATION_FAILED"


steps = st.lists(
    st.tuples(
        st.sampled_from(["older", "put", "leave", "beds"]),
        st.sampled_from(["ann", "bob"]),
        st.sampled_from(["blue", "red"]),
    ),
    max_size=5,
)


def play(service: RuntimeService, moves: list[tuple[str, str, str]]) -> None:
    """The accepted ones of these writes."""
    for move, who, where in moves:
        given = {"older": [who, 1], "beds": [where, 2]}.get(move, [who, where])
        with suppress(ArgonError):
            service.mutate(move, given)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(before=steps, inside=steps)
def test_a_fork_that_is_promoted_leaves_what_the_same_writes_on_the_parent_would(
    before: list[tuple[str, str, str]], inside: list[tuple[str, str, str]]
) -> None:
    forked, plain = (World(SOURCE, module=served(SOURCE)) for _ in range(2))
    play(forked.service, before)
    handle = fork(forked)
    play(on(forked, handle), inside)
    promoted(forked, handle, forked.service.fork_diff(handle))
    play(plain.service, before)
    play(plain.service, inside)
    for head in ("Person", "sleeps", "shares", "lonely", "crowded"):
        assert forked.rows(head) == plain.rows(head)
    assert forked.ask("ages") == plain.ask("ages")
    logs = [[each.event.change.op for each in world.store.snapshot().log()] for world in (forked, plain)]
    assert logs[0] == logs[1]
