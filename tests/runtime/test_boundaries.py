"""Gates and guard between the instants of a write: where other facts begin or end inside its valid time (S7.2)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from argon_lang.errors import ArgonError
from argon_lang.runtime.work import Work
from tests.runtime.worlds import START, World

FLATS = """
use std::core::{Diagnostic, Severity};
pub type Person { name: String }
pub type Tenant <: Person;
pub type Flat;
pub rel lets(who: Person, flat: Flat);
pub rel keys(who: Tenant, flat: Flat) [0..2] [0..*];
pub rel parks(who: Person, lot: Int);
pub rel likes(who: Person, flat: Flat);
pub rel saw(who: Person, flat: Flat);
fact Person(ann) { name: "Ann" };
fact Person(bob) { name: "Bob" };
fact Person(cid) { name: "Cid" };
fact Tenant(cid);
fact Flat(attic);
fact Flat(loft);
fact lets(cid, loft) at #2026-06-01# until #2026-09-01#;
derive shares(a: Person, b: Person) :- lets(a, f), lets(b, f), a != b;
derive housed(p: Person) :- lets(p, f);
check double(f: Flat) :- lets(a, f), lets(b, f), a != b
    => Diagnostic { severity: Severity::Error, message: "let twice" };
check carless(p: Person) :- parks(p, n), not housed(p)
    => Diagnostic { severity: Severity::Error, message: "parks and lives nowhere" };
check crowd(p: Person) :- shares(p, q), likes(p, f)
    => Diagnostic { severity: Severity::Warning, message: "shares" };
standpoint Owner;
standpoint Owner { check owned(f: Flat) :- lets(a, f), likes(a, f)
    => Diagnostic { severity: Severity::Error, message: "the owner minds" }; }
