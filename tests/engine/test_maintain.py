"""A component brought up to date is the one that a cold run gives, down to the clause and round of each row."""

from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.engine import fixpoint, maintain
from argon_lang.engine.maintain import Repaired
from argon_lang.engine.model import Model, compile_program, diff, evaluate
from argon_lang.ir.rules import Match, Not, Rule, Var
from tests.engine.programs import NUMBERS, Program, module_of, programs, rule
from tests.engine.test_fixpoint import CLOCK, closure

X, Y, Z = (Var(name) for name in "xyz")
Facts = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
def repairs() -> Iterator[list[Repaired | None]]:
    """What every attempt to bring a component up to date came to."""
    seen: list[Repaired | None] = []
    whole = fixpoint.repair

    def noted(*arguments: Any) -> Repaired | None:
        seen.append(whole(*arguments))
        return seen[-1]

    with patch.object(fixpoint, "repair", noted):
        yield seen


def changed(facts: Facts, pick: random.Random) -> Facts:
    """The facts after one to three insertions and deletions."""
    for _ in range(pick.choice([1, 1, 2, 3])):
        key = pick.choice("aeft")
        rows = facts.get(key, [])
        if rows and pick.random() < 0.5:
            gone = pick.randrange(len(rows))
            rows = [row for i, row in enumerate(rows) if i != gone]
        else:
            rows = [*rows, tuple(pick.randrange(5) for _ in range({"a": 1, "t": 3}.get(key, 2)))]
        facts = {**facts, key: rows}
    return facts


def assert_same(model: Model, cold: Model) -> None:
    assert model.known_keys() == cold.known_keys()
    for key in cold.known_keys():
        assert model.rows(key) == cold.rows(key)
        for row in cold.rows(key):
            assert model.origin(key, row) == cold.origin(key, row)
            assert model.rank(key, row) == cold.rank(key, row)


@pytest.mark.parametrize("allowance", [256, 3])
def test_random_writes_leave_what_a_cold_run_gives_and_the_delta_is_the_difference(allowance: int) -> None:
    @settings(max_examples=30, deadline=None, derandomize=True)
    @given(st.one_of(programs(), programs(NUMBERS)), st.integers(0, 10**6))
    def walk(program: Program, seed: int) -> None:
        pick, compiled = random.Random(seed), compile_program(program.module())
        facts: Facts = {key: list(rows) for key, rows in program.facts.items()}
        model = evaluate(compiled, facts, CLOCK)
        for _ in range(4):
            facts = changed(facts, pick)
            old, model, cold = model, evaluate(compiled, facts, CLOCK, after=model), evaluate(compiled, facts, CLOCK)
            assert_same(model, cold)
            assert diff(old, model) == diff(old, cold)

    with patch.object(maintain, "_LEAST_ALLOWANCE", allowance):
        walk()


def test_an_edge_more_or_less_in_a_closure_touches_what_it_changes(repairs: list[Repaired | None]) -> None:
    pick = random.Random(4)
    edges = sorted({(pick.randrange(120), pick.randrange(120)) for _ in range(400)})
    compiled = compile_program(module_of(closure()))
    model = evaluate(compiled, {"e": edges}, CLOCK)
    for _ in range(10):
        gone = pick.randrange(len(edges))
        edges = [*(edge for i, edge in enumerate(edges) if i != gone), (pick.randrange(120), pick.randrange(120))]
        edges = list(dict.fromkeys(edges))
        model = evaluate(compiled, {"e": edges}, CLOCK, after=model)
        assert_same(model, evaluate(compiled, {"e": edges}, CLOCK))
    assert repairs
    assert all(each is not None for each in repairs)


def test_a_path_that_only_supports_itself_goes_with_the_edge_that_led_to_it() -> None:
    compiled = compile_program(module_of(closure()))
    ring = [(i, (i + 1) % 6) for i in range(1, 6)]
    old = evaluate(compiled, {"e": [*ring, (0, 1), (9, 2)]}, CLOCK)
    new = evaluate(compiled, {"e": ring[:-1]}, CLOCK, after=old)
    assert_same(new, evaluate(compiled, {"e": ring[:-1]}, CLOCK))


def test_what_would_touch_too_much_is_evaluated_anew(repairs: list[Repaired | None]) -> None:
    compiled = compile_program(module_of(closure()))
    line = [(i, i + 1) for i in range(60)]
    old = evaluate(compiled, {"e": line}, CLOCK)
    cut = [edge for edge in line if edge != (30, 31)]
    new = evaluate(compiled, {"e": cut}, CLOCK, after=old)
    assert repairs == [None]
    assert_same(new, evaluate(compiled, {"e": cut}, CLOCK))


def test_a_component_in_which_something_is_in_doubt_is_evaluated_anew(repairs: list[Repaired | None]) -> None:
    rules: tuple[Rule, ...] = (
        rule("q", (X,), (Match("e", (X, Y)), Not((Match("q", (Y,)),)))),
        rule("p", (X, X), (Match("q", (X,)),)),
    )
    compiled = compile_program(module_of(rules))
    old = evaluate(compiled, {"e": [(1, 1), (2, 3)]}, CLOCK)
    new = evaluate(compiled, {"e": [(1, 1), (2, 3), (4, 5)]}, CLOCK, after=old)
    assert not repairs
    assert (new.rows("p"), new.doubted("p")) == (((2, 2), (4, 4)), ((1, 1),))


def test_base_rows_that_are_equal_though_written_otherwise_count_once() -> None:
    compiled = compile_program(module_of(closure()))
    one, other = (1, 2), (Decimal("1.0"), 2)
    both = evaluate(compiled, {"e": [one, other]}, CLOCK)
    less = evaluate(compiled, {"e": [other]}, CLOCK, after=both)
    none = evaluate(compiled, {"e": []}, CLOCK, after=less)
    assert (both.rows("p"), less.rows("p"), none.rows("p")) == (((1, 2),), ((1, 2),), ())
