"""Optional fields whose absence a rule asks for (language §3.9): they are read whether or not they are there."""

from __future__ import annotations

import pytest

from tests.ir.lower.programs import rows
from tests.runtime.worlds import World

PEOPLE = """
struct Spot { x: Int? }
type Person { mut n: Int?, name: String, spot: Spot?, boss: Person? }
fact Person(ann) { n: 3, name: "a", spot: Spot { x: 1 } };
fact Person(bob) { name: "b", spot: Spot { }, boss: ann };
derive without(p: Person) :- p: Person, p.n.is_none;
derive with_one(p: Person) :- p: Person, p.n.is_some();
derive or_zero(p: Person, n: Int) :- p: Person, n = p.n.unwrap_or(0) + 1;
derive not_without(p: Person) :- p: Person, not p.n.is_none;
derive boss_without(p: Person) :- p: Person, p.boss.n.is_none;
derive inner(p: Person, n: Int) :- p: Person, n = p.spot.x.unwrap_or(9);
query numbers() -> [Int] { select p.n.unwrap_or(7) from p: Person }
query missing() -> [Person] { select p from p: Person where p.n.is_none }
mutate learn(p: Person, n: Int) { update p set { n = n }; }
"""


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("without/1", {("bob",)}),
        ("with_one/1", {("ann",)}),
        ("or_zero/2", {("ann", 4), ("bob", 1)}),
        ("not_without/1", {("ann",)}),
        ("boss_without/1", set()),
        ("inner/2", {("ann", 1), ("bob", 9)}),
    ],
)
def test_asking_whether_a_field_is_there_does_not_fail_the_atom(key: str, wanted: set[tuple[object, ...]]) -> None:
    assert rows(PEOPLE, key) == wanted


def test_a_write_changes_what_is_absent() -> None:
    world = World(PEOPLE)
    assert world.ask("missing") == [["bob"]]
    world.do("learn", "pkg::bob", 5)
    assert world.ask("missing") == []
    assert world.ask("numbers") == [[3], [5]]
    assert ["bob", 6] in world.rows("or_zero")


def test_the_proof_of_what_rests_on_an_absence_shows_it() -> None:
    nodes = World(PEOPLE).service.explain("or_zero(bob, 1)").nodes
    assert "aggregate" in [node.kind for node in nodes]
    failed = World(PEOPLE).service.explain("without(ann)").nodes
    assert any("is_none" in (node.fact or "") for node in failed if node.kind == "failed")
