"""Recursion through negation has the well-founded model; what it leaves open is possible, not definite (S4.1–S4.3)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.engine.model import Model, compile_program, evaluate
from argon_lang.ir.module import Concept, Module
from argon_lang.ir.rules import Match, Not, Rule, Var
from tests.engine import naive
from tests.engine.programs import Program, cyclic_programs, games, module_of, rule

CLOCK = datetime(2026, 1, 31, 12, tzinfo=UTC)
X, Y, Z = (Var(name) for name in "xyz")


def run(rules: tuple[Rule, ...], facts: dict[str, Any]) -> Model:
    return evaluate(compile_program(module_of(rules)), facts, CLOCK)


def estimates(model: Model) -> tuple[naive.Facts, naive.Facts]:
    """The definite and the possible rows, by key, with plain values."""
    definite = {key: {tuple(map(naive.plain, row)) for row in model.rows(key)} for key in model.known_keys()}
    doubted = {
        key: {tuple(map(naive.plain, row)) for row in model.doubted(key)} for key in sorted(model.program.derived)
    }
    possible = {key: definite.get(key, set()) | doubted.get(key, set()) for key in {*definite, *doubted}}
    return definite, {key: rows for key, rows in possible.items() if rows}


def reference(program: Program) -> tuple[naive.Facts, naive.Facts]:
    definite, possible = naive.well_founded(program.rules, program.facts)
    return {k: v for k, v in definite.items() if v}, {k: v for k, v in possible.items() if v}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(cyclic_programs())
def test_both_estimates_are_those_of_the_alternating_fixpoint(program: Program) -> None:
    assert estimates(run(program.rules, program.facts)) == reference(program)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(games())
def test_games_of_many_moves_are_those_of_the_alternating_fixpoint(program: Program) -> None:
    assert estimates(run(program.rules, program.facts)) == reference(program)


WIN = rule("q", (X,), (Match("e", (X, Y)), Not((Match("q", (Y,)),))))


def test_win_and_move_decides_what_ends_and_leaves_circles_open() -> None:
    """A position wins when a move leads to one that does not; a circle without a way out is a draw."""
    model = run((WIN,), {"e": [(1, 2), (2, 3), (3, 4), (5, 6), (6, 5), (7, 5), (7, 8), (8, 9), (9, 8), (9, 10)]})
    assert model.rows("q") == ((1,), (3,), (7,), (9,))
    assert model.doubted("q") == ((5,), (6,))


def test_a_circle_with_a_way_out_that_loses_is_decided() -> None:
    assert run((WIN,), {"e": [(5, 6), (6, 5), (6, 7)]}).rows("q") == ((6,),)
    assert run((WIN,), {"e": [(5, 6), (6, 5), (6, 7)]}).doubted("q") == ()


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_odd_and_even_loops_leave_every_tuple_in_doubt(length: int) -> None:
    edges = [(i, (i + 1) % length) for i in range(length)]
    model = run((WIN,), {"e": edges})
    assert model.rows("q") == ()
    assert model.doubted("q") == tuple((i,) for i in range(length))


def test_mutual_defaults_are_in_doubt_until_a_fact_decides_them() -> None:
    mutual = (
        rule("q", (X,), (Match("a", (X,)), Not((Match("u", (X,)),)))),
        rule("u", (X,), (Match("a", (X,)), Not((Match("q", (X,)),)))),
        rule("u", (X,), (Match("f", (X, X)),)),
        rule("p", (X, X), (Match("q", (X,)),)),
        rule("p", (X, X), (Match("u", (X,)),)),
        rule("s", (X, X), (Match("a", (X,)), Not((Match("p", (X, X)),)))),
    )
    model = run(mutual, {"a": [(1,), (2,)], "f": [(2, 2)]})
    assert (model.rows("q"), model.rows("u"), model.rows("p")) == ((), ((2,),), ((2, 2),))
    assert (model.doubted("q"), model.doubted("u")) == (((1,),), ((1,),))
    assert (model.doubted("p"), model.doubted("s")) == (((1, 1),), ((1, 1),))


def test_tuples_that_only_support_each_other_are_false_not_in_doubt() -> None:
    """q and u are founded only on each other once p is true: an unfounded set."""
    rules = (
        rule("p", (X, X), (Match("a", (X,)), Not((Match("r", (X, X)),)))),
        rule("r", (X, X), (Match("a", (X,)), Match("f", (X, X)), Not((Match("p", (X, X)),)))),
        rule("q", (X,), (Match("u", (X,)),)),
        rule("u", (X,), (Match("q", (X,)),)),
        rule("q", (X,), (Match("a", (X,)), Not((Match("p", (X, X)),)))),
        rule("r", (X, X), (Match("q", (X,)), Match("f", (X, X)))),
    )
    model = run(rules, {"a": [(1,)], "f": []})
    assert model.rows("p") == ((1, 1),)
    assert model.count("q") == model.count("u") == 0
    assert model.doubted("q") == model.doubted("u") == ()


def test_a_chain_of_many_thousand_moves_is_decided_in_linear_steps() -> None:
    model = run((WIN,), {"e": [(i, i + 1) for i in range(20_000)]})
    assert model.count("q") == 10_000
    assert model.holds("q", (19_999,))
    assert not model.holds("q", (19_998,))
    assert model.doubted("q") == ()


def test_rounds_of_definite_rows_are_those_of_their_lowest_derivation() -> None:
    reach = (WIN, rule("p", (X, Y), (Match("e", (X, Y)), Match("q", (X,)))), *closed("p"))
    model = run(reach, {"e": [(1, 2), (2, 3), (3, 4)]})
    for key in ("q", "p"):
        for row in model.rows(key):
            assert model.rank(key, row) >= 1


def closed(key: str) -> tuple[Rule, ...]:
    return (rule(key, (X, Z), (Match(key, (X, Y)), Match("e", (Y, Z)))),)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(cyclic_programs(), st.lists(st.tuples(st.sampled_from(["a", "e"]), st.integers(0, 2)), max_size=3))
def test_evaluating_again_after_changes_gives_both_estimates_of_a_cold_run(
    program: Program, changes: list[tuple[str, int]]
) -> None:
    compiled, facts = compile_program(program.module()), dict(program.facts)
    model = evaluate(compiled, facts, CLOCK)
    for key, number in changes:
        row = (number,) * (1 if key == "a" else 2)
        facts[key] = facts[key][1:] if number == 0 else [*facts[key], row]
        model = evaluate(compiled, facts, CLOCK, after=model)
        assert estimates(model) == estimates(evaluate(compiled, facts, CLOCK))


OPENED = Module(
    "test",
    "0",
    concepts=(
        Concept("Person", "type", (), ()),
        Concept("Convict", "type", ("Person",), (), open=True),
        Concept("Murderer", "type", ("Convict",), (), open=True),
        Concept("Ghost", "type", (), (), open=True),
    ),
    rules=(
        *(rule(key, (X,), (Match(below, (X,)),)) for key, below in (("Person", "Person^"), ("Convict", "Convict^"))),
        rule("Murderer", (X,), (Match("Murderer^", (X,)),)),
        rule("Convict", (X,), (Match("Murderer", (X,)),)),
        rule("Person", (X,), (Match("Convict", (X,)),)),
        rule("clean", (X,), (Match("Person", (X,)), Not((Match("Convict", (X,)),)))),
    ),
)


def test_an_open_concept_possibly_holds_of_all_that_its_supertypes_possibly_have() -> None:
    model = evaluate(
        compile_program(OPENED),
        {"Person^": [("ann",), ("bob",)], "Convict^": [("cid",)], "Convict-": [("bob",)]},
        CLOCK,
    )
    assert model.rows("Convict") == (("cid",),)
    assert model.doubted("Convict") == (("ann",),)
    assert model.doubted("Murderer") == (("ann",), ("cid",))
    assert model.doubted("Ghost") == (("ann",), ("bob",), ("cid",))
    assert model.rows("clean") == (("bob",),)
    assert model.doubted("clean") == (("ann",),)


def test_what_is_refuted_is_not_possible_and_what_is_derived_all_the_same_holds() -> None:
    mutual = (
        rule("q", (X,), (Match("a", (X,)), Not((Match("u", (X,)),)))),
        rule("u", (X,), (Match("a", (X,)), Not((Match("q", (X,)),)))),
        rule("s", (X, X), (Match("q", (X,)),)),
        rule("p", (X, X), (Match("s", (X, X)),)),
        rule("r", (X, X), (Match("a", (X,)),)),
    )
    model = evaluate(
        compile_program(module_of(mutual)),
        {"a": [(1,), (2,)], "q-": [(1,)], "s-": [(2, 2)], "r-": [(1, 1)]},
        CLOCK,
    )
    assert (model.rows("q"), model.rows("u")) == ((), ((1,),))
    assert model.doubted("q") == model.doubted("u") == ((2,),)
    assert model.doubted("s") == model.doubted("p") == ()
    assert model.rows("r") == ((1, 1), (2, 2))


def test_the_bar_on_a_refuted_row_falls_where_its_own_component_derives_it() -> None:
    rules = (WIN, rule("q", (X,), (Match("f", (X, X)),)))
    model = evaluate(
        compile_program(module_of(rules)), {"e": [(1, 2), (2, 1), (3, 1)], "f": [(1, 1)], "q-": [(1,)]}, CLOCK
    )
    assert model.rows("q") == ((1,),)
    assert model.doubted("q") == ()


def test_a_refuted_row_that_only_its_own_denial_would_derive_is_not() -> None:
    """Barred it would hold, and held it would not: it stays refuted, and nothing is Both."""
    model = evaluate(compile_program(module_of((WIN,))), {"e": [(1, 1), (2, 1)], "q-": [(1,)]}, CLOCK)
    assert model.rows("q") == ()
    assert model.doubted("q") == ((2,),)
