"""The engine's evidence at full length: random programs against the reference, random writes against cold runs."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.engine.model import compile_program, diff, evaluate
from tests.engine.programs import NUMBERS, Program, cyclic_programs, programs
from tests.engine.test_fixpoint import CLOCK, derived
from tests.engine.test_fixpoint import reference as stratified
from tests.engine.test_fixpoint import run as run_program
from tests.engine.test_maintain import Facts, assert_same, changed
from tests.engine.test_well_founded import estimates
from tests.engine.test_well_founded import reference as both

pytestmark = pytest.mark.long


@settings(max_examples=1_000, deadline=None, derandomize=True, database=None)
@given(cyclic_programs())
def test_a_thousand_programs_that_recurse_through_negation_agree_with_the_alternating_fixpoint(
    program: Program,
) -> None:
    assert estimates(run_program(program.rules, program.facts)) == both(program)


@settings(max_examples=1_000, deadline=None, derandomize=True, database=None)
@given(programs())
def test_a_thousand_stratified_programs_agree_with_the_reference(program: Program) -> None:
    assert derived(run_program(program.rules, program.facts)) == stratified(program)


@settings(max_examples=500, deadline=None, derandomize=True, database=None)
@given(st.one_of(programs(), programs(NUMBERS)), st.integers(0, 10**6))
def test_five_hundred_walks_of_random_writes_leave_what_cold_runs_give(program: Program, seed: int) -> None:
    pick, compiled = random.Random(seed), compile_program(program.module())
    facts: Facts = {key: list(rows) for key, rows in program.facts.items()}
    model = evaluate(compiled, facts, CLOCK)
    for _ in range(6):
        facts = changed(facts, pick)
        old, model, cold = model, evaluate(compiled, facts, CLOCK, after=model), evaluate(compiled, facts, CLOCK)
        assert_same(model, cold)
        assert diff(old, model) == diff(old, cold)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(cyclic_programs(), st.integers(0, 10**6))
def test_three_hundred_walks_with_rows_in_doubt_leave_what_cold_runs_give(program: Program, seed: int) -> None:
    pick, compiled = random.Random(seed), compile_program(program.module())
    facts: Facts = {key: list(rows) for key, rows in program.facts.items()}
    model = evaluate(compiled, facts, CLOCK)
    for _ in range(4):
        facts = changed(facts, pick)
        old, model, cold = model, evaluate(compiled, facts, CLOCK, after=model), evaluate(compiled, facts, CLOCK)
        assert estimates(model) == estimates(cold)
        assert diff(old, model) == diff(old, cold)
