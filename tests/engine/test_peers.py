"""Other systems run the same random programs and give the same rows: clingo, DuckDB, SWI-Prolog with tables."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from argon_lang.engine.model import compile_program, evaluate
from argon_lang.program.types import INT
from tests.engine.peers import clingo_peer, duckdb_peer, prolog_peer
from tests.engine.programs import ARITY, NUMBERS, Program, circular_programs, stratified_programs
from tests.engine.test_fixpoint import CLOCK

Rows = dict[str, set[tuple[int, ...]]]
OPS = ("sum", "count", "min", "max")


@cache
def collected(kind: str, count: int) -> tuple[Program, ...]:
    """So many random programs, the same ones each time."""
    strategies: dict[str, st.SearchStrategy[Program]] = {
        "stratified": stratified_programs(NUMBERS, OPS),
        "circular": circular_programs(aggregating=False),
    }
    found: list[Program] = []

    @settings(
        max_examples=count,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategies[kind])
    def gather(program: Program) -> None:
        found.append(program)

    gather()
    return tuple(found)


def estimates(program: Program) -> tuple[Rows, Rows]:
    """The definite rows and those in doubt, by key; keys without any are left out."""
    model = evaluate(compile_program(program.module(INT)), program.facts, CLOCK)
    found = ({key: set(read(key)) for key in ARITY} for read in (model.rows, model.doubted))
    definite, doubted = ({key: rows for key, rows in each.items() if rows} for each in found)
    return definite, doubted  # type: ignore[return-value]


def known(rows: dict[str, Any]) -> Rows:
    """The rows of the program's own predicates."""
    return {key: set(found) for key, found in rows.items() if key in ARITY and found}


def agree_with_clingo(count: int) -> None:
    for program in collected("stratified", count):
        (only,) = clingo_peer.models(program.rules, program.facts)
        assert estimates(program) == (known(only), {}), clingo_peer.text(program.rules, program.facts)


def agree_with_stable_models(count: int, most: int = 200) -> None:
    """What is definite is in every stable model, and each of these has only what is possible."""
    with_several = 0
    for program in collected("circular", count):
        definite, doubted = estimates(program)
        found = clingo_peer.models(program.rules, program.facts, most)
        with_several += len(found) > 1
        for model in map(known, found):
            for key in ARITY:
                low, high = definite.get(key, set()), doubted.get(key, set())
                assert low <= model.get(key, set()) <= low | high, clingo_peer.text(program.rules, program.facts)
        if not doubted:
            assert list(map(known, found)) == [definite]
    assert with_several


def agree_with_duckdb(count: int) -> None:
    for program in collected("stratified", count):
        found = duckdb_peer.model(program.rules, program.facts, ARITY)
        assert estimates(program) == (known(found), {}), program


def agree_with_prolog(kind: str, count: int) -> None:
    if prolog_peer.PROGRAM is None:
        pytest.skip("SWI-Prolog is not installed (Debian: swi-prolog-nox)")
    listed = collected(kind, count)
    for program, (true, undefined) in zip(
        listed, prolog_peer.estimates([(each.rules, each.facts) for each in listed], ARITY), strict=True
    ):
        assert estimates(program) == (known(true), known(undefined)), program


def test_clingo_has_one_stable_model_of_a_stratified_program_and_it_is_ours() -> None:
    agree_with_clingo(40)


def test_every_stable_model_lies_between_what_is_definite_and_what_is_possible() -> None:
    agree_with_stable_models(60)


def test_duckdb_derives_the_same_rows() -> None:
    agree_with_duckdb(10)


@pytest.mark.parametrize("kind", ["stratified", "circular"])
def test_tabled_prolog_finds_the_same_rows_true_and_the_same_undefined(kind: str) -> None:
    agree_with_prolog(kind, 30)


@pytest.mark.long
def test_clingo_agrees_on_a_thousand_programs() -> None:
    agree_with_clingo(1_000)
    agree_with_stable_models(1_000)


@pytest.mark.long
def test_duckdb_agrees_on_two_hundred_programs() -> None:
    agree_with_duckdb(200)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["stratified", "circular"])
def test_tabled_prolog_agrees_on_five_hundred_programs(kind: str) -> None:
    agree_with_prolog(kind, 500)
