"""The rule compiler accepts what it can run and names what it cannot."""

from __future__ import annotations

from typing import Any

import pytest

from argon_lang.engine.compiled import CompiledRule, compile_rule
from argon_lang.engine.exprs import Functions
from argon_lang.engine.model import refusals
from argon_lang.engine.plan import Planner
from argon_lang.engine.refusal import HEAD, Refusal
from argon_lang.ir.expr import Binary, Builtin, Expr, GetField, Lit, Local
from argon_lang.ir.module import Module, Query
from argon_lang.ir.rules import Bind, Each, Literal, Match, Not, Predicate, Rule, Test, Var
from argon_lang.program.types import BOOL, INT, TOP
from tests.engine.programs import rule

X, Y, Z = (Var(name) for name in "xyz")
FIELD = Predicate("p::Lease.rent", "field", (("it", TOP), ("value", TOP)))
SHAPES = {FIELD.key: FIELD, "a": Predicate("a", "derived", (("x", TOP),))}


def compiled(body: tuple[Literal, ...], *head: Var, **more: Any) -> CompiledRule | Refusal:
    return compile_rule(rule("q", head, body, **more), SHAPES, Functions())


def refused(body: tuple[Literal, ...], *head: Var, **more: Any) -> tuple[str, int, dict[str, str]]:
    made = compiled(body, *head, **more)
    assert isinstance(made, Refusal)
    return made.code, made.site, dict(made.args)


def compare(op: str, left: Expr, right: Expr) -> Test:
    return Test(Binary(op, left, right, BOOL), 7)


def test_a_head_variable_that_no_atom_binds_is_refused_at_the_head() -> None:
    assert refused((Match("a", (X,)),), X, Y) == ("OE1303", HEAD, {"variable": "y"})
    assert refused((), X) == ("OE1303", HEAD, {"variable": "x"})


def test_a_head_variable_that_occurs_only_under_not_is_refused() -> None:
    assert refused((Match("a", (X,)), Not((Match("e", (X, Y)),), 4)), X, Y) == ("OE1303", 4, {"variable": "y"})


def test_a_variable_shared_by_two_negations_is_bound_by_neither() -> None:
    body = (Match("a", (X,)), Not((Match("e", (X, Y)),), 4), Not((Match("a", (Y,)),), 5))
    assert refused(body, X) == ("OE1303", 4, {"variable": "y"})


def test_a_variable_of_one_negation_only_is_local_to_it() -> None:
    assert isinstance(compiled((Match("a", (X,)), Not((Match("e", (X, Y)),))), X), CompiledRule)


def test_a_comparison_of_an_unbound_variable_is_refused_where_it_stands() -> None:
    assert refused((Match("a", (X,)), compare("<", Local("y"), Lit(3))), X) == ("OE1303", 7, {"variable": "y"})


def test_an_operation_that_lacks_its_input_is_named() -> None:
    needs = Test(Binary("<", Builtin("abs", (Local("y"),), INT), Lit(3), BOOL), 2)
    assert refused((Match("a", (X,)), needs), X)[0] == "OE1303"
    direct = Test(Builtin("is_empty", (Local("y"),), BOOL), 2)
    assert refused((Match("a", (X,)), direct), X) == ("OE1304", 2, {"variable": "y", "construct": "`is_empty`"})
    assert refused((Match("a", (X,)), Each("z", Local("y"), 3)), X) == (
        "OE1304",
        3,
        {"variable": "y", "construct": "`in`"},
    )


def test_equalities_that_wait_for_each_other_are_refused() -> None:
    one = Bind("x", Binary("+", Local("y"), Lit(1), INT), 1)
    other = Bind("y", Binary("-", Local("x"), Lit(1), INT), 2)
    assert refused((one, other), X) == ("OE1304", 1, {"variable": "y", "construct": "`=`"})


def test_binding_a_bound_variable_is_refused_with_both_places() -> None:
    made = compiled((Match("a", (X,), 3), Bind("x", Lit(1), 4)), X)
    assert isinstance(made, Refusal)
    assert (made.code, made.site, made.related) == ("OE1306", 4, 3)
    assert refused((Match("a", (X,)), Each("x", Lit((1,)), 5)), X)[0] == "OE1306"
    assert refused((Bind("x", Lit(1), 4),), X, inputs=("x",))[0] == "OE1306"
    assert refused((Match("a", (X,)), Not((Bind("x", Lit(1), 6),))), X)[0] == "OE1306"


def test_binding_before_the_atom_that_tests_it_is_accepted() -> None:
    assert isinstance(compiled((Bind("x", Lit(1)), Match("a", (X,))), X), CompiledRule)


def test_a_state_read_inside_a_rule_is_refused() -> None:
    reads = Test(Binary(">", GetField(Local("x"), "p::Lease.rent", False, False), Lit(3), BOOL), 2)
    assert refused((Match("a", (X,)), reads), X) == ("OE1317", 2, {"construct": "`.rent`", "rule": "q"})


