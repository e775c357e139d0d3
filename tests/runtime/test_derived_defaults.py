"""Defaults of the fields of an `iff` type: read where nobody gave the field, since nobody joins the type (§3.2)."""

from __future__ import annotations

import pytest

from tests.runtime.worlds import World

ADULTS = """
type P { mut age: Int }
type Adult <: P iff { self.age > 17 } { mut vote: Bool = true, mut level: Int = 3,
    mut tags: [String] = ["a", "b"], note: String? = "n" }
fact P(a) { age: 20 };
fact P(b) { age: 30 };
fact P(c) { age: 3 };
derive v(p: Adult) :- p: Adult, p.vote;
derive lv(p: Adult, n: Int) :- p: Adult, n = p.level;
derive lv4(p: Adult) :- p: Adult, p.level == 3;
derive tg(p: Adult, t: String) :- p: Adult, t in p.tags;
derive tl(p: Adult, n: Int) :- p: Adult, n = p.tags.len;
derive total(n: Int) :- n = sum(p.level, p: Adult);
query lvls() -> [Int] { select p.level from p: Adult order by p.level }
query note() -> [String?] { select p.note from p: Adult }
fn lvl(p: Adult) -> Int = p.level + 1;
mutate up(p: Adult) { update p set { level = 9, vote = false }; }
mutate upp(p: Adult) { update p set { level += 1 }; }
"""


def rows(world: World, head: str) -> list[list[str]]:
    return [list(map(str, row)) for row in world.rows(head)]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("v", [["a"], ["b"]]),
        ("lv", [["a", "3"], ["b", "3"]]),
        ("lv4", [["a"], ["b"]]),
        ("tg", [["a", "a"], ["a", "b"], ["b", "a"], ["b", "b"]]),
        ("tl", [["a", "2"], ["b", "2"]]),
        ("total", [["6"]]),
    ],
)
def test_a_rule_reads_the_default_of_a_field_that_nobody_gave(head: str, expected: list[list[str]]) -> None:
    assert rows(World(ADULTS), head) == expected


def test_queries_and_functions_read_the_default_too() -> None:
    world = World(ADULTS)
    assert [list(map(str, row)) for row in world.ask("lvls")] == [["3"], ["3"]]
    assert world.ask("note") == [["n"], ["n"]]
    assert world.service.compute("lvl", ("a",)).value == 4


def test_what_is_given_takes_the_place_of_the_default_and_counts_from_it() -> None:
    world = World(ADULTS)
    world.do("up", "a")
    world.do("upp", "b")
    assert rows(world, "lv") == [["a", "9"], ["b", "4"]]
    assert rows(world, "v") == [["b"]]
    assert rows(world, "total") == [["13"]]
