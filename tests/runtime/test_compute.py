"""The value of a function for given arguments, in both times; and the whole derived model."""

from __future__ import annotations

from typing import Any

import pytest

from argon_lang.engine.governor import Limits
from argon_lang.errors import ArgonError
from argon_lang.runtime.service import At
from tests.runtime.worlds import World, short

SOURCE = """
pub type Account { mut balance: Money }
fact Account(cash) { balance: 10.00 };
pub rel owes(who: Account, whom: Account);
pub derive linked(a: Account, b: Account) :- owes(a, b);
pub derive linked(a: Account, b: Account) :- owes(a, m), linked(m, b);
pub fn doubled(n: Int) -> Int = n * 2;
pub fn deep(n: Int) -> Int = if n == 0 { 0 } else { 1 + deep(n - 1) };
pub fn ratio(a: Real, b: Real) -> Real = a / b;
pub fn held(a: Account) -> Money = a.balance;
pub mutate set_to(a: Account, to: Money) { update a set { balance = to }; }
pub mutate lend(a: Account, b: Account) { insert owes(a, b); }
pub mutate open(m: Money) -> Account { let a = insert Account { balance: m }; return a; }
"""


@pytest.fixture
def world() -> World:
    return World(SOURCE)


def value(world: World, fn: str, *given: Any, at: At | None = None) -> Any:
    return short(world.service.compute(fn, given, at or At()).value)


def test_a_function_is_computed_exactly(world: World) -> None:
    assert value(world, "doubled", 21) == 42
    assert value(world, "ratio", "1", "3") == "1/3"
    found = world.service.compute("doubled", {"n": str(2**70)})
    assert (found.value, found.type, found.emissions) == (str(2**71), "Int", [])


def test_a_function_that_reads_facts_reads_them_at_both_times(world: World) -> None:
    start = world.clock.instant.isoformat()
    world.clock.advance(days=1)
    world.do("set_to", "cash", "25.00")
    assert value(world, "held", "cash") == "25.00"
    assert value(world, "held", "cash", at=At(start)) == "10.00"
    assert value(world, "held", "cash", at=At(tx=0)) == "10.00"
    assert value(world, "held", "cash", at=At("2027-01-01", 1)) == "25.00"


@pytest.mark.parametrize(
    ("fn", "given", "code"),
    [
        ("nothing", (), "ARGON_RUNTIME_NOT_FOUND"),
        ("doubled", (), "ARGON_RUNTIME_SIGNATURE_MISMATCH"),
        ("doubled", (1.5,), "ARGON_RUNTIME_VALIDATION_FAILED"),
        ("doubled", ("x",), "ARGON_RUNTIME_VALIDATION_FAILED"),
        ("held", ("nobody",), "ARGON_RUNTIME_NOT_FOUND"),
        ("ratio", ("1", "0"), "ARGON_RUNTIME_ARITHMETIC"),
        ("deep", (100_000,), "ARGON_RUNTIME_BUDGET_EXCEEDED"),
    ],
)
def test_what_cannot_be_computed_is_refused_with_its_code(
    world: World, fn: str, given: tuple[Any, ...], code: str
) -> None:
    with pytest.raises(ArgonError) as caught:
        world.service.compute(fn, given)
    assert caught.value.code == code


def test_the_whole_model_has_every_derived_fact_once_and_agrees_with_each_head(world: World) -> None:
    a = world.do("open", "1.00").minted[0].entity
    b = world.do("open", "2.00").minted[0].entity
    world.do("lend", "cash", a)
    world.do("lend", a, b)
    whole = world.service.whole()
    rows = [[short(part) for part in fact.tuple] for fact in whole.facts]
    assert sorted(rows) == sorted(world.rows("linked"))
    assert whole.facts_derived == len(whole.facts) == 3
    assert {(fact.head, fact.truth4, fact.hidden) for fact in whole.facts} == {("pkg::linked", "Is", False)}


def test_some_heads_alone_are_derived_and_reduced_when_asked_for(world: World) -> None:
    found = world.service.whole(["Account"], k3=True)
    assert [(fact.head, fact.truth4) for fact in found.facts] == [("pkg::Account", None)]
    assert found.projection == "k3"


def test_a_model_over_the_limit_is_refused_whole() -> None:
    world = World(SOURCE, limits=Limits(max_rows=2))
    world.do("lend", "cash", "cash")
    a = world.do("open", "1.00").minted[0].entity
    world.do("lend", "cash", a)
    world.do("lend", a, "cash")
    with pytest.raises(ArgonError) as caught:
        world.service.whole()
    assert caught.value.code == "ARGON_RUNTIME_RESULT_TOO_LARGE"
    assert caught.value.details["reached"] == 4
