"""The construction gates of a write: each refusal with its code, and nothing left of what was refused (S7.2, S7.4)."""

from __future__ import annotations

from typing import Any

import pytest

from argon_lang.errors import ArgonError
from argon_lang.session.refusals import error_body
from tests.runtime.worlds import World, refusal

GATED = """
type Animal;
type Dog <: Animal;
type Person { mut pet: Animal?, mut lucky: [Nat; 1..2] }
type Owner <: Person { mut pet: Dog?, mut lucky: [Nat; 1..2] }
type Flat;
rel rents(who: Person, flat: Flat) [0..1] [0..2];
rel sublets(who: Person, flat: Flat) <: rents;
rel reviewed(lease: rents, by: Person);
fact Dog(rex);
fact Animal(tom);
fact Person(ann) { lucky: [7] };
fact Person(ben) { lucky: [7] };
fact Owner(odo) { lucky: [7] };
fact Flat(f1);
fact Flat(f2);
fact Flat(f3);
mutate rent(p: Person, f: Flat) { insert rents(p, f); }
mutate rent_from(p: Person, f: Flat, at: Date) { insert rents(p, f) at at; }
mutate rent_for(p: Person, f: Flat, at: Date, until: Date) { insert rents(p, f) at at until until; }
mutate sublet(p: Person, f: Flat) { insert sublets(p, f); }
mutate review(p: Person, f: Flat, by: Person) { let r = insert rents(p, f); insert reviewed(r, by); }
mutate leave(p: Person, f: Flat) { delete rents(p, f); }
mutate remove(p: Person) { delete Person(p); }
mutate remove_at(p: Person, at: Date) { delete Person(p) at at; }
mutate drop_flat(f: Flat) { delete Flat(f); }
mutate move(p: Person, f: Flat, g: Flat) { delete rents(p, f); insert rents(p, g); }
mutate adopt(p: Person, a: Animal) { update p set { pet = a }; }
mutate adopt_and_lose(p: Person, a: Animal) { update p set { pet = a }; delete Animal(a); }
mutate lose(a: Animal) { delete Animal(a); }
mutate born() -> Person { let p = insert Person {}; return p; }
mutate born_lucky(n: [Nat]) -> Person { let p = insert Person { lucky: n }; return p; }
mutate lucky(p: Person, n: Nat) { insert n into p.lucky; }
mutate age_at(p: Person, a: Animal, at: Date) { update p set { pet = a } at at; }
"""


@pytest.fixture
def world() -> World:
    return World(GATED)


def refused(world: World, name: str, *given: Any) -> str:
    """The code of the refusal, after which everything is as it was."""
    before = world.state()
    with pytest.raises(ArgonError) as error:
        world.do(name, *given)
    assert world.state() == before
    return refusal(error)


def test_more_values_at_one_end_than_its_bound_are_refused(world: World) -> None:
    world.do("rent", "ann", "f1")
    world.do("rent", "ann", "f2")
    assert refused(world, "rent", "ann", "f3") == "OE0632"
    assert refused(world, "rent", "ben", "f1") == "OE0632"


def test_bounds_count_the_tuples_of_sub_relations_too(world: World) -> None:
    world.do("rent", "ann", "f1")
    world.do("sublet", "ann", "f2")
    assert refused(world, "sublet", "ann", "f3") == "OE0632"
    world.do("sublet", "ann", "f1")


def test_a_bound_counts_what_is_valid_at_one_instant(world: World) -> None:
    world.do("rent_for", "ann", "f1", "2026-01-01", "2026-02-01")
    world.do("rent_for", "ben", "f1", "2026-02-01", "2026-03-01")
    assert refused(world, "rent_for", "ben", "f1", "2026-01-15", "2026-01-20") == "OE0632"


def test_a_bound_holds_at_the_written_instant_and_now(world: World) -> None:
    world.do("rent", "ann", "f1")
    assert refused(world, "rent_from", "ben", "f1", "2026-01-01") == "OE0632"
    assert refused(world, "rent_from", "ben", "f1", "2027-01-01") == "OE0632"


def test_a_tuple_may_be_exchanged_within_one_transaction(world: World) -> None:
    world.do("rent", "ann", "f1")
    world.do("rent", "ann", "f2")
    world.do("move", "ann", "f1", "f3")
    assert world.rows("rents") == [["ann", "f2"], ["ann", "f3"]]


def test_what_a_live_tuple_needs_cannot_leave(world: World) -> None:
    world.do("rent", "ann", "f1")
    assert refused(world, "remove", "ann") == "OE0244"
    assert refused(world, "drop_flat", "f1") == "OE0244"
    with pytest.raises(ArgonError) as error:
        world.do("drop_flat", "f1")
    assert "rents(ann, f1)" in error_body(error.value)["message"]
    world.do("leave", "ann", "f1")
    world.do("remove", "ann")


def test_what_a_field_holds_cannot_leave(world: World) -> None:
    world.do("adopt", "ann", "rex")
    assert refused(world, "lose", "rex") == "OE0244"


def test_what_was_asserted_and_lost_its_membership_in_the_same_transaction_is_refused(world: World) -> None:
    assert refused(world, "adopt_and_lose", "ann", "rex") in ("OE0229", "OE0244")


def test_a_tuple_that_another_tuple_speaks_of_cannot_leave(world: World) -> None:
    world.do("review", "ann", "f1", "ben")
    assert refused(world, "leave", "ann", "f1") == "OE0244"


def test_a_tuple_before_its_endpoints_existed_is_refused(world: World) -> None:
    minted = world.do("born_lucky", [1]).minted[0].entity
    assert refused(world, "rent_from", minted, "f1", "2026-01-01") == "OE0229"
    world.do("rent", minted, "f1")


def test_a_field_before_its_owner_existed_is_refused(world: World) -> None:
    minted = world.do("born_lucky", [1]).minted[0].entity
    assert refused(world, "age_at", minted, "rex", "2026-01-01") == "OE0229"


def test_leaving_in_the_past_is_refused_while_a_tuple_stood_then(world: World) -> None:
    world.do("rent_for", "ann", "f1", "2026-01-01", "2026-02-01")
    assert refused(world, "remove_at", "ann", "2026-01-15") == "OE0244"
    world.do("remove_at", "ann", "2026-02-15")


def test_a_narrowed_field_takes_what_the_subtype_declares(world: World) -> None:
    world.do("adopt", "ann", "tom")
    assert refused(world, "adopt", "odo", "tom") == "OE0229"
    world.do("adopt", "odo", "rex")


def test_a_many_field_has_as_many_values_as_its_bounds_say(world: World) -> None:
    assert refused(world, "born") == "OE0632"
    assert refused(world, "born_lucky", []) == "OE0632"
    assert refused(world, "born_lucky", [1, 2, 3]) == "OE0632"
    world.do("born_lucky", [1, 2])
    world.do("lucky", "ann", 8)
    assert refused(world, "lucky", "ann", 9) == "OE0632"
    with pytest.raises(ArgonError) as error:
        world.do("born")
    assert "at least 1 `lucky`" in error_body(error.value)["message"]
