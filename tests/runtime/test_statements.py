"""What each statement of a mutation does to the facts, now and in valid time (language §3.11, semantics S1, S7)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from argon_lang.errors import ArgonError
from argon_lang.runtime.service import At
from argon_lang.runtime.shown import labels_of
from tests.runtime.worlds import World, facts, refusal, short

PEOPLE = """
type Person { name: String, mut nick: String?, mut age: Int = 30, mut tags: [String; 0..2] }
type Worker <: Person { mut wage: Money?, badge: Int }
type Firm;
rel knows(a: Person, b: Person) { mut since: Int, place: String? }
rel loves(a: Person, b: Person) <: knows { mut how: String? }
rel employs(firm: Firm, who: Worker) [0..1] [0..2];
fact Person(ada) { name: "Ada" };
fact Person(bob) { name: "Bob", age: 40 };
fact Worker(cleo) { name: "Cleo", badge: 7 };
fact Person(dan) {};
fact Firm(acme);
fact Firm(bolt);
fact knows(ada, bob) { since: 3, place: "Rome" };
fact employs(acme, cleo);
derive acquainted(a: Person, b: Person) :- knows(a, b);
derive acquainted(a: Person, b: Person) :- knows(b, a);
mutate born(name: String) -> Person { let p = insert Person { name: name }; return p; }
mutate promote(p: Person, badge: Int) { insert iof(p, Worker) { badge: badge }; }
mutate rename(p: Person, name: String) { insert iof(p, Person) { name: name }; }
mutate nickname(p: Person, nick: String?) { insert iof(p, Person) { nick: nick }; }
mutate demote(p: Person) { delete iof(p, Worker); }
mutate remove(p: Person) { delete Person(p); }
mutate remove_all() { delete Person(_); }
mutate meet(a: Person, b: Person, since: Int) -> knows { let k = insert knows(a, b) { since: since }; return k; }
mutate meet_at(a: Person, b: Person, since: Int, at: Date, until: Date) {
    insert knows(a, b) { since: since } at at until until;
}
mutate met(a: Person, b: Person, since: Int, at: Date) { insert knows(a, b) { since: since } at at; }
mutate love(a: Person, b: Person) -> knows { let k = insert loves(a, b) { since: 1, how: "much" }; return k; }
mutate part(a: Person, b: Person) { delete knows(a, b); }
mutate part_at(a: Person, b: Person, at: Date) { delete knows(a, b) at at; }
mutate unlove(a: Person, b: Person) { delete loves(a, b); }
mutate forget(a: Person) { delete knows(a, _); }
mutate age(p: Person, n: Int) { update p set { age += n }; }
mutate set_age(p: Person, n: Int, at: Date) { update p set { age = n } at at; }
mutate all_age(n: Int) { update p: Person set { age += n } where p.age < 40; }
mutate swap(p: Person) { update p set { nick = p.name, age = p.age + 1 }; }
mutate since(a: Person, b: Person, n: Int) { update k: knows set { since = n } where k.a == a && k.b == b; }
mutate tag(p: Person, t: String) { insert t into p.tags; }
mutate retag(p: Person, ts: [String; 0..2]) { update p set { tags = ts }; }
mutate more(p: Person, ts: [String]) { update p set { tags += ts }; }
mutate less(p: Person, t: String) { update p set { tags -= t }; }
mutate hire(f: Firm, p: Worker) { insert employs(f, p); }
mutate fire(f: Firm) { delete employs(f, _); }
mutate twice(p: Person) { update p set { age += 1 }; update p set { age += p.age }; }
mutate ghost(name: String) { let p = insert Person { name: name }; delete Person(p); update p set { age = 1 }; }
mutate stillborn(name: String) { let p = insert Person { name: name }; delete Person(p); }
mutate chain(name: String) -> Person { let p = born(name); age(p, 1); return p; }
"""


@pytest.fixture
def world() -> World:
    return World(PEOPLE)


def ages(world: World, **at: Any) -> dict[str, object]:
    return {str(row[0]): row[1] for row in fields(world, "age", **at)}


def fields(world: World, name: str, owner: str = "Person", **at: Any) -> list[list[object]]:
    """The rows of a field at a read point."""
    _, reading = world.service.read(At(**at))
    labels = labels_of(reading)
    shape = world.service.served.schema.predicates[f"pkg::{owner}.{name}"]
    types = [ty for _, ty in shape.columns]
    return [[short(v) for v in labels.row(row, types)] for row in reading.model.rows(shape.key)]


# -- insert -----------------------------------------------------------------------------------------------------------


def test_an_insert_mints_an_individual_named_by_its_transaction_and_stores_given_fields_and_defaults(
    world: World,
) -> None:
    receipt = world.do("born", "Dora")
    assert [(made.entity, made.concept, made.label) for made in receipt.minted] == [
        ("#1.1", "pkg::Person", "Person #1.1")
    ]
    assert facts(receipt.events) == ["+Person(#1.1)", '+#1.1.name == "Dora"', "+#1.1.age == 30"]
    assert receipt.result == {"entity": "#1.1", "label": "Person #1.1"}


def test_an_id_is_never_used_again(world: World) -> None:
    world.do("stillborn", "Dora")
    assert world.do("born", "Eve").minted[0].entity == "#2.1"
    assert world.rows("Person") == [["ada"], ["bob"], ["cleo"], ["dan"], ["#2.1"]]


def test_a_membership_needs_the_required_fields_that_are_missing(world: World) -> None:
    with pytest.raises(ArgonError) as error:
        world.do("promote", "dan", 9)
    assert refusal(error) == "OE0669"
    assert world.service.store.snapshot().head == 0
    assert facts(world.do("promote", "ada", 9).events) == ["+Worker(ada)", "+ada.badge == 9"]


def test_what_is_given_again_for_a_field_must_be_mut_or_equal(world: World) -> None:
    assert facts(world.do("rename", "ada", "Ada").events) == []
    with pytest.raises(ArgonError) as error:
        world.do("rename", "ada", "Eva")
    assert refusal(error) == "OE0231"
    world.do("nickname", "ada", "A")
    assert facts(world.do("nickname", "ada", "AA").events) == ['-ada.nick == "A"', '+ada.nick == "AA"']
    assert facts(world.do("nickname", "ada", None).events) == ['-ada.nick == "AA"']


def test_inserting_a_live_tuple_again_updates_its_mut_fields_only(world: World) -> None:
    assert facts(world.do("meet", "ada", "bob", 4).events) == [
        "-knows(ada, bob).since == 3",
        "+knows(ada, bob).since == 4",
    ]
    assert facts(world.do("meet", "ada", "bob", 4).events) == []
    assert world.rows("knows") == [["ada", "bob"]]


def test_inserting_for_ever_what_ends_later_prolongs_it(world: World) -> None:
    world.do("meet_at", "bob", "cleo", 1, "2026-01-01", "2026-06-01")
    assert ["bob", "cleo"] not in world.rows("knows", valid="2026-07-01")
    world.do("meet", "bob", "cleo", 1)
    assert ["bob", "cleo"] in world.rows("knows", valid="2026-07-01")
    assert fields(world, "since", "knows", valid="2026-07-01")[-1] == [("knows", "bob", "cleo"), 1]


def test_an_insert_in_the_past_rewrites_no_later_history(world: World) -> None:
    world.do("meet", "bob", "cleo", 5)
    world.do("met", "bob", "cleo", 1, "2026-01-01")
    assert fields(world, "since", "knows", valid="2026-02-01")[-1] == [("knows", "bob", "cleo"), 1]
    assert fields(world, "since", "knows")[-1] == [("knows", "bob", "cleo"), 5]
    assert ["bob", "cleo"] not in world.rows("knows", valid="2025-12-31")


def test_an_until_before_its_at_is_refused(world: World) -> None:
    with pytest.raises(ArgonError) as error:
        world.do("meet_at", "bob", "cleo", 1, "2026-06-01", "2026-01-01")
    assert error.value.code == "ARGON_RUNTIME_VALIDATION_FAILED"
    assert world.service.store.snapshot().generation == 0


def test_an_element_is_added_to_a_many_field_once(world: World) -> None:
    assert facts(world.do("tag", "ada", "x").events) == ['+ada.tags == "x"']
    assert facts(world.do("tag", "ada", "x").events) == []


# -- sub-relations ----------------------------------------------------------------------------------------------------


def test_a_tuple_of_a_sub_relation_is_the_parent_tuple(world: World) -> None:
    receipt = world.do("love", "bob", "cleo")
    assert receipt.result["tuple"] == "pkg::knows"
    assert ["bob", "cleo"] in world.rows("knows")
    assert world.rows("loves") == [["bob", "cleo"]]
    assert fields(world, "since", "knows")[-1] == [("knows", "bob", "cleo"), 1]


def test_a_sub_relation_takes_over_the_live_parent_tuple(world: World) -> None:
    assert facts(world.do("love", "ada", "bob").events) == [
        "+loves(ada, bob)",
        '+loves(ada, bob).how == "much"',
        "-knows(ada, bob).since == 3",
        "+knows(ada, bob).since == 1",
    ]


def test_deleting_the_parent_closes_both_and_all_their_fields(world: World) -> None:
    world.do("love", "ada", "bob")
    assert set(facts(world.do("part", "ada", "bob").events)) == {
        "-knows(ada, bob)",
        "-loves(ada, bob)",
        "-knows(ada, bob).since == 1",
        '-knows(ada, bob).place == "Rome"',
        '-loves(ada, bob).how == "much"',
    }


def test_deleting_the_sub_relation_leaves_the_parent_that_was_asserted_itself(world: World) -> None:
    world.do("love", "ada", "bob")
    assert facts(world.do("unlove", "ada", "bob").events) == ["-loves(ada, bob)", '-loves(ada, bob).how == "much"']
    assert world.rows("knows") == [["ada", "bob"]]
    world.do("love", "bob", "cleo")
    assert "-knows(bob, cleo).since == 1" in facts(world.do("unlove", "bob", "cleo").events)


# -- update -----------------------------------------------------------------------------------------------------------


def test_an_update_closes_the_old_value_and_opens_the_new_one(world: World) -> None:
    assert facts(world.do("age", "ada", 2).events) == ["-ada.age == 30", "+ada.age == 32"]


def test_an_update_to_the_same_value_writes_nothing(world: World) -> None:
    assert facts(world.do("age", "ada", 0).events) == []


def test_an_update_without_a_target_touches_every_instance_that_its_where_lets_through(world: World) -> None:
    assert world.do("all_age", 5) is not None
    assert ages(world) == {"ada": 35, "bob": 40, "cleo": 35, "dan": 35}


def test_all_new_values_of_an_update_come_from_the_state_before_it(world: World) -> None:
    world.do("swap", "ada")
    assert fields(world, "nick") == [["ada", "Ada"]]
    assert ages(world)["ada"] == 31


def test_each_statement_sees_the_ones_before(world: World) -> None:
    world.do("twice", "ada")
    assert ages(world)["ada"] == 62


def test_a_tuple_is_updated_by_its_endpoints(world: World) -> None:
    world.do("since", "ada", "bob", 9)
    assert fields(world, "since", "knows") == [[("knows", "ada", "bob"), 9]]


def test_a_retroactive_update_holds_from_its_instant_on_and_earlier_transactions_keep_the_old_value(
    world: World,
) -> None:
    world.do("age", "ada", 1)
    world.clock.advance(days=1)
    world.do("set_age", "ada", 50, "2026-01-01")
    assert ages(world)["ada"] == 50
    assert ages(world, valid="2026-01-01")["ada"] == 50
    assert ages(world, valid="2025-12-31")["ada"] == 30
    assert ages(world, tx=1)["ada"] == 31
    assert [row for row in fields(world, "age") if row[0] == "ada"] == [["ada", 50]]


def test_a_future_update_takes_effect_when_its_day_comes(world: World) -> None:
    world.do("set_age", "ada", 31, "2026-04-01")
    assert ages(world)["ada"] == 30
    world.clock.advance(days=30)
    assert ages(world)["ada"] == 31


def test_an_update_now_ends_what_was_to_begin_later(world: World) -> None:
    world.do("set_age", "ada", 31, "2026-04-01")
    world.do("age", "ada", 5)
    assert ages(world, valid="2026-05-01")["ada"] == 35


def test_a_many_field_gains_and_loses_elements(world: World) -> None:
    assert facts(world.do("more", "ada", ["y", "x"]).events) == ['+ada.tags == "y"', '+ada.tags == "x"']
    assert facts(world.do("less", "ada", "y").events) == ['-ada.tags == "y"']
    assert facts(world.do("less", "ada", "z").events) == []


def test_a_many_field_is_replaced_as_a_whole(world: World) -> None:
    world.do("retag", "ada", ["x", "y"])
    assert facts(world.do("retag", "ada", ["y", "z"]).events) == ['-ada.tags == "x"', '+ada.tags == "z"']
    assert facts(world.do("retag", "ada", []).events) == ['-ada.tags == "y"', '-ada.tags == "z"']


# -- delete -----------------------------------------------------------------------------------------------------------


def test_a_declared_fact_is_hidden_by_a_delete_until_it_is_asserted_again(world: World) -> None:
    world.do("part", "ada", "bob")
    assert world.rows("knows") == []
    assert world.rows("knows", tx=0) == [["ada", "bob"]]
    world.clock.advance(hours=1)
    world.do("meet", "ada", "bob", 8)
    assert world.rows("knows") == [["ada", "bob"]]
    assert world.rows("knows", tx=1) == []
    assert fields(world, "place", "knows") == []


def test_a_delete_at_an_instant_ends_validity_there(world: World) -> None:
    world.do("part_at", "ada", "bob", "2026-02-01")
    assert world.rows("knows", valid="2026-01-31") == [["ada", "bob"]]
    assert world.rows("knows", valid="2026-02-01") == []
    assert fields(world, "since", "knows", valid="2026-02-01") == []


def test_a_delete_at_an_instant_ends_the_later_values_of_the_fields_too(world: World) -> None:
    world.do("meet", "ada", "bob", 8)
    world.do("part_at", "ada", "bob", "2026-02-01")
    assert fields(world, "since", "knows") == []


def test_a_wildcard_deletes_all_that_match(world: World) -> None:
    world.do("meet", "ada", "cleo", 1)
    world.do("meet", "bob", "cleo", 1)
    world.do("forget", "ada")
    assert world.rows("knows") == [["bob", "cleo"]]


def test_deleting_nothing_writes_nothing_yet_is_a_transaction(world: World) -> None:
    receipt = world.do("part", "bob", "ada")
    assert facts(receipt.events) == []
    assert (receipt.tx, receipt.generation) == (1, 1)


def test_leaving_a_subtype_drops_the_fields_that_nothing_else_declares(world: World) -> None:
    world.do("promote", "ada", 9)
    assert facts(world.do("demote", "ada").events) == ["-Worker(ada)", "-ada.badge == 9"]
    assert ["ada"] in world.rows("Person")


def test_who_was_asserted_under_the_subtype_alone_leaves_altogether(world: World) -> None:
    world.do("fire", "acme")
    assert set(facts(world.do("demote", "cleo").events)) == {
        "-Worker(cleo)",
        "-cleo.badge == 7",
        '-cleo.name == "Cleo"',
        "-cleo.age == 30",
    }


def test_an_individual_without_memberships_is_dead(world: World) -> None:
    world.do("part", "ada", "bob")
    world.do("remove", "ada")
    assert ["ada"] not in world.rows("Person")
    with pytest.raises(ArgonError) as error:
        world.do("age", "ada", 1)
    assert error.value.code == "ARGON_RUNTIME_VALIDATION_FAILED"


def test_a_dead_individual_has_no_fields_to_update(world: World) -> None:
    with pytest.raises(ArgonError) as error:
        world.do("ghost", "Dora")
    assert refusal(error) == "OE0229"


def test_every_individual_of_a_concept_can_be_deleted_at_once(world: World) -> None:
    world.do("part", "ada", "bob")
    world.do("fire", "acme")
    world.do("remove_all")
    assert world.rows("Person") == []


# -- calls ------------------------------------------------------------------------------------------------------------


def test_a_mutation_calls_another_in_the_same_transaction(world: World) -> None:
    receipt = world.do("chain", "Dora")
    assert receipt.tx == 1
    assert ages(world)["#1.1"] == 31
    assert world.service.store.snapshot().head == 1


def test_a_date_is_midnight_utc(world: World) -> None:
    world.do("part_at", "ada", "bob", date(2026, 2, 1).isoformat())
    assert world.rows("knows", valid="2026-01-31T23:59:59Z") == [["ada", "bob"]]
    assert world.rows("knows", valid="2026-02-01T00:00:00Z") == []


def test_a_mutation_may_return_what_another_one_yields() -> None:
    again = "mutate born_again(name: String) -> Person { return born(name); }\n"
    world = World(PEOPLE + again + "fn called(p: Person) -> String = p.name;\n")
    minted = world.do("born_again", "Eve").result
    assert world.service.compute("called", (minted,)).value == "Eve"
