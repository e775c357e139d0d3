"""A question of its own is answered from what it rests on; asked for more, the evaluation goes on."""

from __future__ import annotations

from hypothesis import given, settings

from argon_lang.engine.model import Model, compile_program, evaluate, glimpse
from argon_lang.engine.provenance import explain
from argon_lang.ir.rules import Match, Var
from tests.engine.programs import LEVELS, Program, cyclic_programs, module_of, programs, rule
from tests.engine.test_fixpoint import CLOCK, closure
from tests.engine.test_maintain import assert_same

X, Y = Var("x"), Var("y")
RULES = (*closure(), rule("q", (X,), (Match("a", (X,)),)), rule("u", (X,), (Match("q", (X,)), Match("e", (X, Y)))))
FACTS = {"e": [(1, 2), (2, 3)], "a": [(1,), (9,)]}


def evaluated(model: Model) -> set[str]:
    """The derived keys that have rows by now."""
    relations = model._environment.space.relations
    return {key for key in model.program.derived if key in relations and relations[key].rows}


def test_a_query_evaluates_what_it_reads_and_what_that_rests_on() -> None:
    model = glimpse(compile_program(module_of(RULES)), FACTS, CLOCK)
    assert evaluated(model) == set()
    asked = rule("ask?", (X,), (Match("u", (X,)),), origin="query")
    assert model.solve(asked, {}) == [(1,)]
    assert evaluated(model) == {"q", "u"}
    assert model.holds("p", (1, 3))
    assert evaluated(model) == {"p", "q", "u"}


def test_a_proof_has_the_ranks_of_the_whole_model() -> None:
    program = compile_program(module_of(RULES))
    part, whole = glimpse(program, FACTS, CLOCK), evaluate(program, FACTS, CLOCK)
    assert part.rows("u") == whole.rows("u")
    assert explain(part, "u", (1,)) == explain(whole, "u", (1,))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(programs())
def test_key_by_key_it_comes_to_the_whole_model(program: Program) -> None:
    compiled = compile_program(program.module())
    part, whole = glimpse(compiled, program.facts, CLOCK), evaluate(compiled, program.facts, CLOCK)
    for key in sorted(key for level in LEVELS for key in level)[::-1]:
        assert part.rows(key) == whole.rows(key)
    assert_same(part, whole)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(cyclic_programs())
def test_where_rows_may_be_in_doubt_they_are_those_of_the_whole_model(program: Program) -> None:
    compiled = compile_program(program.module())
    part, whole = glimpse(compiled, program.facts, CLOCK), evaluate(compiled, program.facts, CLOCK)
    assert [part.doubted(key) for key in sorted(compiled.derived)] == [
        whole.doubted(key) for key in sorted(compiled.derived)
    ]
