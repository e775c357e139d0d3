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