def test_a_read_of_the_wrong_width_is_refused() -> None:
    assert refused((Match("a", (X, Y), 6),), X) == ("OE1317", 6, {"construct": "`a`", "rule": "q"})


def test_inputs_are_bound_from_outside() -> None:
    assert isinstance(compiled((compare("<", Local("x"), Lit(3)),), X, inputs=("x",)), CompiledRule)


def order(body: tuple[Literal, ...], counts: dict[str, int], first: int | None = None, *bound: str) -> list[int]:
    planner = Planner(rule("q", (), body), SHAPES, Functions())
    return [step.index for step in planner.plan(bound, lambda key: counts.get(key, 0), first)]


def test_the_smallest_relation_goes_first_and_bound_columns_decide_after_that() -> None:
    body = (Match("big", (X, Y)), Match("small", (Y,)), Match("middle", (X, Z)))
    assert order(body, {"big": 10_000, "small": 3, "middle": 500}) == [1, 0, 2]
    assert order(body, {"big": 10, "small": 3_000, "middle": 500}) == [0, 1, 2]
    assert order(body, {"big": 10_000, "small": 3, "middle": 500}, 2) == [2, 1, 0]
    assert order(body, {"big": 10_000, "small": 300, "middle": 500}, 2) == [2, 0, 1]


def test_a_field_of_a_known_individual_goes_before_any_other_read() -> None:
    body = (Match("e", (X, Y)), Match(FIELD.key, (X, Z)))
    assert order(body, {"e": 100, FIELD.key: 1_000_000}, None, "x") == [1, 0]


def test_tests_run_as_soon_as_they_can_and_fallible_ones_after_what_is_written_before_them() -> None:
    cheap = compare("!=", Local("x"), Lit(0))
    divides = compare("<", Binary("/", Lit(1), Local("x"), INT), Lit(3))
    assert order((Match("a", (X,)), Match("e", (X, Y)), cheap), {"a": 1, "e": 9}) == [0, 2, 1]
    assert order((Match("a", (X,)), Match("e", (X, Y)), divides), {"a": 1, "e": 9}) == [0, 1, 2]
    assert order((Match("a", (X,)), divides, Match("e", (X, Y))), {"a": 1, "e": 9}) == [0, 1, 2]


def counting(*more: Literal) -> tuple[Rule, ...]:
    step = Bind("y", Binary("+", Local("x"), Lit(1), INT), 2)
    return (rule("n", (X,), (Match("a", (X,)),)), rule("n", (Y,), (Match("n", (X,)), step, *more)))


def module(*rules: Rule) -> Module:
    return Module("test", "0", rules=rules)


def test_counting_without_end_is_refused_and_says_what_feeds_what() -> None:
    (found,) = refusals(module(*counting()))
    assert (found.code, found.site) == ("OE1318", 2)
    assert dict(found.args) == {"name": "n", "variable": "y", "cycle": "`n`"}


@pytest.mark.parametrize(
    "bound",
    [
        compare("<", Local("y"), Lit(100)),
        compare("<=", Local("x"), Lit(100)),
        Match("allowed", (Y,)),
        Match("allowed", (X,)),
        Each("k", Lit((1, 2))),
    ],
)
def test_counting_up_to_a_bound_is_accepted_and_an_unrelated_atom_is_no_bound(bound: Literal) -> None:
    found = [refusal.code for refusal in refusals(module(*counting(bound)))]
    assert found == (["OE1318"] if isinstance(bound, Each) else [])


def test_counting_through_two_predicates_is_refused_where_the_number_is_made() -> None:
    grows = rule("odd", (Y,), (Match("even", (X,)), Bind("y", Binary("+", Local("x"), Lit(1), INT), 2)))
    passes = rule("even", (X,), (Match("odd", (X,)),))
    start = rule("even", (X,), (Match("a", (X,)),))
    found = refusals(module(grows, passes, start))
    assert [(f.code, f.rule, dict(f.args)["cycle"]) for f in found] == [("OE1318", grows.id, "`even`, `odd`")]


def test_a_recursion_that_computes_nothing_from_itself_is_accepted() -> None:
    length = rule("d", (X, Z), (Match("d", (X, Y)), Match("e", (Y, Z)), Bind("k", Lit(1))))
    assert refusals(module(rule("d", (X, Y), (Match("e", (X, Y)),)), length)) == ()


def test_the_gate_compiles_query_rules_too() -> None:
    asked = rule("all?", (Y,), (Match("a", (X,)),), origin="query")
    query = Query("p::all", (), TOP, "many", None, asked, (), True, False, (), None, None)
    found = refusals(Module("test", "0", queries=(query,)))
    assert [(f.code, f.rule) for f in found] == [("OE1303", asked.id)]
