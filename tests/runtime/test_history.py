"""The log in the module's terms: of everything, of an individual, of a fact; by the page."""

from __future__ import annotations

import pytest

from argon_lang.errors import ArgonError
from argon_lang.runtime.wires import LogReport
from tests.runtime.worlds import World

SOURCE = """
pub type Person { mut name: String }
pub type Pupil <: Person;
pub rel knows(who: Person, whom: Person);
fact Pupil(ann) { name: "Ann" };
fact Person(bob) { name: "Bob" };
pub mutate meet(a: Person, b: Person) { insert knows(a, b); }
pub mutate part(a: Person, b: Person) { delete knows(a, b); }
pub mutate rename(p: Person, to: String) { update p set { name = to }; }
pub mutate arrive(name: String) { insert Pupil { name: name }; }
"""


@pytest.fixture
def world() -> World:
    made = World(SOURCE)
    made.do("meet", "ann", "bob")
    made.do("rename", "ann", "Anna")
    made.do("part", "ann", "bob")
    made.do("arrive", "Cid")
    return made


def told(report: LogReport) -> list[str]:
    return [f"{line.place} {line.op} {line.fact}" for line in report.lines]


def test_everything_is_told_oldest_first_with_who_and_when(world: World) -> None:
    report = world.service.log()
    assert told(report) == [
        "1.1 assert knows(ann, bob)",
        '2.1 close ann.name == "Ann"',
        '2.2 assert ann.name == "Anna"',
        "3.1 close knows(ann, bob)",
        "4.1 assert Pupil(#4.1)",
        '4.2 assert #4.1.name == "Cid"',
    ]
    assert {line.principal for line in report.lines} == {"user:eve"}
    assert (report.count, report.next_cursor) == (6, None)


def test_an_individual_is_found_anywhere_in_a_row(world: World) -> None:
    assert [line.place for line in world.service.log("bob").lines] == ["1.1", "3.1"]
    assert [line.place for line in world.service.log("#4.1").lines] == ["4.1", "4.2"]


def test_a_fact_is_found_by_its_values_and_any_value_by_an_underscore(world: World) -> None:
    assert [line.place for line in world.service.log("knows(ann, _)").lines] == ["1.1", "3.1"]
    assert [line.place for line in world.service.log("ann.name == _").lines] == ["2.1", "2.2"]
    assert [line.place for line in world.service.log('ann.name == "Anna"').lines] == ["2.2"]
    assert world.service.log("knows(bob, _)").lines == []


def test_with_a_tuple_go_the_fields_that_it_bears() -> None:
    world = World("""
    pub type Person;
    pub rel works(who: Person, whom: Person) { mut pay: Money }
    pub rel leads(who: Person, whom: Person) <: works { since: Int = 1 }
    fact Person(ann);
    fact Person(bob);
    pub mutate hire(a: Person, b: Person, pay: Money) { insert works(a, b) { pay: pay }; }
    pub mutate lead(a: Person, b: Person) { insert leads(a, b) { pay: 9 }; }
    """)
    world.do("hire", "ann", "bob", "5.00")
    world.do("hire", "ann", "bob", "6.00")
    world.do("hire", "bob", "ann", "7.00")
    world.do("lead", "bob", "bob")
    assert [line.place for line in world.service.log("works(ann, _)").lines] == ["1.1", "1.2", "2.1", "2.2"]
    assert {line.place[0] for line in world.service.log("works(bob, bob)").lines} == {"4"}
    assert len(world.service.log("works(bob, bob)").lines) == 3
    assert told(world.service.log("leads(bob, _)"))[1:] == ["4.2 assert leads(bob, bob).since == 1"]


def test_a_membership_of_a_subtype_is_one_of_its_supertype(world: World) -> None:
    assert [line.place for line in world.service.log("Person(#4.1)").lines] == ["4.1"]


def test_pages_joined_are_the_whole_also_when_a_page_ends_inside_a_transaction(world: World) -> None:
    whole = told(world.service.log())
    for size in (1, 2, 3, 5, 6):
        found: list[str] = []
        after: str | None = None
        while True:
            page = world.service.log(after=after, size=size)
            found += told(page)
            after = page.next_cursor
            if after is None:
                break
        assert found == whole


def test_later_writes_leave_a_place_in_the_log_where_it_was(world: World) -> None:
    place = world.service.log(size=2).next_cursor
    world.do("meet", "bob", "ann")
    assert told(world.service.log(after=place, size=1)) == ['2.2 assert ann.name == "Anna"']


def test_only_later_transactions_are_told_when_asked_for(world: World) -> None:
    assert [line.place for line in world.service.log(since_tx=2).lines] == ["3.1", "4.1", "4.2"]


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ("zoe", "ARGON_RUNTIME_NOT_FOUND"),
        ("knows(ann", "ARGON_RUNTIME_VALIDATION_FAILED"),
        ("hates(ann, bob)", "ARGON_RUNTIME_NOT_FOUND"),
    ],
)
def test_what_is_not_there_is_refused_by_name(world: World, about: str, code: str) -> None:
    with pytest.raises(ArgonError) as caught:
        world.service.log(about)
    assert caught.value.code == code


@pytest.mark.parametrize("place", ["", "x", "1", "1.", ".1", "-1.2", "1.2.3", "9" * 40 + ".1"])
def test_a_place_that_is_none_is_refused(world: World, place: str) -> None:
    with pytest.raises(ArgonError) as caught:
        world.service.log(after=place)
    assert caught.value.code == "ARGON_RUNTIME_VALIDATION_FAILED"
