"""Queries across standpoints: the information join of views (S2.3, S2.4)."""

from __future__ import annotations

from itertools import product

import pytest

from argon_lang.runtime.across import join
from argon_lang.runtime.envelopes import Answer
from argon_lang.runtime.truth import Truth4
from tests.runtime.worlds import World

CLAIMS = """
type Person { age: Int = 30 }
type Plot;
rel owns(who: Person, what: Plot);
fact Person(ann);
fact Person(bob);
fact Person(cyd) { age: 20 };
fact Plot(meadow);
fact Plot(orchard);
#[world(open)] type Hermit <: Person;
standpoint Registry { fact owns(ann, meadow); fact owns(bob, orchard); }
standpoint Court { fact owns(cyd, meadow); not_fact owns(ann, meadow); not_fact owns(bob, meadow); }
standpoint Appeal <: Court { fact owns(bob, meadow); fact Hermit(ann); not_fact Hermit(cyd); }
derive owner(p: Person) :- owns(p, _);
derive alone(p: Person) :- Hermit(p);
query claims() -> owns across [Registry, Court];
query appealed() -> owns across [Appeal];
query hermits() -> Hermit across [Registry, Appeal];
query loners() -> [Person] across [Registry, Appeal] { select p from alone(p) }
query tagged() -> Truth4Of<Person>;
query owners() -> [Person] across [Registry, Appeal] { select p from owner(p) order by p.age, p.age }
query oldest() -> [Person] across [Registry, Appeal] { select p from owner(p) order by p.age desc limit 2 }
query holdings() -> [Plot] across [Registry, Appeal] { select w from owns(_, w) }
query kinds() -> [Plot] across [Registry, Appeal] { select distinct w from owns(_, w) }
query keeper(w: Plot) -> Person? across [Registry] { select p from owns(p, w) }
"""


def told(answer: Answer) -> dict[tuple[str, ...], str | None]:
    """The truth value of each row, by the labels of its columns."""
    return {tuple(str(value["label"]) for value in row.values): row.truth4 for row in answer.rows}


def names(answer: Answer) -> list[str]:
    """The labels of the first column, in order."""
    return [str(row.values[0]["label"]) for row in answer.rows]


JOINED: dict[tuple[Truth4, Truth4], Truth4] = {
    ("Is", "Not"): "Both",
    ("Is", "Can"): "Is",
    ("Not", "Can"): "Not",
    ("Both", "Is"): "Both",
    ("Both", "Not"): "Both",
    ("Both", "Can"): "Both",
}
VALUES: tuple[Truth4, ...] = ("Is", "Not", "Can", "Both")


@pytest.mark.parametrize(("left", "right"), list(product(VALUES, VALUES)))
def test_the_join_of_two_truth_values_is_what_both_know(left: Truth4, right: Truth4) -> None:
    wanted = left if left == right else JOINED.get((left, right)) or JOINED[right, left]
    assert join(left, right) == join(right, left) == wanted


def test_what_one_standpoint_says_and_another_denies_is_both() -> None:
    answer = World(CLAIMS).service.query("claims")
    assert told(answer) == {
        ("ann", "meadow"): "Both",
        ("bob", "meadow"): "Not",
        ("bob", "orchard"): "Is",
        ("cyd", "meadow"): "Is",
    }
    assert (answer.row_count, answer.hidden.both, answer.hidden.not_) == (2, 1, 1)


def test_a_standpoint_brings_the_views_of_all_above_it() -> None:
    answer = World(CLAIMS).service.query("appealed")
    assert told(answer) == {("ann", "meadow"): "Not", ("bob", "meadow"): "Both", ("cyd", "meadow"): "Is"}


def test_the_unknown_gives_way_to_what_some_view_knows() -> None:
    world = World(CLAIMS)
    assert told(world.service.query("hermits")) == {("ann",): "Is", ("bob",): "Can", ("cyd",): "Not"}
    assert told(world.service.query("loners")) == {("ann",): "Is", ("bob",): "Can", ("cyd",): "Can"}


def test_only_what_is_comes_when_no_truth_values_are_wanted() -> None:
    answer = World(CLAIMS).service.query("claims", truth4=False)
    assert told(answer) == {("bob", "orchard"): None, ("cyd", "meadow"): None}


def test_truth4_of_asks_for_truth_values_in_one_view() -> None:
    assert set(told(World(CLAIMS).service.query("tagged")).values()) == {"Is"}


def test_order_and_limit_are_those_of_the_joined_rows() -> None:
    world = World(CLAIMS)
    assert names(world.service.query("owners")) == ["cyd", "ann", "bob"]
    assert names(world.service.query("oldest")) == ["ann", "bob"]


def test_equal_rows_of_two_views_are_one_and_those_of_one_view_stay_several() -> None:
    world = World(CLAIMS)
    assert names(world.service.query("holdings")) == ["meadow", "meadow", "orchard"]
    assert names(world.service.query("kinds")) == ["meadow", "orchard"]


def test_a_query_of_one_row_yields_what_is() -> None:
    answer = World(CLAIMS).service.query("keeper", {"w": "orchard"})
    assert told(answer) == {("bob",): "Is"}
