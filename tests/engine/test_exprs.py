"""Expressions compiled to Python: values, functions, state reads, and the depth that they may reach."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.engine.exprs import Context, Functions, State, evaluate_expression
from argon_lang.engine.governor import Governor, Limits
from argon_lang.errors import ArgonError
from argon_lang.ir import expr as e
from argon_lang.ir.module import Function, Param
from argon_lang.ir.rules import Rule
from argon_lang.ir.values import Entity, EnumValue, Money, StructValue, TupleValue
from argon_lang.program.types import BOOL, INT, MONEY, REAL, STRING, UNKNOWN

CLOCK = datetime(2026, 1, 31, 12, tzinfo=UTC)
X, Y = e.Local("x"), e.Local("y")


def value(
    expr: e.Expr,
    functions: tuple[Function, ...] = (),
    state: State | None = None,
    limits: Limits | None = None,
    **env: Any,
) -> Any:
    run = Functions(functions).compile(expr, tuple(env))
    return evaluate_expression(run, Context(CLOCK, Governor(limits), state), *env.values())


def binary(op: str, left: e.Expr, right: e.Expr) -> e.Binary:
    return e.Binary(op, left, right, UNKNOWN)


def lit(value: Any) -> e.Lit:
    return e.Lit(value)


def test_operands_after_a_decided_one_are_not_evaluated() -> None:
    boom = binary("==", binary("/", lit(1), lit(0)), lit(1))
    assert value(binary("&&", lit(False), boom)) is False
    assert value(binary("||", lit(True), boom)) is True
    assert value(binary("&&", binary("&&", lit(True), lit(False)), boom)) is False
    assert value(e.If(lit(True), lit(1), binary("/", lit(1), lit(0)))) == 1
    with pytest.raises(ArgonError) as caught:
        value(binary("&&", lit(True), boom))
    assert caught.value.code == "ARGON_RUNTIME_ARITHMETIC"
    assert dict(caught.value.args_) == {"construct": "/", "found": "division by zero"}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.sampled_from(["&&", "||"]), st.booleans()), max_size=8), st.booleans())
def test_mixed_logic_follows_the_tree(steps: list[tuple[str, bool]], first: bool) -> None:
    tree: e.Expr = lit(first)
    expected = first
    for op, operand in steps:
        tree = binary(op, tree, lit(operand))
        expected = (expected and operand) if op == "&&" else (expected or operand)
    assert value(tree) is expected


def test_a_let_shadows_only_its_own_body() -> None:
    inner = e.LetIn("x", binary("+", X, lit(1)), binary("*", X, lit(10)))
    assert value(binary("+", inner, X), x=4) == 54


def test_comparisons_mix_exact_types_and_dates_with_instants() -> None:
    assert value(binary("<", lit(1), lit(Decimal("1.5"))))
    assert value(binary(">=", lit(Fraction(1, 3)), lit(Decimal("0.3333333333333333333"))))
    assert value(binary("==", lit(Decimal("2.00")), lit(2)))
    assert not value(binary("==", lit(True), lit(1)))
    assert value(binary("<", lit(date(2026, 1, 31)), e.Builtin("now", (), UNKNOWN)))
    assert value(binary("==", lit(date(2026, 1, 31)), lit(datetime(2026, 1, 31, tzinfo=UTC))))
    assert value(binary("in", lit(Decimal("2.0")), lit((1, 2))))
    assert value(binary("not_in", lit(True), lit((1, 2))))


def test_data_is_made_and_taken_apart() -> None:
    point = e.MakeStruct("p::Point", (("x", lit(1)), ("y", X)))
    assert value(point, x=2) == StructValue("p::Point", (("x", 1), ("y", 2)))
    assert value(e.GetMember(point, "y"), x=2) == 2
    tuple_ = e.MakeTuple("p::pays", (lit("a"), X))
    assert value(tuple_, x=2) == TupleValue("p::pays", ("a", 2))
    assert value(e.GetEnd(tuple_, 1), x=2) == 2
    assert value(e.MakeEnum("p::Size", "Of", (X,)), x=2) == EnumValue("p::Size", "Of", (2,))
    assert value(e.MakeList((X, lit(3))), x=2) == (2, 3)
    assert value(e.MakeList(())) == ()
    shown = e.Format(("Rent of ", ": ", "."), (X, lit(Money(Decimal("850.5")))))
    assert value(shown, x=Entity("p::ada")) == "Rent of ada: 850.50."


def function(path: str, params: str, body: e.Expr, reads_state: bool = False) -> Function:
    return Function(path, tuple(Param(name, INT) for name in params), INT, body, reads_state)


FACTORIAL = function(
    "p::factorial",
    "n",
    e.If(
        binary("<=", e.Local("n"), lit(1)),
        lit(1),
        binary("*", e.Local("n"), e.CallFn("p::factorial", (binary("-", e.Local("n"), lit(1)),))),
    ),
)
EVEN = function(
    "p::even",
    "n",
    e.If(binary("==", e.Local("n"), lit(0)), lit(True), e.CallFn("p::odd", (binary("-", e.Local("n"), lit(1)),))),
)
ODD = function(
    "p::odd",
    "n",
    e.If(binary("==", e.Local("n"), lit(0)), lit(False), e.CallFn("p::even", (binary("-", e.Local("n"), lit(1)),))),
)
ENDLESS = function("p::endless", "n", e.CallFn("p::endless", (e.Local("n"),)))


def test_functions_call_each_other() -> None:
    assert value(e.CallFn("p::factorial", (lit(20),)), (FACTORIAL,)) == 2432902008176640000
    assert value(e.CallFn("p::even", (lit(501),)), (EVEN, ODD)) is False


def test_recursion_reaches_the_limit_and_not_beyond() -> None:
    assert value(e.CallFn("p::even", (lit(999),)), (EVEN, ODD)) is False
    for start, limits, knob in ((lit(1_000), None, 1_000), (lit(9_999), Limits(fn_depth=50), 50)):
        with pytest.raises(ArgonError) as caught:
            value(e.CallFn("p::even", (start,)), (EVEN, ODD), limits=limits)
        assert caught.value.code == "ARGON_RUNTIME_BUDGET_EXCEEDED"
        assert caught.value.details["knob"] == "fnDepth"
        assert caught.value.details["limit"] == knob


def test_endless_recursion_never_becomes_a_recursion_error() -> None:
    with pytest.raises(ArgonError) as caught:
        value(e.CallFn("p::endless", (lit(1),)), (ENDLESS,), limits=Limits(fn_depth=20_000))
    assert caught.value.code == "ARGON_RUNTIME_BUDGET_EXCEEDED"


def test_a_function_that_runs_for_ever_in_breadth_times_out() -> None:
    twice = binary("+", *[e.CallFn("p::wide", (binary("-", e.Local("n"), lit(1)),))] * 2)
    wide = function("p::wide", "n", e.If(binary("<=", e.Local("n"), lit(0)), lit(1), twice))
    with pytest.raises(ArgonError) as caught:
        value(e.CallFn("p::wide", (lit(60),)), (wide,), limits=Limits(timeout_ms=20))
    assert caught.value.code == "ARGON_RUNTIME_TIMEOUT"


def test_long_chains_and_deep_nesting_meet_no_limit_of_python() -> None:
    chain: e.Expr = lit(0)
    for _ in range(5_000):
        chain = binary("+", chain, lit(1))
    assert value(chain) == 5_000
    nested: e.Expr = X
    for _ in range(300):
        nested = e.If(binary(">", X, lit(0)), binary("+", lit(1), nested), lit(0))
    assert value(nested, x=1) == 301
    lets: e.Expr = X
    for _ in range(2_000):
        lets = e.LetIn("x", binary("+", X, lit(1)), lets)
    assert value(lets, x=0) == 2_000
    assert sys.getrecursionlimit() < 100_000


class Fixed:
    """A state with one field, one predicate and one query."""

    def field(self, key: str, entity: Any) -> tuple[Any, ...]:
        return (850, 900) if (key, entity) == ("p::Lease.rents", "l") else ()

    def holds(self, key: str, arguments: tuple[Any, ...]) -> bool:
        return (key, arguments) == ("p::owes/2", ("ada", None))

    def query(self, path: str, arguments: tuple[Any, ...]) -> Any:
        return (path, *arguments)

    def solutions(self, rule: Rule, arguments: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        return [(each, amount) for each, amount in (("a", 3), ("b", 3), ("c", 5)) if each != arguments[0]]


def test_state_contexts_read_fields_predicates_and_queries() -> None:
    state = Fixed()
    assert value(e.GetField(X, "p::Lease.rents", False, True), state=state, x="l") == (850, 900)
    assert value(e.GetField(X, "p::Lease.rents", False, False), state=state, x="l") == 850
    assert value(e.GetField(X, "p::Lease.rents", True, False), state=state, x="other") is None
    assert value(e.GetField(X, "p::Lease.rents", False, True), state=state, x="other") == ()
    assert value(e.Holds("p::owes/2", (X, None)), state=state, x="ada") is True
    assert value(e.CallQuery("p::tenants", (X,)), state=state, x=1) == ("p::tenants", 1)


def test_an_aggregate_folds_the_last_column_of_its_solutions() -> None:
    ranged = Rule("id", "aggregate", (), (), "aggregate", ("v0",))
    assert value(e.Fold("sum", ranged, (X,), INT), state=Fixed(), x="z") == 11
    assert value(e.Fold("sum", ranged, (X,), INT), state=Fixed(), x="c") == 6
    assert value(e.Fold("count", ranged, (X,), INT), state=Fixed(), x="a") == 2
    assert value(e.Fold("avg", ranged, (X,), REAL), state=Fixed(), x="a") == 4
    with pytest.raises(ArgonError) as caught:
        value(e.Fold("one", ranged, (X,), INT), state=Fixed(), x="z")
    assert dict(caught.value.args_) == {"name": "one", "found": "2 values"}


def test_an_absent_required_field_is_a_domain_error_that_names_it() -> None:
    with pytest.raises(ArgonError) as caught:
        value(e.GetField(X, "p::Lease.rent", False, False), state=Fixed(), x=Entity("p::garden"))
    assert caught.value.code == "ARGON_RUNTIME_DERIVE_FAILED"
    assert dict(caught.value.args_) == {"name": "garden.rent", "found": "no value"}


@pytest.mark.parametrize(
    ("expr", "named"),
    [
        (e.GetField(X, "p::Lease.rent", False, False), "`.rent`"),
        (binary("+", lit(1), e.CallFn("p::reads", ())), "`reads`"),
        (e.CallFn("p::unknown", ()), "`unknown`"),
        (e.Builtin("frobnicate", (), UNKNOWN), "`frobnicate`"),
        (e.Holds("p::owes/2", ()), "`owes/2`"),
        (e.CallQuery("p::all", ()), "`all`"),
        (e.CallFn("p::factorial", (X,)), None),
    ],
)
def test_what_a_rule_cannot_evaluate_is_named(expr: e.Expr, named: str | None) -> None:
    functions = Functions((FACTORIAL, function("p::reads", "", lit(1), reads_state=True)))
    assert functions.refused(expr) == named


def test_unary_operators() -> None:
    assert value(e.Unary("!", lit(True), BOOL)) is False
    assert value(e.Unary("-", lit(Money(Decimal("2.50"))), MONEY)) == Money(Decimal("-2.50"))
    assert value(e.Builtin("abs", (e.Unary("-", lit(Fraction(1, 3)), REAL),), REAL)) == Fraction(1, 3)
    assert value(binary("+", lit("a"), e.Builtin("upper", (lit("b"),), STRING))) == "aB"
