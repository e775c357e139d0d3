"""The engine computes what the reference evaluator computes, whatever the order of rules, literals and facts."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.engine.governor import Governor, Limits
from argon_lang.engine.model import Model, Origin, compile_program, diff, evaluate, refusals
from argon_lang.errors import ArgonError
from argon_lang.ir.expr import Binary, Builtin, CallFn, Lit, Local
from argon_lang.ir.module import Function, Module
from argon_lang.ir.rules import Aggregate, Bind, Const, Match, Not, Rule, Test, Var
from argon_lang.program.types import BOOL, DECIMAL, INT, REAL, TOP
from tests.engine import naive
from tests.engine.programs import NUMBERS, Program, module_of, programs, rule

CLOCK = datetime(2026, 1, 31, 12, tzinfo=UTC)
X, Y, Z, W = (Var(name) for name in "xyzw")


def run(rules: tuple[Rule, ...], facts: dict[str, Any]) -> Model:
    return evaluate(compile_program(module_of(rules)), facts, CLOCK)


def derived(model: Model) -> naive.Facts:
    return {key: {tuple(map(naive.plain, row)) for row in model.rows(key)} for key in model.known_keys()}


def reference(program: Program) -> naive.Facts:
    return {key: rows for key, rows in naive.evaluate(program.rules, program.facts).items() if rows}


@settings(max_examples=80, deadline=None, derandomize=True)
@given(programs())
def test_the_engine_agrees_with_the_reference_evaluator(program: Program) -> None:
    assert refusals(program.module()) == ()
    assert derived(run(program.rules, program.facts)) == reference(program)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(programs(NUMBERS))
def test_the_engine_agrees_with_the_reference_where_types_let_it_compare_by_number(program: Program) -> None:
    model = evaluate(compile_program(program.module(INT)), program.facts, CLOCK)
    assert derived(model) == reference(program)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(programs(), st.integers(0, 9))
def test_results_and_origins_do_not_depend_on_the_order_of_rules_and_facts(program: Program, seed: int) -> None:
    shuffled_rules, facts = list(program.rules), {key: list(rows) for key, rows in program.facts.items()}
    generator = random.Random(seed)
    generator.shuffle(shuffled_rules)
    for rows in facts.values():
        generator.shuffle(rows)
    one, other = run(program.rules, program.facts), run(tuple(shuffled_rules), dict(reversed(facts.items())))
    assert one.known_keys() == other.known_keys()
    for key in one.known_keys():
        assert one.rows(key) == other.rows(key)
        assert [one.origin(key, row) for row in one.rows(key)] == [other.origin(key, row) for row in other.rows(key)]


def closure() -> tuple[Rule, ...]:
    return (
        rule("p", (X, Y), (Match("e", (X, Y)),)),
        rule("p", (X, Z), (Match("p", (X, Y)), Match("e", (Y, Z)))),
    )


def test_a_closure_keeps_the_round_of_each_first_derivation() -> None:
    model = run(closure(), {"e": [(1, 2), (2, 3), (3, 4), (1, 3)]})
    assert model.rows("p") == ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))
    step = closure()[1].id
    assert model.origin("p", (1, 4)) == Origin(step, 2)
    assert model.origin("p", (2, 4)) == Origin(step, 2)
    assert model.origin("e", (1, 2)) is None
    assert model.rank("e", (1, 2)) == 0


def test_same_generation_and_mutual_recursion() -> None:
    parents = [("b", "a"), ("c", "a"), ("d", "b"), ("f", "c")]
    same_generation = (
        rule("p", (X, Y), (Match("e", (X, Z)), Match("e", (Y, Z)))),
        rule("p", (X, Y), (Match("e", (X, Z)), Match("p", (Z, W)), Match("e", (Y, W)))),
    )
    model = run(same_generation, {"e": parents})
    assert ("d", "f") in model.rows("p")
    assert ("d", "c") not in model.rows("p")
    mutual = (
        rule("q", (X,), (Match("a", (X,)),)),
        rule("u", (Y,), (Match("q", (X,)), Match("e", (X, Y)))),
        rule("q", (Y,), (Match("u", (X,)), Match("e", (X, Y)))),
    )
    model = run(mutual, {"a": [(0,)], "e": [(i, i + 1) for i in range(6)]})
    assert model.rows("q") == ((0,), (2,), (4,), (6,))
    assert model.rows("u") == ((1,), (3,), (5,))


def test_a_chain_of_a_thousand_rules_meets_no_recursion_limit() -> None:
    keys = [f"chain{i:04}" for i in range(1_000)]
    rules = tuple(rule(b, (X,), (Match(a, (X,)),)) for a, b in pairwise(keys))
    model = run(rules, {keys[0]: [("deep",)]})
    assert model.rows(keys[-1]) == (("deep",),)
    ranks = [model.rank(key, ("deep",)) for key in keys]
    assert ranks == sorted(set(ranks))


def test_a_join_of_thirty_literals_runs_though_python_nests_only_twenty_blocks() -> None:
    names = [Var(f"n{i}") for i in range(31)]
    body = tuple(Match("e", (a, b)) for a, b in pairwise(names))
    negated = Not(tuple(Match("f", (a, b)) for a, b in zip(names[1:], [*names[2:], Var("end")], strict=False)))
    model = run((rule("p", (names[0], names[-1]), body),), {"e": [(i, i + 1) for i in range(40)]})
    assert model.rows("p") == tuple((i, i + 30) for i in range(11))
    model = run((rule("q", (names[0],), (Match("a", (names[0],)), negated)),), {"a": [(1,)], "f": [(1, 1)]})
    assert model.rows("q") == ()


def test_a_bool_is_no_number_and_equal_numbers_are_one() -> None:
    rules = (rule("q", (X,), (Match("a", (X,)), Match("u", (X,)))),)
    model = run(rules, {"a": [(True,), (2,)], "u": [(1,), (Decimal("2.00"),)]})
    assert model.rows("q") == ((2,),)


def test_a_variable_that_only_an_equality_names_is_bound_by_it() -> None:
    rules = (rule("q", (Y,), (Bind("x", Local("y")), Match("a", (X,)))),)
    assert run(rules, {"a": [(3,)]}).rows("q") == ((3,),)


def test_a_repeated_variable_and_a_constant_select_rows() -> None:
    rules = (
        rule("q", (X,), (Match("e", (X, X)),)),
        rule("u", (X,), (Match("t", (X, Const(1), X)),)),
        rule("w", (X, Y), (Match("a", (X,)), Match("t", (Y, X, Y)))),
    )
    model = run(rules, {"e": [(1, 1), (1, 2)], "t": [(5, 1, 5), (5, 2, 5), (5, 1, 6)], "a": [(2,)]})
    assert (model.rows("q"), model.rows("u"), model.rows("w")) == (((1,),), ((5,),), ((2, 5),))


def test_a_guard_written_before_a_division_protects_it() -> None:
    quotient = Bind("y", Binary("/", Lit(10), Local("x"), INT))
    guarded = (Match("a", (X,)), Test(Binary("!=", Local("x"), Lit(0), BOOL)), quotient)
    by_atom = (Match("a", (X,)), Match("e", (X, Z)), quotient)
    facts = {"a": [(0,), (5,)], "e": [(5, 5), *((i, i) for i in range(10, 99))]}
    model = run((rule("p", (X, Y), guarded), rule("r", (X, Y), by_atom)), facts)
    assert model.rows("p") == model.rows("r") == ((5, 2),)


def test_a_domain_error_names_the_rule_in_its_details() -> None:
    quotient = rule("p", (X, Y), (Match("a", (X,)), Bind("y", Binary("/", Lit(10), Local("x"), INT))))
    with pytest.raises(ArgonError) as caught:
        run((quotient,), {"a": [(0,)]})
    assert caught.value.code == "ARGON_RUNTIME_ARITHMETIC"
    assert caught.value.details == {"operation": "/", "rule": quotient.id, "key": "p"}
    with pytest.raises(ArgonError) as caught:
        run((), {"a": [(0,)]}).solve(quotient, {})
    assert caught.value.details["rule"] == quotient.id


def test_a_query_rule_gives_each_head_substitution_once_for_its_inputs() -> None:
    model = run(closure(), {"e": [(1, 2), (2, 3), (1, 3)]})
    asked = rule("reach?", (Y,), (Match("p", (X, Y)), Match("p", (X, Z))), origin="query", inputs=("x",))
    assert model.solve(asked, {"x": 1}) == [(2,), (3,)]
    assert model.solve(asked, {"x": 3}) == []
    assert model.solve(asked, {"x": "never seen"}) == []


def test_lookups_answer_by_any_columns() -> None:
    model = run(closure(), {"t": [(1, "a", 2), (1, "b", 3), (2, "a", 2)]})
    assert model.lookup("t", {0: 1}) == ((1, "a", 2), (1, "b", 3))
    assert model.lookup("t", {1: "a", 2: 2}) == ((1, "a", 2), (2, "a", 2))
    assert model.lookup("t", {0: 1, 1: "b", 2: 3}) == ((1, "b", 3),)
    assert model.lookup("t", {1: "unknown"}) == ()
    assert model.holds("t", (None, "b", None))
    assert not model.holds("t", (2, "b", None))
    assert not model.holds("nothing", (1,))
    assert model.count("t") == 3


@pytest.mark.parametrize("shared", [True, False])
def test_a_difference_names_what_was_added_and_removed(shared: bool) -> None:
    program = compile_program(module_of(closure()))
    old = evaluate(program, {"e": [(1, 2), (2, 3)]}, CLOCK)
    new = evaluate(program, {"e": [(1, 2), (2, 4)]}, CLOCK, after=old if shared else None)
    changes = diff(old, new)
    assert list(changes) == ["p"]
    assert changes["p"].added == ((1, 4), (2, 4))
    assert changes["p"].removed == ((1, 3), (2, 3))
    assert diff(new, new) == {}


def test_recursion_through_an_aggregate_is_refused_by_name() -> None:
    counted = Aggregate("y", "count", (), Var("z"), (Match("p", (Z, W)),), TOP, 1)
    found = refusals(Module("test", "0", rules=(rule("p", (X, Y), (Match("a", (X,)), counted)),)))
    assert [refusal.code for refusal in found] == ["OE0503"]
    assert dict(found[0].args) == {"name": "p", "of": "p", "cycle": "p"}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(programs(), st.lists(st.tuples(st.sampled_from(["a", "e", "f", "t", "p"]), st.integers(0, 3)), max_size=4))
def test_an_evaluation_that_starts_from_an_earlier_one_gives_the_same(
    program: Program, changes: list[tuple[str, int]]
) -> None:
    compiled, facts = compile_program(program.module()), {**program.facts}
    model = evaluate(compiled, facts, CLOCK)
    for key, number in changes:
        width = {"a": 1, "t": 3}.get(key, 2)
        rows = facts.get(key, [])
        facts = {**facts, key: rows[1:] if number == 0 else [*rows, (number,) * width]}
        old, model, cold = model, evaluate(compiled, facts, CLOCK, after=model), evaluate(compiled, facts, CLOCK)
        assert model.known_keys() == cold.known_keys()
        for name in cold.known_keys():
            assert model.rows(name) == cold.rows(name)
            assert [model.origin(name, row) for row in model.rows(name)] == [
                cold.origin(name, row) for row in cold.rows(name)
            ]
            assert [model.rank(name, row) for row in model.rows(name)] == [
                cold.rank(name, row) for row in cold.rows(name)
            ]
        assert diff(old, model) == diff(old, cold)


def test_only_the_components_that_a_change_reaches_run_again() -> None:
    rules = (*closure(), rule("q", (X,), (Match("a", (X,)),)), rule("u", (X,), (Match("q", (X,)), Match("p", (X, Y)))))
    compiled = compile_program(module_of(rules))
    edges, ones, twos = [(1, 2), (2, 3)], [(1,)], [(1,), (9,)]
    old = evaluate(compiled, {"e": edges, "a": ones}, CLOCK)
    new = evaluate(compiled, {"e": edges, "a": twos}, CLOCK, after=old)
    then, now = old.environment.space.relations, new.environment.space.relations
    assert {key: then[key] is now[key] for key in ("e", "p", "q", "u")} == {
        "e": True,
        "p": True,
        "q": False,
        "u": True,
    }
    assert list(diff(old, new)) == ["q"]


@pytest.mark.parametrize(
    ("intrinsic", "again"), [("today", CLOCK + timedelta(days=1)), ("now", CLOCK + timedelta(seconds=1))]
)
def test_a_rule_that_reads_the_clock_runs_again_when_the_clock_has_moved(intrinsic: str, again: datetime) -> None:
    reads = Bind("y", CallFn("std::clock", ()))
    function = Function("std::clock", (), TOP, Builtin(intrinsic, (), TOP), False)
    compiled = compile_program(module_of((rule("p", (X, Y), (Match("a", (X,)), reads)),), functions=(function,)))
    facts = {"a": [(1,)]}
    old = evaluate(compiled, facts, CLOCK)
    assert (
        evaluate(compiled, facts, CLOCK, after=old).environment.space.relations["p"]
        is (old.environment.space.relations["p"])
    )
    assert evaluate(compiled, facts, again, after=old).rows("p") != old.rows("p")


def test_a_query_long_after_the_evaluation_has_its_own_time() -> None:
    seconds = iter(range(1_000_000))
    watch = Governor(Limits(timeout_ms=10**9), clock=lambda: float(next(seconds)))
    model = evaluate(compile_program(module_of(closure())), {"e": [(1, 2)]}, CLOCK, watch)
    watch.cancel()
    asked = rule("reach?", (Y,), (Match("p", (Const(1), Y)),), origin="query")
    assert model.solve(asked, {}) == [(2,)]


def test_answers_have_the_types_of_what_computes_them() -> None:
    half = Bind("y", Binary("/", Local("x"), Lit(2), REAL))
    twice = Bind("z", Binary("*", Local("x"), Lit(Decimal("0.5")), DECIMAL))
    model = run((), {"a": [(4,)]})
    (row,) = model.solve(rule("typed?", (X, Y, Z), (Match("a", (X,)), half, twice), origin="query"), {})
    assert row == (4, Fraction(2), Decimal(2))
    assert [type(value) for value in row] == [int, Fraction, Decimal]


def test_a_rule_without_a_body_derives_its_head() -> None:
    assert run((rule("q", (Const(3),), ()),), {}).rows("q") == ((3,),)


def test_negations_nested_a_hundred_deep_are_planned_and_run() -> None:
    body: tuple[Any, ...] = (Match("e", (X, Y)),)
    for _ in range(100):
        body = (Match("a", (X,)), Not(body))
    facts = {"a": [(1,), (2,)], "e": [(1, 0)]}
    assert run((rule("q", (X,), body),), facts).rows("q") == ((1,),)


def test_many_threads_may_ask_one_model() -> None:
    edges = [(i, (i * 7 + 1) % 60) for i in range(60)]
    model, fresh = run(closure(), {"e": edges}), run(closure(), {"e": edges})
    asked = rule("reach?", (Y,), (Match("p", (X, Y)), Match("e", (Y, Z))), origin="query", inputs=("x",))

    def answers(number: int) -> tuple[Any, ...]:
        start = number % 70
        return model.solve(asked, {"x": start}), model.lookup("p", {1: start}), model.rows("p")[start]

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(answers, range(200)))
    for number, (solved, found, row) in enumerate(together):
        start = number % 70
        assert solved == fresh.solve(asked, {"x": start})
        assert (found, row) == (fresh.lookup("p", {1: start}), fresh.rows("p")[start])


_SEEDED = """
from tests.engine.test_fixpoint import closure, run
model = run(closure(), {"e": [("a", "b"), ("b", "c"), ("c", "a"), ("c", True), (1, "a")]})
print([(row, model.origin("p", row), model.rank("p", row)) for row in model.rows("p")])
"""


def test_nothing_depends_on_the_seed_of_hashes() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _SEEDED],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
