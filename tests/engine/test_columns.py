"""Columns derive what rows derive: the same rows, each with the same clause and round."""

from __future__ import annotations

from hypothesis import given, settings

from argon_lang.engine.executors import Choice, forced
from argon_lang.engine.model import Model, compile_program, evaluate
from argon_lang.program.types import INT, TOP
from tests.engine.programs import NUMBERS, Program, programs
from tests.engine.test_fixpoint import CLOCK, derived, reference


def model_in(choice: Choice, program: Program, numbers: bool = False) -> Model:
    with forced(choice):
        return evaluate(compile_program(program.module(INT if numbers else TOP)), program.facts, CLOCK)


def everything(model: Model) -> dict[str, list[object]]:
    """All rows of a model, each with its origin."""
    return {key: [(row, model.origin(key, row)) for row in model.rows(key)] for key in model.known_keys()}


@settings(max_examples=80, deadline=None, derandomize=True)
@given(programs())
def test_columns_and_rows_agree_with_the_reference_and_on_every_origin(program: Program) -> None:
    columns = model_in("columns", program)
    assert derived(columns) == reference(program)
    assert everything(columns) == everything(model_in("rows", program))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(programs(NUMBERS))
def test_columns_and_rows_agree_where_types_let_them_compare_by_number(program: Program) -> None:
    columns = model_in("columns", program, numbers=True)
    assert derived(columns) == reference(program)
    assert everything(columns) == everything(model_in("rows", program, numbers=True))
