"""Arithmetic is exact: every result equals the rational one, or is rounded as its definition says."""

from __future__ import annotations

import operator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.engine import exact
from argon_lang.engine.display import display
from argon_lang.engine.identity import identity, same
from argon_lang.engine.intern import Interner, canonical
from argon_lang.engine.order import sort_key, sort_rows
from argon_lang.errors import ArgonError
from argon_lang.ir.values import Entity, EnumValue, Money, StructValue, TupleValue
from tests.engine.values import DECIMALS, EXACT, INTS, MONEY

OPERATORS = {"+": (exact.add, operator.add), "-": (exact.subtract, operator.sub), "*": (exact.multiply, operator.mul)}
quick = settings(max_examples=100, deadline=None, derandomize=True)


@quick
@given(st.sampled_from("+-*"), EXACT, EXACT)
def test_sums_differences_and_products_are_exact(op: str, left: Any, right: Any) -> None:
    ours, rational = OPERATORS[op]
    assert Fraction(ours(left, right)) == rational(Fraction(left), Fraction(right))  # type: ignore[arg-type]


@quick
@given(EXACT, EXACT.filter(bool))
def test_quotients_and_remainders_are_exact(left: Any, right: Any) -> None:
    assert exact.divide(left, right) == Fraction(left) / Fraction(right)
    assert Fraction(exact.remainder(left, right)) == Fraction(left) % Fraction(right)  # type: ignore[arg-type]


def test_a_decimal_is_never_rounded_to_a_context() -> None:
    long = Decimal("1." + "0" * 80 + "1")
    assert exact.add(long, Decimal(10**60)) == Decimal(str(10**60 + 1) + "." + "0" * 80 + "1")
    assert exact.multiply(long, long) == Decimal("1." + "0" * 80 + "2" + "0" * 80 + "1")


@quick
@given(MONEY, INTS.filter(bool))
def test_money_divided_rounds_half_even_to_two_places(amount: Money, divisor: int) -> None:
    result = exact.divide(amount, divisor)
    assert isinstance(result, Money)
    assert result.amount == round(Fraction(amount.amount) / divisor, 2)
    assert result.amount.as_tuple().exponent == -2


@quick
@given(MONEY, DECIMALS)
def test_money_times_a_decimal_is_exact(amount: Money, factor: Decimal) -> None:
    result = exact.multiply(factor, amount)
    assert isinstance(result, Money)
    assert Fraction(result.amount) == Fraction(amount.amount) * Fraction(factor)


def test_money_times_an_endless_fraction_rounds_as_a_division_does() -> None:
    assert exact.multiply(Money(Decimal(10)), Fraction(1, 3)) == Money(Decimal("3.33"))
    assert exact.divide(Money(Decimal("0.05")), 2) == Money(Decimal("0.02"))
    assert exact.divide(Money(Decimal("0.07")), 2) == Money(Decimal("0.04"))


@pytest.mark.parametrize("operation", [exact.divide, exact.remainder])
@pytest.mark.parametrize(("left", "zero"), [(1, 0), (Decimal(1), Decimal("0.0")), (Fraction(1), 0), (1.0, 0.0)])
def test_division_by_zero_is_a_domain_error(operation: Any, left: Any, zero: Any) -> None:
    with pytest.raises(ArgonError) as caught:
        operation(left, zero)
    assert caught.value.code == "ARGON_RUNTIME_ARITHMETIC"
    assert dict(caught.value.args_)["found"] == "division by zero"


def test_numbers_beyond_all_reason_are_refused_rather_than_computed() -> None:
    for base in (2**600_000, Fraction(1, 3**400_000), Decimal("1e300000")):
        with pytest.raises(ArgonError) as caught:
            exact.divide(exact.multiply(base, base), 7)
        assert caught.value.code == "ARGON_RUNTIME_ARITHMETIC"


def test_an_f64_result_is_finite_or_an_error() -> None:
    assert exact.multiply(0.5, 3.0) == 1.5
    with pytest.raises(ArgonError):
        exact.multiply(1e308, 10.0)


