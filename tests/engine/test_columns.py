"""Columns derive what rows derive: the same rows, each with the same clause and round."""

from __future__ import annotations

import threading
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings

from argon_lang.engine import executors, relations
from argon_lang.engine.columns.executor import Columns
from argon_lang.engine.executors import Choice, forced
from argon_lang.engine.governor import Governor, Limits
from argon_lang.engine.model import Model, compile_program, evaluate
from argon_lang.engine.tuples import Tuples
from argon_lang.errors import ArgonError
from argon_lang.ir.expr import Binary, Lit, Local
from argon_lang.ir.rules import Bind, Match, Rule, Test, Var
from argon_lang.ir.values import Entity, EnumValue, StructValue
from argon_lang.program.types import BOOL, INT, REAL, TOP
from tests.engine.programs import NUMBERS, Program, module_of, programs, rule
from tests.engine.test_fixpoint import CLOCK, derived, reference
from tests.engine.values import SAMPLES

X, Y, Z = (Var(name) for name in "xyz")
VALUES = [
    *(value for values in SAMPLES.values() for value in values if not callable(value)),
    Entity("test::anna"),
    EnumValue("test::Size", "Sized", (Decimal("2.50"),)),
    StructValue("test::Point", (("x", 1), ("y", Decimal("0.5")))),
]


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


PEOPLE = {"e": [(i, (7 * i + 3) % 400) for i in range(400)] + [(i, (5 * i + 1) % 400) for i in range(400)]}
CLOSURE = (
    rule("p", (X, Y), (Match("e", (X, Y)),)),
    rule("p", (X, Z), (Match("p", (X, Y)), Match("e", (Y, Z)))),
)
PRODUCT = (rule("t", (X, Y, Z), (Match("a", (X,)), Match("a", (Y,)), Match("a", (Z,)))),)


def refused(rules: tuple[Rule, ...], facts: dict[str, Any], limits: Limits | None = None, **more: Any) -> ArgonError:
    with forced("columns"), pytest.raises(ArgonError) as caught:
        evaluate(compile_program(module_of(rules)), facts, CLOCK, Governor(limits, **more))
    return caught.value


REACH = (
    rule("q", (X,), (Match("a", (X,)),)),
    rule("q", (Y,), (Match("q", (X,)), Match("e", (X, Y)))),
)
GROWING = Program(CLOSURE, {"e": [(i, i + 1) for i in range(60)]})
SHRINKING = Program(REACH, {"a": [(0,)], "e": [(i, i + 1) for i in range(200)]})


@pytest.mark.parametrize(("program", "order"), [(GROWING, ["Tuples", "Columns"]), (SHRINKING, ["Columns", "Tuples"])])
def test_a_component_changes_over_as_its_rounds_grow_or_shrink_without_a_difference(
    monkeypatch: pytest.MonkeyPatch, program: Program, order: list[str]
) -> None:
    for module, name, value in ((relations, "_LARGE", 64), (executors, "_WORTH", 64), (executors, "_SMALL_ROUND", 16)):
        monkeypatch.setattr(module, name, value)
    used: list[str] = []
    for kind in (Tuples, Columns):
        monkeypatch.setattr(kind, "commit", noting(kind, used))
    chosen = evaluate(compile_program(program.module()), program.facts, CLOCK)
    assert list(dict.fromkeys(used)) == order
    assert everything(chosen) == everything(model_in("rows", program)) == everything(model_in("columns", program))


def noting(kind: type[Any], used: list[str]) -> Any:
    commit = kind.commit

    def noted(self: Any) -> Any:
        used.append(kind.__name__)
        return commit(self)

    return noted


@pytest.mark.parametrize("value", VALUES)
def test_values_of_every_type_come_out_of_columns_as_they_went_in(value: Any) -> None:
    facts = {"e": [(value, 1), (True, 2), (1, 3), (Decimal("1.50"), value)], "a": [(value,)]}
    rules = (*CLOSURE, rule("u", (X,), (Match("p", (X, Y)), Match("a", (X,)))))
    program = Program(rules, facts)
    columns, rows = model_in("columns", program), model_in("rows", program)
    for key in rows.known_keys():
        assert list(map(repr, columns.rows(key))) == list(map(repr, rows.rows(key)))
    assert columns.holds("u", (value,))


def test_a_failing_expression_is_told_as_rows_tell_it() -> None:
    failing = (rule("q", (Z,), (Match("a", (X,)), Bind("z", Binary("/", Lit(1), Local("x"), REAL)))),)
    facts = {"a": [(3,), (0,), (5,)]}
    with forced("rows"), pytest.raises(ArgonError) as caught:
        evaluate(compile_program(module_of(failing)), facts, CLOCK)
    in_columns = refused(failing, facts)
    assert (in_columns.code, in_columns.details) == (caught.value.code, caught.value.details)


def test_values_that_outgrow_a_word_are_gone_on_with() -> None:
    step = (
        rule("q", (X,), (Match("a", (X,)),)),
        rule("q", (Y,), (Match("q", (X,)), Test(Binary("<", Local("x"), Lit(300), BOOL)), plus("y", "x", 1))),
    )
    program = Program(step, {"a": [(0,)]})
    assert everything(model_in("columns", program)) == everything(model_in("rows", program))


def plus(var: str, name: str, number: int) -> Bind:
    return Bind(var, Binary("+", Local(name), Lit(number), INT))


def test_columns_ask_the_governor_for_time_size_and_rounds() -> None:
    ticking = iter(range(10**9))
    big = {"a": [(i,) for i in range(400)]}
    late = refused(PRODUCT, big, Limits(timeout_ms=20), clock=lambda: next(ticking) / 1000)
    assert late.code == "ARGON_RUNTIME_TIMEOUT"
    assert refused(PRODUCT, big, Limits(max_derived=1_000_000)).details["knob"] == "maxDerived"
    assert refused(CLOSURE, PEOPLE, Limits(max_rounds=2)).details["knob"] == "maxRounds"


def test_columns_are_cancelled_inside_one_join() -> None:
    governor = Governor()
    waiting = threading.Timer(0.05, governor.cancel)
    waiting.start()
    with forced("columns"), pytest.raises(ArgonError) as caught:
        evaluate(compile_program(module_of(PRODUCT)), {"a": [(i,) for i in range(2_000)]}, CLOCK, governor)
    assert caught.value.code == "ARGON_RUNTIME_CANCELLED"


def test_a_model_of_columns_is_brought_up_to_date_like_any_other() -> None:
    compiled = compile_program(module_of(CLOSURE))
    with forced("columns"):
        before = evaluate(compiled, PEOPLE, CLOCK)
        fewer = {"e": PEOPLE["e"][1:]}
        after, cold = evaluate(compiled, fewer, CLOCK, after=before), evaluate(compiled, fewer, CLOCK)
    assert everything(after) == everything(cold)
    assert before.count("p") != 0
