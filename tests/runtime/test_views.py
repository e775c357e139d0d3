"""Navigation views: the tuples of a relation, read as a field of the individual at the near end (language §3.2)."""

from __future__ import annotations

import pytest

from argon_lang.errors import ArgonError
from tests.runtime.worlds import World

FAMILY = """
type Person { name: String }
type Parent <: Person {
    children: [Person] from parent_of.child,
    home: Flat? from lives.flat,
}
type Flat { size: Int, tenants: [Parent] from lives.who }
rel parent_of(parent: Parent, child: Person);
rel adopted(parent: Parent, child: Person) <: parent_of;
rel lives(who: Parent, flat: Flat) [0..*] [0..1];
fact Parent(ann) { name: "Ann" };
fact Person(bob) { name: "Bob" };
fact Person(cleo) { name: "Cleo" };
fact Flat(f1) { size: 40 };
fact parent_of(ann, bob);
derive sibling(a: Person, b: Person) :- p: Parent, a in p.children, b in p.children, a != b;
derive roomy(p: Parent) :- p: Parent, p.home.size > 30;
derive lodger(f: Flat, p: Parent) :- f: Flat, p in f.tenants;
query families() -> [[Person]] { select p.children from p: Parent }
query homes() -> [Flat?] { select p.home from p: Parent }
fn size_of(p: Parent) -> Int = p.children.length;
query sizes() -> [Int] { select size_of(p) from p: Parent }
mutate born(name: String) { insert Parent { name }; }
mutate adopt(p: Parent, c: Person) { insert adopted(p, c); }
mutate give_away(p: Parent, c: Person) { delete parent_of(p, c); }
mutate move_in(p: Parent, f: Flat) { insert lives(p, f); }
mutate adopt_few(p: Parent, c: Person) { insert parent_of(p, c); require p.children.length <= 2; }
"""


@pytest.fixture
def world() -> World:
    return World(FAMILY)


def test_a_view_shows_the_tuples_of_its_relation_and_of_those_below_it(world: World) -> None:
    assert world.ask("families") == [[["bob"]]]
    world.do("adopt", "ann", "cleo")
    assert world.ask("families") == [[["bob", "cleo"]]]
    world.do("give_away", "ann", "bob")
    assert world.ask("families") == [[["cleo"]]]


def test_a_rule_reads_a_view_as_a_field(world: World) -> None:
    assert world.rows("sibling") == []
    world.do("adopt", "ann", "cleo")
    assert world.rows("sibling") == [["bob", "cleo"], ["cleo", "bob"]]


def test_an_absent_view_fails_its_atom_and_shows_as_none(world: World) -> None:
    assert world.rows("roomy") == []
    assert world.ask("homes") == [[None]]
    world.do("move_in", "ann", "f1")
    assert world.rows("roomy") == [["ann"]]
    assert world.ask("homes") == [["f1"]]


def test_a_relation_is_viewed_from_both_ends(world: World) -> None:
    world.do("move_in", "ann", "f1")
    assert world.rows("lodger") == [["f1", "ann"]]


def test_functions_and_statements_read_views(world: World) -> None:
    assert world.ask("sizes") == [["1"]] or world.ask("sizes") == [[1]]
    world.do("adopt_few", "ann", "cleo")
    with pytest.raises(ArgonError):
        world.do("adopt_few", "ann", "ann")


def test_a_view_is_nothing_that_an_insert_must_give(world: World) -> None:
    world.do("born", "Dan")
    assert len(world.rows("Parent")) == 2


def test_a_view_is_proved_by_the_tuple_that_it_shows(world: World) -> None:
    nodes = world.service.explain("ann.children == bob").nodes
    assert [node.fact for node in nodes if node.kind in ("derived", "declared")] == [
        "ann.children == bob",
        "parent_of(ann, bob)",
    ]
    clauses = [each.clause for node in nodes for each in node.derivations or ()]
    assert clauses == ["children from parent_of"]
    world.do("give_away", "ann", "bob")
    assert not world.service.explain("ann.children == bob").derived