def test_dates_move_by_durations_and_differ_by_them() -> None:
    assert exact.add(date(2026, 2, 1), timedelta(days=30)) == date(2026, 3, 3)
    assert exact.subtract(date(2026, 3, 3), date(2026, 2, 1)) == timedelta(days=30)
    assert exact.add(date(2026, 2, 1), timedelta(hours=36)) == date(2026, 2, 2)
    assert exact.subtract(datetime(2026, 1, 1, 12, tzinfo=UTC), date(2026, 1, 1)) == timedelta(hours=12)
    with pytest.raises(ArgonError):
        exact.add(date(9999, 12, 31), timedelta(days=1))


VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-3, 3), DECIMALS, st.fractions(max_denominator=4), st.text(max_size=2),
        MONEY,
        st.floats(-2, 2), st.dates(), st.builds(Entity, st.sampled_from(["p::a", "#2.1", "#10.1", "q"])),
        st.datetimes().map(lambda d: d.replace(tzinfo=UTC)), st.timedeltas(),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2).map(tuple),
        st.frozensets(inner, max_size=2),
        st.builds(EnumValue, st.just("E"), st.sampled_from("AB"), st.lists(inner, max_size=1).map(tuple)),
        st.builds(TupleValue, st.just("r"), st.lists(inner, max_size=2).map(tuple)),
        inner.map(lambda value: StructValue("S", (("f", value),))),
    ),
    max_leaves=4,
)  # fmt: skip


@quick
@given(VALUES, VALUES)
def test_interning_identity_and_order_agree_on_what_is_equal(left: Any, right: Any) -> None:
    interner = Interner()
    equal = interner.intern(left) == interner.intern(right)
    assert equal == (identity(left) == identity(right)) == (sort_key(left) == sort_key(right))
    assert not equal or same(left, right)


@quick
@given(VALUES)
def test_the_canonical_form_is_the_same_value_and_reads_the_same(value: Any) -> None:
    assert same(canonical(value), value)
    assert canonical(canonical(value)) == canonical(value)
    assert display(canonical(value)) == display(value)


@quick
@given(st.lists(st.tuples(VALUES), max_size=6))
def test_rows_of_any_values_have_one_order(rows: list[tuple[Any, ...]]) -> None:
    assert [sort_key(row[0]) for row in sort_rows(rows)] == [sort_key(r[0]) for r in sort_rows(reversed(rows))]


def test_minted_individuals_follow_declared_ones_by_transaction_and_ordinal() -> None:
    ids = ["#10.1", "#9.2", "#9.10", "zoo::last", "pkg::alice"]
    ordered = [entity.id for (entity,) in sort_rows((Entity(i),) for i in ids) if isinstance(entity, Entity)]
    assert ordered == ["pkg::alice", "zoo::last", "#9.2", "#9.10", "#10.1"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Decimal("12.50"), "12.5"),
        (Decimal("1E+3"), "1000"),
        (Fraction(1, 3), "1/3"),
        (Fraction(3, 2), "1.5"),
        (Money(Decimal("12.5")), "12.50"),
        (Money(Decimal("12.345")), "12.345"),
        (True, "true"),
        (date(2026, 1, 31), "2026-01-31"),
        (datetime(2026, 1, 31, 12, tzinfo=UTC), "2026-01-31T12:00:00Z"),
        (timedelta(days=1, hours=2), "1 day 2 hours"),
        (timedelta(days=-3), "-(3 days)"),
        (Entity("pkg::alice"), "alice"),
        (Entity("#7.1"), "#7.1"),
        (EnumValue("p::Size", "Small"), "Small"),
        ((1, "a"), "[1, a]"),
    ],
)
def test_values_read_in_one_canonical_way(value: Any, text: str) -> None:
    assert display(value) == text


def test_a_number_of_any_length_can_be_shown() -> None:
    assert display(10**5_000) == "1" + "0" * 5_000
