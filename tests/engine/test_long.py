"""The engine's evidence at full length: random programs against the reference in either executor, random writes against
cold runs, proofs step by step, failures that are told, suggestions that are tried."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.engine.executors import Choice, forced
from argon_lang.engine.model import compile_program, diff, evaluate
from tests.engine import test_provenance, test_whynot
from tests.engine.programs import NUMBERS, Program, cyclic_programs, games, programs
from tests.engine.test_fixpoint import CLOCK, derived
from tests.engine.test_fixpoint import reference as stratified
from tests.engine.test_fixpoint import run as run_program
from tests.engine.test_maintain import Facts, assert_same, changed
from tests.engine.test_well_founded import estimates
from tests.engine.test_well_founded import reference as both
from tests.runtime import test_suggest

pytestmark = pytest.mark.long
EXECUTORS: tuple[Choice, ...] = ("rows", "columns")


@settings(max_examples=1_000, deadline=None, derandomize=True, database=None)
@given(st.one_of(cyclic_programs(), games()))
def test_a_thousand_programs_that_recurse_through_negation_agree_with_the_alternating_fixpoint(
    program: Program,
) -> None:
    wanted = both(program)
    for choice in EXECUTORS:
        with forced(choice):
            assert estimates(run_program(program.rules, program.facts)) == wanted, choice


@settings(max_examples=1_000, deadline=None, derandomize=True, database=None)
@given(programs())
def test_a_thousand_stratified_programs_agree_with_the_reference(program: Program) -> None:
    wanted = stratified(program)
    for choice in EXECUTORS:
        with forced(choice):
            assert derived(run_program(program.rules, program.facts)) == wanted, choice


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


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(programs())
def test_every_step_of_the_proofs_of_three_hundred_programs_is_valid_and_well_founded(program: Program) -> None:
    test_provenance.test_every_step_of_every_proof_is_valid_and_well_founded.hypothesis.inner_test(program)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(cyclic_programs())
def test_the_proofs_of_three_hundred_programs_with_rows_in_doubt_are_valid_in_either_estimate(program: Program) -> None:
    test_provenance.test_proofs_are_valid_in_either_estimate_where_rows_are_in_doubt.hypothesis.inner_test(program)


@settings(max_examples=500, deadline=None, derandomize=True, database=None)
@given(programs(), st.data())
def test_every_failure_that_is_named_in_five_hundred_programs_is_one(program: Program, data: st.DataObject) -> None:
    test_whynot.test_every_named_failure_is_one.hypothesis.inner_test(program, data)


BODIES = st.lists(
    st.lists(st.sampled_from(test_suggest.LITERALS), min_size=1, max_size=4, unique=True), min_size=1, max_size=2
)
EDGES = st.sets(st.tuples(st.sampled_from("ef"), st.sampled_from(test_suggest.PAIRS)), max_size=6)


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(BODIES, EDGES)
def test_every_suggestion_in_a_hundred_worlds_works_and_none_is_larger_than_need_be(bodies: Any, edges: Any) -> None:
    inner = test_suggest.test_every_suggestion_works_and_none_is_larger_than_need_be.hypothesis.inner_test
    inner(bodies, edges)
