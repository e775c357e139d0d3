"""The typing table and the implementations tell the same story."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from argon_lang.engine import exact, rows
from argon_lang.engine.builtins import BUILTINS
from argon_lang.engine.exprs import Context, Functions, evaluate_expression
from argon_lang.engine.governor import Governor
from argon_lang.errors import ArgonError
from argon_lang.ir.expr import Builtin, Lit
from argon_lang.ir.values import MapValue, Money, RangeValue
from argon_lang.program import types as t
from argon_lang.program.collections import K, T, U, V, W
from argon_lang.program.intrinsics import (
    INTRINSICS,
    Signature,
    arithmetic_result,
    intrinsic_result,
    is_ordered,
    negation_result,
)
from tests.engine.values import SAMPLES, fits

CLOCK = datetime(2026, 1, 31, 23, 30, tzinfo=UTC)
OPERATIONS = {
    "+": exact.add,
    "-": exact.subtract,
    "*": exact.multiply,
    "/": exact.divide,
    "%": exact.remainder,
}
ANY: dict[t.TypeVar, t.Type] = dict.fromkeys((T, U, K, V, W), t.INT)


def call(name: str, *values: Any) -> Any:
    context = Context(CLOCK, Governor())
    run = Functions().compile(Builtin(name, tuple(map(Lit, values)), t.UNKNOWN), ())
    return evaluate_expression(run, context)


def outcome(calculate: Callable[[], Any]) -> Any:
    """The result, or the refusal."""
    try:
        return calculate()
    except ArgonError as error:
        return error


def concrete(shape: t.Type) -> t.Type:
    return t.substituted(shape, ANY)


def test_every_intrinsic_is_implemented_and_nothing_else_but_what_queries_in_rules_become() -> None:
    made_by_lowering = {name for name, _, _ in rows.TABLE}
    assert not made_by_lowering & INTRINSICS.keys()
    assert BUILTINS.keys() == INTRINSICS.keys() | made_by_lowering


SIGNATURES = [(entry.name, signature) for entry in INTRINSICS.values() for signature in entry.signatures]


@pytest.mark.parametrize(("name", "signature"), SIGNATURES, ids=[f"{n}-{i}" for i, (n, _) in enumerate(SIGNATURES)])
def test_an_intrinsic_gives_a_value_of_its_declared_type_or_says_why_not(name: str, signature: Signature) -> None:
    kinds = tuple(concrete(param) for param in signature.params)
    expected = intrinsic_result(name, kinds)
    assert expected == concrete(signature.result)
    for values in itertools.product(*(SAMPLES[ty] for ty in kinds)):
        result = outcome(partial(call, name, *values))
        if isinstance(result, ArgonError):
            assert (result.code, BUILTINS[name].fallible) == ("ARGON_RUNTIME_ARITHMETIC", True)
        else:
            assert fits(result, expected), (name, values, result)


TYPES = (t.BOOL, t.NAT, t.INT, t.DECIMAL, t.REAL, t.MONEY, t.FLOAT, t.STRING, t.DATE, t.DATETIME, t.DURATION)


@pytest.mark.parametrize("op", OPERATIONS)
def test_an_operator_gives_its_declared_type_and_takes_nothing_else(op: str) -> None:
    for left, right in itertools.product(TYPES, TYPES):
        expected = arithmetic_result(op, left, right)
        for a, b in itertools.product(SAMPLES[left], SAMPLES[right]):
            result = outcome(partial(OPERATIONS[op], a, b))
            if isinstance(result, ArgonError):
                assert result.code == ("ARGON_RUNTIME_INTERNAL" if expected is None else "ARGON_RUNTIME_ARITHMETIC")
            else:
                assert expected is not None, (op, left, right)
                assert fits(result, expected), (op, a, b, result)


def test_unary_minus_gives_its_declared_type() -> None:
    for ty in TYPES:
        expected = negation_result(ty)
        for value in SAMPLES[ty]:
            if expected is None:
                with pytest.raises(ArgonError):
                    exact.negate(value)
            else:
                assert fits(exact.negate(value), expected)


def test_only_comparable_types_are_ordered() -> None:
    assert is_ordered(t.INT, t.DECIMAL)
    assert is_ordered(t.DATE, t.DATETIME)
    assert not is_ordered(t.MONEY, t.INT)
    assert not is_ordered(t.BOOL, t.BOOL)
    assert not is_ordered(t.FLOAT, t.REAL)


def test_an_argument_of_the_wrong_type_has_no_result_type() -> None:
    assert intrinsic_result("round", (t.STRING,)) is None
    assert intrinsic_result("nothing", (t.INT,)) is None
    assert intrinsic_result("contains", (t.ListOf(t.INT), t.STRING)) is None
    assert intrinsic_result("unwrap_or", (t.OptionOf(t.REAL), t.NAT)) == t.REAL
    assert intrinsic_result("min", (t.INT, t.DECIMAL)) == t.REAL
    assert intrinsic_result("map", (t.ListOf(t.INT), t.FnOf((t.STRING,), t.BOOL))) is None
    assert intrinsic_result("map", (t.ListOf(t.INT), t.FnOf((t.INT,), t.BOOL))) == t.ListOf(t.BOOL)
    assert intrinsic_result("get", (t.Applied("Map", (t.STRING, t.INT)), t.INT)) is None


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("today", (), date(2026, 1, 31)),
        ("now", (), CLOCK),
        ("days", (30,), timedelta(days=30)),
        ("days", (timedelta(days=2, hours=23),), 2),
        ("days", (timedelta(days=-2, hours=-1),), -2),
        ("add_months", (date(2026, 1, 31), 1), date(2026, 2, 28)),
        ("add_months", (date(2026, 1, 31), -2), date(2025, 11, 30)),
        ("add_years", (date(2024, 2, 29), 1), date(2025, 2, 28)),
        ("round", (Decimal("2.5"),), 3),
        ("round", (Decimal("-2.5"),), -3),
        ("round_half_even", (Decimal("2.5"),), 2),
        ("round", (Fraction(2, 3), 2), Decimal("0.67")),
        ("round", (Money(Decimal("1.005")), 2), Money(Decimal("1.01"))),
        ("trunc", (Decimal("-2.7"),), -2),
        ("floor", (Decimal("-2.1"),), -3),
        ("ceil", (Fraction(7, 3),), 3),
        ("round", (Decimal(1250), -2), Decimal(1300)),
        ("pow", (2, 100), 2**100),
        ("pow", (Fraction(2), -2), Fraction(1, 4)),
        ("pow", (Decimal("1.1"), 2), Decimal("1.21")),
        ("to_int", (Decimal("3.00"),), 3),
        ("to_money", (Fraction(5, 2),), Money(Decimal("2.5"))),
        ("weekday", (date(2026, 1, 31),), 6),
        ("contains", ((1, 2), Decimal("2.0")), True),
        ("contains", ((1, 2), True), False),
        ("unwrap_or", (None, 3), 3),
        ("first", ((),), None),
        ("last", ((1, 2),), 2),
        ("length", ("naïve",), 5),
        ("get", ((1, 2), 1), 2),
        ("get", ((1, 2), -1), None),
        ("index", ("abc", 1), "b"),
        ("slice", ((1, 2, 3), 1, 9), (2, 3)),
        ("slice", ((1, 2, 3), -1, 2), (1, 2)),
        ("slice", ((1, 2, 3), 2, 1), ()),
        ("map", (frozenset({3, 1}), lambda x: -x), (-1, -3)),
        ("filter", (4, lambda x: x > 5), None),
        ("fold", ((1, 2, 3), 10, lambda so_far, x: so_far - x), 4),
        ("any", ((), lambda x: True), False),
        ("all", ((), lambda x: False), True),
        ("flat_map", ((1, 2), lambda x: (x, x)), (1, 1, 2, 2)),
        ("find", ((1, 5, 7), lambda x: x > 2), 5),
        ("sort_by", (("bb", "a", "c"), len), ("a", "c", "bb")),
        ("to_map", ((1, 2), lambda x: x % 2, lambda x: -x), MapValue(frozenset({(1, -1), (0, -2)}))),
        ("group_by", ((1, 2, 3), lambda x: x % 2), MapValue(frozenset({(1, (1, 3)), (0, (2,))}))),
        ("keys", (MapValue(frozenset({(2, "b"), (1, "c")})),), (1, 2)),
        ("values", (MapValue(frozenset({(2, "b"), (1, "c")})),), ("c", "b")),
        ("put", (MapValue(frozenset({(2, "b")})), Decimal("2.0"), "c"), MapValue(frozenset({(Decimal("2.0"), "c")}))),
        ("without", (MapValue(frozenset({(2, "b")})), 2), MapValue(frozenset())),
        (
            "to_list",
            (RangeValue(date(2026, 1, 30), date(2026, 2, 2)),),
            tuple(date(2026, 1, 30) + timedelta(n) for n in range(3)),
        ),
        ("to_list", (RangeValue(3, 1),), ()),
        ("contains", (RangeValue(1, 3), 3), False),
        ("contains", (RangeValue(1, 3), 1), True),
        ("overlaps", (RangeValue(1, 3), RangeValue(3, 5)), False),
        ("overlaps", (RangeValue(1, 3), RangeValue(2, 2)), False),
        ("overlaps", (RangeValue(1, 9), RangeValue(2, 3)), True),
        ("to_set", ((1, Decimal("1.0")),), frozenset({1})),
        ("present", (None,), ()),
    ],
)
def test_intrinsics_by_example(name: str, values: tuple[Any, ...], expected: Any) -> None:
    result = call(name, *values)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ("name", "values", "found"),
    [
        ("to_int", (Fraction(1, 2),), "a number that is not whole"),
        ("to_decimal", (Fraction(1, 3),), "a number without finite decimals"),
        ("to_money", (Fraction(1, 3),), "a number without finite decimals"),
        ("add_years", (date(2026, 1, 1), 9_000), "a date beyond the calendar (years 1 to 9999)"),
        ("days", (10**12,), "a duration beyond the calendar"),
        ("pow", (Fraction(0), -1), "division by zero"),
        ("pow", (3, 10**9), "a number with too many digits"),
        ("to_f64", (10**400,), "a number too large for f64"),
        ("index", ((1, 2), 2), "position 2 of 2, counted from 0"),
        ("index", ((1, 2), -1), "position -1 of 2, counted from 0"),
        ("index", (MapValue(frozenset()), "a"), "no key a"),
        ("to_map", ((1, 2), lambda x: 0, lambda x: x), "the key 0 twice"),
        ("to_list", (RangeValue(0, 10**7),), "a range of 10000000 values"),
    ],
)
def test_where_there_is_no_result_the_reason_is_named(name: str, values: tuple[Any, ...], found: str) -> None:
    with pytest.raises(ArgonError) as caught:
        call(name, *values)
    assert caught.value.code == "ARGON_RUNTIME_ARITHMETIC"
    assert dict(caught.value.args_)["found"] == found


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("to_set", ((True, 1),)),
        ("to_set", ((1, 1.0),)),
        ("to_set", (((True,), (1,)),)),
        ("add", (frozenset({1}), True)),
        ("put", (MapValue(frozenset({(1, "a")})), True, "a")),
        ("group_by", ((0, False), lambda each: each)),
    ],
)
def test_values_that_differ_in_type_alone_are_never_taken_for_one_another(name: str, values: tuple[Any, ...]) -> None:
    with pytest.raises(ArgonError) as caught:
        call(name, *values)
    assert dict(caught.value.args_)["found"] == "values that differ in type alone, such as true and 1"
