"""Concepts as individuals of higher-level concepts: they have fields, stand in tuples, and are read by rules."""

from __future__ import annotations

import pytest

from argon_lang.engine.governor import Governor
from argon_lang.runtime.testing import run_tests
from tests.runtime.worlds import Clock, World, served

ZOO = """
type Species { legs: Int, mut extinct: Bool = false, foods: [String] }
type Animal { name: String }
type Dog <: Animal : Species { legs = 4, foods = ["meat", "bread"] }
type Dodo <: Animal : Species { legs = 2, extinct = true, foods = [] }
rel hunts(who: Species, whom: Species);
fact hunts(Dog, Dodo);
fact Dog(rex) { name: "Rex" };
derive gone(s: Species) :- s: Species, s.extinct;
derive prey_of_dogs(s: Species) :- hunts(Dog, s);
derive fed_on(s: Species, food: String) :- s: Species, food in s.foods;
query legs(s: Species) -> Int { select s.legs from s: Species }
query all_species() -> Species;
fn dog_legs() -> Int = Dog.legs;
query counted() -> [Int] { select dog_legs() from s: Species, s == Dog }
mutate die_out(s: Species) { update s set { extinct = true }; }
mutate die_out_dogs() { update Dog set { extinct = true }; }
mutate chase(who: Species) { insert hunts(who, Dog); }
test "a concept is an individual" {
    assert derivable gone(Dodo);
    assert not derivable gone(Dog);
    assert derivable Species(Dog);
    assert derivable Dog(rex);
    assert Dog.legs == 4;
    die_out(Dog);
    assert derivable gone(Dog);
}
"""


@pytest.fixture
def world() -> World:
    return World(ZOO)


def test_tests_name_concepts_as_individuals() -> None:
    report = run_tests(served(ZOO), None, Clock(), Governor)
    assert [each.outcome for each in report.tests] == ["passed"], report


def test_a_concept_belongs_to_what_it_instantiates_and_not_to_itself(world: World) -> None:
    assert world.ask("all_species") == [["Dodo"], ["Dog"]]
    assert world.rows("Animal") == [["rex"]]


def test_rules_read_the_values_of_a_concept(world: World) -> None:
    assert world.rows("gone") == [["Dodo"]]
    assert world.rows("fed_on") == [["Dog", "bread"], ["Dog", "meat"]]
    assert world.rows("prey_of_dogs") == [["Dodo"]]
    assert world.ask("counted") == [[4]]


def test_a_caller_names_a_concept_as_an_argument(world: World) -> None:
    world.do("die_out", "Dog")
    assert world.rows("gone") == [["Dodo"], ["Dog"]]


def test_statements_change_and_relate_concepts(world: World) -> None:
    world.do("die_out_dogs")
    world.do("chase", "Dodo")
    assert world.rows("gone") == [["Dodo"], ["Dog"]]
    assert world.rows("hunts") == [["Dodo", "Dog"], ["Dog", "Dodo"]]
