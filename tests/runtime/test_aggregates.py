"""Aggregates wherever they may stand: rules, projections, functions, statements; and in proofs (S4.3, S6.1)."""

from __future__ import annotations

from typing import Any

import pytest

from argon_lang.engine.governor import Governor
from argon_lang.errors import ArgonError
from argon_lang.runtime.testing import run_tests
from tests.runtime.worlds import World, refusal, served

LEDGER = """
type Account { name: String }
rel entry(of: Account, no: Int) { amount: Money }
fact Account(cash) { name: "cash" };
fact Account(bank) { name: "bank" };
fact Account(none) { name: "none" };
fact entry(cash, 1) { amount: 5 };
fact entry(cash, 2) { amount: 5 };
fact entry(cash, 3) { amount: 7.50 };
fact entry(bank, 4) { amount: 2 };
derive booked(a: Account, n: Int, m: Money) :- e: entry, a = e.of, n = e.no, m = e.amount;
derive balance(a: Account, m: Money) :- Account(a), m = sum(x, booked(a, _, x));
derive largest(a: Account, m: Money) :- Account(a), m = max(x, booked(a, _, x));
derive busy(a: Account) :- Account(a), count { booked(a, _, _) } > 1;
check overdrawn(a: Account) :- Account(a), sum(x, booked(a, _, x)) < 0
    => Diagnostic { severity: Severity::Error, message: format!("{} has {}", a.name, sum(x, booked(a, _, x))) };
struct Line { name: String, total: Money, entries: Int }
query lines() -> [Line] {
    select Line { name: a.name, total: sum(x, booked(a, _, x)), entries: count { booked(a, _, _) } }
    from Account(a) order by sum(x, booked(a, _, x)) desc
}
query most() -> Money { select max(x, booked(_, _, x)) from a: Account where a.name == "cash" }
query least(a: Account) -> Money { select min(x, booked(a, _, x)) from b: Account where b.name == "cash" }
query amounts(a: Account) -> [[Money]] { select collect { x from booked(a, _, x) } from b: Account where b == a }
fn spread(xs: [Int]) -> Int = max(x for x in xs) - min(x for x in xs);
query spreads() -> [Int] { select spread([3, 9, 4]) from a: Account where a.name == "cash" }
mutate book(a: Account, n: Int, m: Money) -> Money {
    require count { entry(a, n) } == 0;
    insert entry(a, n) { amount: m };
    return sum(x, booked(a, _, x));
}
test "books" {
    let before = sum(x, booked(cash, _, x));
    book(cash, 9, 2.50);
    assert sum(x, booked(cash, _, x)) == before + 2.50;
    assert one { a from booked(a, 4, _) } == bank;
}
"""


@pytest.fixture
def world() -> World:
    return World(LEDGER)


def test_a_projection_has_an_aggregate_of_each_row_and_sorts_by_one(world: World) -> None:
    assert world.ask("lines") == [
        [{"name": "cash", "total": "17.50", "entries": 3}],
        [{"name": "bank", "total": "2.00", "entries": 1}],
        [{"name": "none", "total": "0.00", "entries": 0}],
    ]
    assert world.ask("most") == [["7.50"]]
    assert world.ask("amounts", "cash") == [[["5.00", "5.00", "7.50"]]]
    assert world.ask("spreads") == [[6]]


def test_an_aggregate_of_nothing_in_an_expression_is_a_domain_error_that_names_it(world: World) -> None:
    with pytest.raises(ArgonError) as caught:
        world.ask("least", "none")
    assert caught.value.code == "ARGON_RUNTIME_DERIVE_FAILED"
    assert dict(caught.value.args_) == {"name": "min", "found": "nothing to range over"}


def test_a_statement_sees_what_the_ones_before_it_wrote(world: World) -> None:
    assert world.do("book", "bank", 5, "3").result == {"money": "5.00"}
    with pytest.raises(ArgonError) as caught:
        world.do("book", "bank", 5, "3")
    assert refusal(caught) == "OE0731"
    assert [test.outcome for test in run_tests(served(LEDGER), None, world.clock, Governor).tests] == ["passed"]


def test_a_guard_may_sum_and_its_report_says_the_sum(world: World) -> None:
    with pytest.raises(ArgonError) as caught:
        world.do("book", "bank", 5, "-3")
    assert "bank has -1.00" in str(caught.value)


def test_a_proof_shows_the_first_rows_that_an_aggregate_ranges_over_and_counts_all(world: World) -> None:
    nodes = world.service.explain("balance(cash, 17.50)").nodes
    (aggregate,) = [node for node in nodes if node.kind == "aggregate"]
    assert (aggregate.alternatives, aggregate.substitution["m"]) == (3, {"money": "17.50"})
    witnesses = [(node.alternative, node.fact) for node in nodes if node.parent == aggregate.id]
    assert witnesses == [
        (0, "booked(cash, 1, 5.00)"),
        (1, "booked(cash, 2, 5.00)"),
        (2, "booked(cash, 3, 7.50)"),
    ]


def test_why_not_shows_what_the_aggregate_is_instead(world: World) -> None:
    nodes = world.service.explain("balance(cash, 18)").nodes
    assert [(node.left, node.right) for node in nodes if node.kind == "attempt"] == [
        ({"money": "18.00"}, {"money": "17.50"})
    ]
    missing: list[Any] = [node for node in world.service.explain("largest(none, 1)").nodes if node.kind == "failed"]
    assert [node.fact for node in missing] == ["max(x, booked(a, _, x))"]


CALLS = """
type Account { name: String }
rel entry(of: Account, no: Int) { amount: Money }
fact Account(cash) { name: "cash" };
fact Account(bank) { name: "bank" };
fact entry(cash, 1) { amount: 5 };
fact entry(cash, 2) { amount: 6 };
derive balance(a: Account, m: Money) :- Account(a), m = sum(e.amount, e: entry, e.of == a);
derive amount(a: Account, m: Money) :- e: entry, a = e.of, m = e.amount;
derive poor(a: Account) :- Account(a), balance(a) < 1;
derive only(a: Account, m: Money) :- Account(a), m = amount(a);
query listed() -> [Money] { select balance(a) from Account(a) order by balance(a) }
mutate look(a: Account) -> Money { return amount(a); }
"""


def test_a_predicate_called_with_one_argument_less_is_the_value_of_its_last_column() -> None:
    world = World(CALLS)
    assert world.rows("poor") == [["bank"]]
    assert world.rows("only") == []
    assert world.ask("listed") == [["0.00"], ["11.00"]]


@pytest.mark.parametrize(("account", "found"), [("cash", "2 values"), ("bank", "nothing to range over")])
def test_where_there_is_not_one_row_a_statement_has_a_domain_error(account: str, found: str) -> None:
    with pytest.raises(ArgonError) as caught:
        World(CALLS).do("look", account)
    assert caught.value.code == "ARGON_RUNTIME_DERIVE_FAILED"
    assert dict(caught.value.args_) == {"name": "amount(…)", "found": found}
