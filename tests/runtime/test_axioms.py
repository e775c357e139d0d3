"""Group axioms and conditions at a write: what an individual may be, after each transaction as a whole (S7.2)."""

from __future__ import annotations

from typing import Any

import pytest

from argon_lang.engine.governor import Governor
from argon_lang.errors import ArgonError
from argon_lang.runtime.testing import run_tests
from tests.runtime.worlds import Clock, World, refusal, served

GROUPED = """
type Pet { Cat, Dog }
type Puppy <: Dog;
type Owner;
type Tenant;
disjoint { Owner, Tenant };
fact Owner(ann);
fact Tenant(ben) until #2026-05-01#;
mutate found() -> Pet { let p = insert Pet {}; return p; }
mutate cat() -> Pet { let p = insert Cat {}; return p; }
mutate puppy() -> Pet { let p = insert Puppy {}; return p; }
mutate chosen() -> Pet { let p = insert Pet {}; insert iof(p, Cat); return p; }
mutate both() -> Pet { let p = insert Cat {}; insert iof(p, Puppy); return p; }
mutate turn(p: Pet) { delete iof(p, Cat); insert iof(p, Dog); }
mutate no_cat(p: Pet) { delete iof(p, Cat); }
mutate let_to(p: Entity) { insert iof(p, Tenant); }
mutate sell_to(p: Entity, at: Date) { insert iof(p, Owner) at at; }
"""


@pytest.fixture
def world() -> World:
    return World(GROUPED)


def refused(world: World, name: str, *given: Any) -> str:
    """The code of the refusal, after which everything is as it was."""
    before = world.state()
    with pytest.raises(ArgonError) as error:
        world.do(name, *given)
    assert world.state() == before
    return refusal(error)


def test_an_individual_in_two_members_of_a_partition_is_refused(world: World) -> None:
    assert refused(world, "both") == "OE0240"


def test_an_individual_in_no_member_of_a_partition_is_refused(world: World) -> None:
    assert refused(world, "found") == "OE0241"


def test_members_and_their_subtypes_cover_the_whole(world: World) -> None:
    world.do("cat")
    world.do("puppy")
    assert len(world.rows("Pet")) == 2


def test_a_transaction_is_judged_as_a_whole(world: World) -> None:
    made = world.do("chosen").minted[0].entity
    world.do("turn", made)
    assert world.rows("Cat") == []
    assert len(world.rows("Dog")) == 1


def test_leaving_the_last_member_means_leaving_the_whole(world: World) -> None:
    made = world.do("cat").minted[0].entity
    world.do("no_cat", made)
    assert world.rows("Pet") == []


def test_disjoint_concepts_refuse_a_second_membership_of_a_declared_individual(world: World) -> None:
    assert refused(world, "let_to", "ann") == "OE0240"


def test_disjointness_holds_at_each_instant_that_is_written(world: World) -> None:
    assert refused(world, "sell_to", "ben", "2026-04-01") == "OE0240"
    world.do("sell_to", "ben", "2026-05-01")


ABSTRACT = """
abstract metatype category = {};
abstract metarel link(a: type, b: type);
category Vehicle;
type Car <: Vehicle;
link near(a: Car, b: Car);
rel beside(a: Car, b: Car) <: near;
fact Car(c1);
mutate park(a: Car, b: Car) { insert beside(a, b); }
mutate buy() { insert Car {}; }
test "nothing is only a vehicle" {
    assert rejects(OE0233) { insert Vehicle {}; };
    assert rejects(OE0233) { insert iof(c1, Vehicle); };
    assert rejects(OE0233) { insert near(c1, c1); };
}
"""


def test_what_is_abstract_has_instances_through_its_subtypes_only() -> None:
    world = World(ABSTRACT)
    report = run_tests(served(ABSTRACT), None, Clock(), Governor)
    assert [outcome.outcome for outcome in report.tests] == ["passed"], report
    world.do("buy")
    world.do("park", "c1", "c1")
    assert len(world.rows("Vehicle")) == 2
    assert world.rows("near") == [["c1", "c1"]]