pub mutate let_to(p: Person, f: Flat, d: Date) { insert lets(p, f) at d; }
pub mutate let_until(p: Person, f: Flat, d: Date, e: Date) { insert lets(p, f) at d until e; }
pub mutate leave(p: Person, f: Flat, d: Date) { delete lets(p, f) at d; }
pub mutate park(p: Person, n: Int, d: Date) { insert parks(p, n) at d; }
pub mutate like(p: Person, f: Flat, d: Date) { insert likes(p, f) at d; }
pub mutate visit(p: Person, f: Flat, d: Date, e: Date) { insert saw(p, f) at d until e; }
pub mutate give(p: Tenant, f: Flat, d: Date) { insert keys(p, f) at d; }
pub mutate give_until(p: Tenant, f: Flat, d: Date, e: Date) { insert keys(p, f) at d until e; }
pub mutate tenant(p: Person, d: Date, e: Date) { insert iof(p, Tenant) at d until e; }
"""


@pytest.fixture
def world() -> World:
    return World(FLATS)


def refused(world: World, name: str, *given: str) -> ArgonError:
    before = world.state()
    with pytest.raises(ArgonError) as error:
        world.do(name, *given)
    assert world.state() == before
    return error.value


def test_a_write_is_refused_for_what_it_brings_about_when_another_fact_begins(world: World) -> None:
    error = refused(world, "let_to", "ann", "loft", "2026-03-10")
    assert (error.code, error.details["at"]) == ("ARGON_RUNTIME_CHECK_VIOLATION", "2026-06-01T00:00:00Z")
    assert ("since", "2026-06-01T00:00:00Z") in [each.args[0] for each in error.notes if each.args]


def test_a_write_that_ends_before_the_other_begins_or_begins_when_it_ends_is_accepted(world: World) -> None:
    world.do("let_until", "ann", "loft", "2026-03-10", "2026-06-01")
    world.do("let_to", "bob", "loft", "2026-09-01")
    assert refused(world, "let_until", "ann", "loft", "2026-03-10", "2026-06-02").details["at"]


def test_a_correction_that_reaches_back_is_held_against_everything_in_between(world: World) -> None:
    world.do("let_until", "ann", "attic", "2026-01-01", "2026-02-01")
    error = refused(world, "let_until", "bob", "attic", "2025-12-01", "2026-03-01")
    assert (error.code, error.details["at"]) == ("ARGON_RUNTIME_CHECK_VIOLATION", "2026-01-01T00:00:00Z")
    world.do("let_until", "bob", "attic", "2025-12-01", "2026-01-01")


def test_an_end_of_validity_counts_where_what_stood_in_for_it_ends(world: World) -> None:
    world.do("let_until", "ann", "attic", "2026-03-01", "2026-05-01")
    world.do("let_to", "ann", "loft", "2026-09-01")
    world.do("let_until", "ann", "loft", "2026-04-01", "2026-06-01")
    assert refused(world, "park", "ann", "7", "2026-03-11").details["at"] == "2026-06-01T00:00:00Z"
    world.do("let_to", "ann", "attic", "2026-04-15")
    world.do("park", "ann", "7", "2026-03-11")
    assert refused(world, "leave", "ann", "attic", "2026-05-15").details["at"] == "2026-06-01T00:00:00Z"


def test_a_violation_that_comes_anyway_blocks_nobody(world: World) -> None:
    lax = World(
        FLATS.replace("lets(a, f), lets(b, f), a != b\n", "lets(a, f), likes(a, f), parks(a, 0)\n"), store=world.store
    )
    lax.do("let_to", "bob", "loft", "2026-07-01")
    assert refused(world, "let_to", "ann", "loft", "2026-03-10").details["at"] == "2026-06-01T00:00:00Z"
    world.do("let_until", "ann", "loft", "2026-07-10", "2026-08-01")


def test_a_bound_is_kept_where_other_tuples_begin(world: World) -> None:
    for who in ("ann", "bob"):
        world.do("tenant", who, "2026-01-01", "2030-01-01")
        world.do("give_until", who, "attic", "2026-08-01", "2026-09-01")
    error = refused(world, "give", "cid", "attic", "2026-03-10")
    assert (error.code, error.details["code"]) == ("ARGON_RUNTIME_WRITE_REFUSED", "OE0632")
    assert error.details["at"] == "2026-08-01T00:00:00Z"


def test_an_endpoint_must_be_what_it_is_for_as_long_as_the_tuple_holds(world: World) -> None:
    world.do("tenant", "ann", "2026-03-01", "2026-05-01")
    error = refused(world, "give", "ann", "attic", "2026-03-10")
    assert (error.details["code"], error.details["at"]) == ("OE0229", "2026-05-01T00:00:00Z")


def test_the_checks_of_a_standpoint_are_held_there_too(world: World) -> None:
    world.do("like", "cid", "attic", "2026-01-01")
    error = refused(world, "like", "cid", "loft", "2026-03-10")
    assert (error.code, error.details["at"]) == ("ARGON_RUNTIME_CHECK_VIOLATION", "2026-06-01T00:00:00Z")


def test_boundaries_of_facts_that_nothing_reads_with_what_was_written_are_not_looked_at(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    passing = Work.passing
    monkeypatch.setattr(Work, "passing", lambda self, at: (looked.append(at.date().isoformat()), passing(self, at))[1])
    for number in range(20):
        world.do("visit", "bob", "attic", "2027-01-01", (START + timedelta(days=400 + number)).date().isoformat())
    assert looked == []
    world.do("let_until", "ann", "attic", "2026-03-10", "2028-01-01")
    assert looked == ["2026-06-01", "2026-09-01"]


def test_a_warning_is_returned_once_however_often_it_comes(world: World) -> None:
    world.do("like", "ann", "attic", "2026-03-01")
    lax = World(FLATS.replace('Error, message: "let twice"', 'Warning, message: "let twice"'), store=world.store)
    receipt = lax.do("let_to", "ann", "loft", "2026-03-10")
    assert sorted(each.message for each in receipt.diagnostics) == ["let twice", "shares"]
