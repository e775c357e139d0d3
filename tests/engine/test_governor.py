"""Every long loop asks the governor; over a limit it says which one, how far it came, and which knob to turn."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import Any

import pytest

from argon_lang.engine.compiled import Environment
from argon_lang.engine.exprs import Context
from argon_lang.engine.governor import PACE, Governor, Limits
from argon_lang.engine.model import Model, compile_program, evaluate
from argon_lang.errors import ArgonError
from argon_lang.ir.expr import Binary, Lit, Local
from argon_lang.ir.rules import Bind, Match, Not, Rule, Test, Var
from argon_lang.program.types import BOOL, INT
from tests.engine.programs import module_of, rule

CLOCK = datetime(2026, 1, 31, tzinfo=UTC)
X, Y, Z = (Var(name) for name in "xyz")
CHAIN = {"e": [(i, i + 1) for i in range(400)]}
CLOSURE = (
    rule("p", (X, Y), (Match("e", (X, Y)),)),
    rule("p", (X, Z), (Match("p", (X, Y)), Match("e", (Y, Z)))),
)
PRODUCT = (rule("t", (X, Y, Z), (Match("a", (X,)), Match("a", (Y,)), Match("a", (Z,)))),)
BIG = {"a": [(i,) for i in range(2_000)]}


def run(rules: tuple[Rule, ...], facts: dict[str, Any], limits: Limits | None = None, **more: Any) -> Model:
    return evaluate(compile_program(module_of(rules)), facts, CLOCK, Governor(limits, **more))


def refusal(rules: tuple[Rule, ...], facts: dict[str, Any], limits: Limits | None = None, **more: Any) -> ArgonError:
    with pytest.raises(ArgonError) as caught:
        run(rules, facts, limits, **more)
    return caught.value


class Clock:
    """Each reading is one second later."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def test_the_defaults_are_those_of_the_specification() -> None:
    limits = Limits()
    assert (limits.timeout_ms, limits.max_rows, limits.max_derived) == (30_000, 10_000, 20_000_000)
    assert (limits.max_rounds, limits.max_proof_nodes, limits.fn_depth) == (1_000_000, 2_000, 1_000)


def test_a_long_recursion_stops_at_the_limit_of_rounds() -> None:
    error = refusal(CLOSURE, CHAIN, Limits(max_rounds=10))
    assert error.code == "ARGON_RUNTIME_BUDGET_EXCEEDED"
    assert error.details == {"reached": 11, "limit": 10, "knob": "maxRounds"}


def test_an_endless_recursion_stops_at_a_limit() -> None:
    more = Bind("y", Binary("+", Local("x"), Lit(1), INT))
    rules = (rule("q", (X,), (Match("a", (X,)),)), rule("q", (Y,), (Match("q", (X,)), more)))
    error = refusal(rules, {"a": [(0,)]}, Limits(max_rounds=500))
    assert error.details["knob"] == "maxRounds"


def test_a_product_of_three_stops_before_it_fills_the_memory() -> None:
    error = refusal(PRODUCT, BIG, Limits(max_derived=50_000))
    assert error.code == "ARGON_RUNTIME_BUDGET_EXCEEDED"
    assert error.details["knob"] == "maxDerived"
    reached = error.details["reached"]
    assert isinstance(reached, int)
    assert 50_000 < reached < 1_000_000


def test_time_is_asked_inside_one_join() -> None:
    error = refusal(PRODUCT, BIG, Limits(timeout_ms=4_000), clock=Clock())
    assert error.code == "ARGON_RUNTIME_TIMEOUT"
    assert error.retryable
    assert error.details["knob"] == "timeoutMs"


def test_time_is_asked_inside_a_negation() -> None:
    sum_ = Binary("+", Local("y"), Local("z"), INT)
    never = Not((Match("a", (Y,)), Match("a", (Z,)), Test(Binary("==", sum_, Lit(-1), BOOL))))
    search = rule("q", (X,), (Match("u", (X,)), never))
    error = refusal((search,), {**BIG, "u": [(1,)]}, Limits(timeout_ms=4_000), clock=Clock())
    assert error.code == "ARGON_RUNTIME_TIMEOUT"


MANY = 20 * PACE
FEW_SECONDS = Limits(timeout_ms=15_000)
"""With `Clock`: so many questions, fewer than pass over `MANY` rows."""


@pytest.mark.parametrize(
    ("facts", "body"),
    [
        ({"u": [(1,)], "a": [(i,) for i in range(MANY)]}, (Match("u", (X,)), Match("a", (Y,)))),
        ({"u": [(1,)], "e": [(1, i) for i in range(MANY)]}, (Match("u", (X,)), Match("e", (X, Y)))),
        ({"e": [(1, i) for i in range(MANY)]}, (Match("e", (X, Y)),)),
    ],
    ids=["all rows", "one bucket", "a copy"],
)
def test_time_is_asked_within_an_innermost_loop_over_very_many_rows(facts: dict[str, Any], body: Any) -> None:
    program = compile_program(module_of((rule("p", (X, Y), body),)))
    loaded = evaluate(compile_program(module_of(())), facts, CLOCK)
    clock = Clock()
    governor = Governor(FEW_SECONDS, clock=clock)
    environment = Environment(loaded.environment.space, loaded.environment.interner, Context(CLOCK, governor))
    with pytest.raises(ArgonError) as caught:
        program.by_key["p"][0][1].deriver(environment)(set(), None)
    assert caught.value.code == "ARGON_RUNTIME_TIMEOUT"


def test_time_is_asked_while_base_rows_are_numbered() -> None:
    error = refusal((), {"a": [(i,) for i in range(MANY)]}, FEW_SECONDS, clock=Clock())
    assert error.code == "ARGON_RUNTIME_TIMEOUT"


def test_cancellation_from_another_thread_ends_the_evaluation() -> None:
    governor = Governor()
    canceller = threading.Timer(0.02, governor.cancel)
    canceller.start()
    with pytest.raises(ArgonError) as caught:
        evaluate(compile_program(module_of(PRODUCT)), BIG, CLOCK, governor)
    canceller.join()
    assert caught.value.code == "ARGON_RUNTIME_CANCELLED"


def test_a_limit_that_is_just_met_refuses_nothing() -> None:
    model = run(CLOSURE, {"e": CHAIN["e"][:20]}, Limits(max_derived=210))
    assert model.count("p") == 210
    error = refusal(CLOSURE, {"e": CHAIN["e"][:20]}, Limits(max_derived=209))
    assert error.details["limit"] == 209


def test_a_query_has_its_own_governor() -> None:
    model = run(CLOSURE, {"e": CHAIN["e"][:50]})
    asked = rule("all?", (X, Y, Z), (Match("p", (X, Var("w"))), Match("p", (Y, Var("v"))), Match("p", (Z, Var("u")))))
    with pytest.raises(ArgonError) as caught:
        model.solve(asked, {}, Governor(Limits(max_derived=1_000)))
    assert caught.value.details["knob"] == "maxDerived"


def test_a_governor_made_anew_shares_time_and_cancellation_and_counts_for_itself() -> None:
    governor = Governor(Limits(max_derived=10))
    governor.derived(10)
    again = governor.anew()
    again.derived(10)
    with pytest.raises(ArgonError) as error:
        again.derived(1)
    assert error.value.details["knob"] == "maxDerived"
    governor.cancel()
    with pytest.raises(ArgonError) as error:
        again.check()
    assert error.value.code == "ARGON_RUNTIME_CANCELLED"