REFINED = """
type Person { mut age: Int, mut name: String? }
type Adult <: Person iff { self.age >= 18 } { mut licence: String? }
type Senior <: Adult iff { self.age >= 65, self.name != "x" };
type Pilot <: Adult;
type Account where { self.balance >= 0 - self.limit, self.note.is_none() || self.note.unwrap_or("") != "" } {
    mut balance: Money, mut limit: Money = 100, mut note: String?,
}
rel drives(who: Adult, plate: String);
fact Person(ann) { age: 30 };
fact Person(bob) { age: 10 };
fact Account(a1) { balance: 10 };
derive may_vote(p: Adult) :- Adult(p);
query seniors() -> [Senior] { select s from Senior(s) }
mutate born(age: Int) -> Person { let p = insert Person { age }; return p; }
mutate grow(p: Person, years: Int) { update p set { age += years }; }
mutate rename(p: Person, name: String) { update p set { name = name }; }
mutate fly(p: Person) { insert iof(p, Pilot); }
mutate license(a: Adult, licence: String) { update a set { licence = licence }; }
mutate drive(a: Adult, plate: String) { insert drives(a, plate); }
mutate leave(p: Person) { delete iof(p, Person); }
mutate join(p: Entity) { insert iof(p, Person) { age: 40 }; }
mutate park(a: Adult) { delete drives(a, _); }
mutate take(a: Account, amount: Money) { update a set { balance -= amount }; }
mutate take_and_give(a: Account, amount: Money) {
    update a set { balance -= amount };
    update a set { balance += amount };
}
mutate note(a: Account, text: String) { update a set { note = text }; }
mutate open(amount: Money) { insert Account { balance: amount }; }
mutate grow_at(p: Person, age: Int, at: Date) { update p set { age = age } at at; }
test "membership is derived" {
    assert rejects(OE0211) { insert iof(bob, Adult); };
    assert rejects(OE0668) { insert Account { balance: 0 - 200 }; };
    assert derivable Adult(ann);
    assert not derivable Adult(bob);
}
"""


@pytest.fixture
def refined() -> World:
    return World(REFINED)


def test_tests_see_derived_membership_and_its_refusals() -> None:
    report = run_tests(served(REFINED), None, Clock(), Governor)
    assert [outcome.outcome for outcome in report.tests] == ["passed"], report


def test_membership_of_an_iff_type_follows_the_fields(refined: World) -> None:
    assert refined.rows("Adult") == [["ann"]]
    refined.do("grow", "bob", 8)
    assert refined.rows("Adult") == [["ann"], ["bob"]]
    assert refined.rows("may_vote") == [["ann"], ["bob"]]


def test_an_absent_field_fails_the_condition_of_an_iff(refined: World) -> None:
    refined.do("grow", "ann", 40)
    assert refined.ask("seniors") == []
    refined.do("rename", "ann", "Ann")
    assert refined.ask("seniors") == [["ann"]]


def test_an_argument_must_belong_to_the_derived_type(refined: World) -> None:
    refined.do("license", "ann", "B")
    with pytest.raises(ArgonError):
        refined.do("license", "bob", "B")


def test_an_endpoint_must_belong_to_the_derived_type(refined: World) -> None:
    refined.do("drive", "ann", "x1")
    with pytest.raises(ArgonError):
        refined.do("drive", "bob", "x1")


def test_a_derived_membership_that_a_live_tuple_needs_is_kept(refined: World) -> None:
    refined.do("drive", "ann", "x1")
    assert refused(refined, "grow", "ann", -20) == "OE0244"
    refined.do("park", "ann")
    refined.do("grow", "ann", -20)
    assert refined.rows("Adult") == []


def test_a_where_condition_holds_after_each_transaction(refined: World) -> None:
    refined.do("take", "a1", "110")
    assert refused(refined, "take", "a1", "1") == "OE0668"
    refined.do("take_and_give", "a1", "500")
    assert refused(refined, "open", "-101") == "OE0668"
    refined.do("open", "-100")


def test_a_where_condition_says_itself_what_it_makes_of_an_absent_field(refined: World) -> None:
    refined.do("note", "a1", "mine")
    assert refused(refined, "note", "a1", "") == "OE0668"


def test_derived_membership_is_that_of_the_instant(refined: World) -> None:
    refined.do("grow_at", "bob", 20, "2026-06-01")
    assert refined.rows("Adult") == [["ann"]]
    assert refined.rows("Adult", valid="2026-06-02") == [["ann"], ["bob"]]


def test_who_is_asserted_under_an_iff_type_meets_its_condition(refined: World) -> None:
    refined.do("fly", "ann")
    assert refused(refined, "fly", "bob") == "OE0668"
    assert refused(refined, "grow", "ann", -20) == "OE0668"
    assert refined.rows("Person") == [["ann"], ["bob"]]


def test_derived_membership_is_proved_by_the_fields_that_it_rests_on(refined: World) -> None:
    facts = {node.fact for node in refined.service.explain("Adult(ann)").nodes}
    assert {"Adult(ann)", "Person(ann)", "ann.age == 30"} <= facts
    missing = [node.kind for node in refined.service.explain("Adult(bob)").nodes]
    assert "failed" in missing


def test_leaving_what_an_iff_type_rests_on_ends_the_fields_of_the_iff_type(refined: World) -> None:
    refined.do("license", "ann", "B")
    assert 'ann.licence == "B"' in {node.fact for node in refined.service.explain('ann.licence == "B"').nodes}
    refined.do("leave", "ann")
    refined.do("join", "ann")
    assert refined.rows("Adult") == [["ann"]]
    assert not refined.service.explain('ann.licence == "B"').derived
