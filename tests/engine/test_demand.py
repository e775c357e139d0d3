"""What is derived for one goal alone is what a full evaluation derives for it: rows, rounds, proofs, why-not trees."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.engine import glimpse as glimpses
from argon_lang.engine.governor import Governor, Limits
from argon_lang.engine.model import Model, compile_program, evaluate, glimpse
from argon_lang.engine.provenance import explain
from argon_lang.engine.whynot import why_not
from argon_lang.errors import ArgonError
from argon_lang.ir.expr import Binary, Lit, Local
from argon_lang.ir.rules import Aggregate, Bind, Const, Match, Not, Test, Var
from argon_lang.program.types import BOOL, INT
from tests.engine.programs import ARITY, BASE, Program, module_of, programs, rule
from tests.engine.test_fixpoint import CLOCK

X, Y, Z, K, N = map(Var, "xyzkn")
LEFT = (
    rule("p", (X, Y), (Match("e", (X, Y), 0),)),
    rule("p", (X, Z), (Match("p", (X, Y), 1), Match("e", (Y, Z), 2))),
)
RIGHT = (LEFT[0], rule("p", (X, Z), (Match("e", (X, Y), 1), Match("p", (Y, Z), 2))))
SOURCE = 13
DERIVED = sorted(ARITY.keys() - BASE.keys())


@pytest.fixture(autouse=True)
def _always_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glimpses, "_WORTH", 0)


def derived(model: Model, key: str) -> int:
    """How many rows of a key there are by now."""
    return len(model._environment.space.rows(key))


def edges(count: int, many: int, seed: int = 1) -> dict[str, list[tuple[Any, ...]]]:
    source = random.Random(seed)
    return {"e": sorted({(source.randrange(count), source.randrange(count)) for _ in range(many)})}


@st.composite
def goals(draw: st.DrawFn) -> tuple[Program, str, tuple[Any, ...]]:
    """A program, and a goal in which at least one column is known."""
    program = draw(programs(st.integers(0, 4)))
    key = draw(st.sampled_from(DERIVED))
    row = draw(st.tuples(*[st.one_of(st.none(), st.integers(0, 4))] * ARITY[key]))
    return program, key, row if any(value is not None for value in row) else (0, *row[1:])


def known(row: tuple[Any, ...]) -> dict[int, Any]:
    return {at: value for at, value in enumerate(row) if value is not None}


@settings(max_examples=25, deadline=None, derandomize=True)
@given(goals())
def test_the_rows_that_a_goal_asks_for_are_those_of_the_whole_model(
    asked: tuple[Program, str, tuple[Any, ...]],
) -> None:
    program, key, row = asked
    compiled = compile_program(program.module())
    whole, part = evaluate(compiled, program.facts, CLOCK), glimpse(compiled, program.facts, CLOCK)
    assert part.lookup(key, known(row)) == whole.lookup(key, known(row))
    for each in whole.lookup(key, known(row)):
        assert part.origin(key, each) == whole.origin(key, each)
        assert explain(part, key, each) == explain(whole, key, each)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(goals())
def test_why_not_says_the_same_of_a_glimpse(asked: tuple[Program, str, tuple[Any, ...]]) -> None:
    program, key, row = asked
    compiled = compile_program(program.module())
    whole, part = evaluate(compiled, program.facts, CLOCK), glimpse(compiled, program.facts, CLOCK)
    assert why_not(part, key, row) == why_not(whole, key, row)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(goals(), st.sampled_from(DERIVED), st.integers(0, 4))
def test_a_query_with_a_known_column_has_the_answers_of_the_whole_model(
    asked: tuple[Program, str, tuple[Any, ...]], other: str, value: int
) -> None:
    program, key, row = asked
    heads = tuple(Var(f"h{at}") for at in range(ARITY[key]))
    terms = tuple(head if found is None else Const(found) for head, found in zip(heads, row, strict=True))
    more = (X, *(Var(f"o{at}") for at in range(1, ARITY[other])))
    shown = tuple(term for term in terms if isinstance(term, Var))
    query = rule("ask?", shown, (Match(key, terms), Not((Match(other, more),))), origin="query", inputs=("x",))
    compiled = compile_program(program.module())
    whole, part = evaluate(compiled, program.facts, CLOCK), glimpse(compiled, program.facts, CLOCK)
    assert part.solve(query, {"x": value}) == whole.solve(query, {"x": value})


@settings(max_examples=15, deadline=None, derandomize=True)
@given(goals(), st.lists(st.tuples(st.sampled_from(DERIVED), st.integers(0, 4)), max_size=6))
def test_whatever_is_asked_next_is_answered_from_the_same_rows(
    asked: tuple[Program, str, tuple[Any, ...]], more: list[tuple[str, int]]
) -> None:
    program, key, row = asked
    compiled = compile_program(program.module())
    whole, part = evaluate(compiled, program.facts, CLOCK), glimpse(compiled, program.facts, CLOCK)
    assert part.holds(key, row) == whole.holds(key, row)
    for name, value in more:
        assert part.lookup(name, {0: value}) == whole.lookup(name, {0: value})
    assert [part.rows(name) for name in DERIVED] == [whole.rows(name) for name in DERIVED]


def reached(model: Model, source: int) -> Iterator[int]:
    return (row[1] for row in model.lookup("p", {0: source}))


@pytest.mark.parametrize("clauses", [LEFT, RIGHT], ids=["left", "right"])
def test_who_is_reached_from_one_source_costs_no_closure(clauses: tuple[Any, ...]) -> None:
    program, facts = compile_program(module_of(clauses)), edges(60, 150)
    part, whole = glimpse(program, facts, CLOCK), evaluate(program, facts, CLOCK)
    assert list(reached(part, SOURCE)) == list(reached(whole, SOURCE))
    if clauses is LEFT:
        assert derived(part, "p") < 100 < derived(whole, "p")


@pytest.mark.parametrize("clauses", [LEFT, RIGHT], ids=["left", "right"])
def test_a_proof_costs_no_closure(clauses: tuple[Any, ...]) -> None:
    program, facts = compile_program(module_of(clauses)), edges(60, 150)
    part, whole = glimpse(program, facts, CLOCK), evaluate(program, facts, CLOCK)
    row = whole.rows("p")[500]
    assert explain(part, "p", row) == explain(whole, "p", row) is not None
    assert derived(part, "p") < 150 < derived(whole, "p")


def test_what_comes_to_much_is_evaluated_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glimpses, "_LEAST_ALLOWANCE", 5)
    program, facts = compile_program(module_of(LEFT)), edges(60, 150)
    part, whole = glimpse(program, facts, CLOCK), evaluate(program, facts, CLOCK)
    monkeypatch.setattr(glimpses, "_SHARE", 0)
    assert list(reached(part, SOURCE)) == list(reached(whole, SOURCE))
    assert derived(part, "p") == derived(whole, "p")


def test_the_limits_of_the_request_are_those_of_its_answer() -> None:
    program, facts = compile_program(module_of(LEFT)), edges(60, 150)
    with pytest.raises(ArgonError) as refused:
        list(reached(glimpse(program, facts, CLOCK, Governor(Limits(max_derived=5))), SOURCE))
    assert (refused.value.code, refused.value.details["knob"]) == ("ARGON_RUNTIME_BUDGET_EXCEEDED", "maxDerived")


def test_an_expression_that_fails_for_rows_that_nobody_asked_about_fails_nobody() -> None:
    tenth = Bind("n", Binary("/", Lit(10), Local("y"), INT))
    guarded = (Match("e", (X, Y)), Not((Match("p", (Y, Y)),)), tenth)
    rules = (*LEFT, rule("s", (X, N), guarded), rule("r", (X, Y), (Match("s", (X, Y)), Match("p", (X, X)))))
    facts = {"e": [(1, 2), (2, 1), (1, 0), (0, 0)]}
    program = compile_program(module_of(rules, INT))
    whole = evaluate(program, facts, CLOCK)
    for source in (1, 3):
        assert glimpse(program, facts, CLOCK).lookup("r", {0: source}) == whole.lookup("r", {0: source})


def test_what_an_aggregate_ranges_over_is_wanted_too() -> None:
    counted = Aggregate("n", "count", (K,), K, (Match("p", (X, K)),), INT)
    rules = (*LEFT, rule("s", (X, N), (Match("e", (X, Y)), counted, Test(Binary(">", Local("n"), Lit(2), BOOL)))))
    program, facts = compile_program(module_of(rules)), edges(60, 150)
    part, whole = glimpse(program, facts, CLOCK), evaluate(program, facts, CLOCK)
    assert part.lookup("s", {0: SOURCE}) == whole.lookup("s", {0: SOURCE}) != ()
    assert derived(part, "p") < derived(whole, "p")


@pytest.mark.parametrize("clauses", [LEFT, RIGHT], ids=["left", "right"])
def test_a_query_from_one_source_costs_what_is_reached(clauses: tuple[Any, ...]) -> None:
    program, facts = compile_program(module_of(clauses)), edges(60, 150)
    part, whole = glimpse(program, facts, CLOCK), evaluate(program, facts, CLOCK)
    query = rule("ask?", (Y,), (Match("p", (X, Y)),), origin="query", inputs=("x",))
    assert part.solve(query, {"x": SOURCE}) == whole.solve(query, {"x": SOURCE}) != []
    assert derived(part, "p") < 100 < derived(whole, "p")
    assert explain(part, "p", (SOURCE, 27)) == explain(whole, "p", (SOURCE, 27))


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.data())
def test_a_question_passed_on_has_the_answers_of_all_that_it_comes_to(data: st.DataObject) -> None:
    numbers = st.integers(0, 5)
    facts = {
        "e": data.draw(st.lists(st.tuples(numbers, numbers), max_size=12)),
        "f": data.draw(st.lists(st.tuples(numbers, numbers), max_size=6)),
        "a": data.draw(st.lists(st.tuples(numbers), max_size=3)),
        "p": data.draw(st.lists(st.tuples(numbers, numbers), max_size=1)),
    }
    step = data.draw(st.sampled_from([(Not((Match("q", (Y,)),)),), (Match("u", (Y,)),), (Match("w", (Y, K)),), ()]))
    rules = (
        rule("p", (X, Y), (Match("f", (X, Y)),)),
        rule("p", (X, Const(9)), (Match("q", (X,)),)),
        rule("p", (X, Z), (Match("e", (X, Y)), Match("p", (Y, Z)), *step)),
        rule("q", (X,), (Match("a", (X,)),)),
        rule("q", (Y,), (Match("q", (X,)), Match("e", (X, Y)), Match("f", (X, K)))),
        rule("u", (X,), (Match("w", (X, Y)), Not((Match("q", (X,)),)))),
        rule("w", (X, Y), (Match("p", (X, Y)),) if data.draw(st.booleans()) and not step else (Match("e", (X, Y)),)),
    )
    program = compile_program(module_of(rules))
    part, whole = glimpse(program, facts, CLOCK), evaluate(program, facts, CLOCK)
    read = (
        (Match("a", (X,)), Match("p", (X, Y))) if data.draw(st.booleans()) else (Match("p", (X, Y)), Match("q", (Y,)))
    )
    query = rule("ask?", (X, Y), read, origin="query", inputs=data.draw(st.sampled_from([(), ("x",)])))
    given_ = {name: data.draw(numbers) for name in query.inputs}
    assert part.solve(query, given_) == whole.solve(query, given_)
    assert [part.rows(key) for key in DERIVED] == [whole.rows(key) for key in DERIVED]
