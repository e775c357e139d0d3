"""The encoding is total, exact, the same everywhere, and refuses what it did not write."""

from __future__ import annotations

import dataclasses
import math
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any

import cbor2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.ir import codec, expr, module, rules, statements
from argon_lang.ir import values as vals
from argon_lang.ir.codec import MAX_DEPTH, CodecError, content_id, dump_value, dumps, load_value, loads, rule_id
from argon_lang.ir.schema import BY_CLASS, BY_NUMBER
from argon_lang.ir.shapes import VALUE, node
from argon_lang.program import types
from tests.ir.strategies import instances, values

many = settings(max_examples=200, deadline=None, derandomize=True)
some = settings(max_examples=60, deadline=None, derandomize=True)


@many
@given(values)
def test_a_value_comes_back_as_it_was(value: vals.Value) -> None:
    data = dump_value(value)
    back = load_value(data)
    assert back == value
    assert type(back) is type(value)
    assert dump_value(back) == data


@some
@given(instances(module.Module, 6))
def test_a_module_comes_back_as_it_was(program: module.Module) -> None:
    data = dumps(program)
    back = loads(data, module.Module)
    assert back == program
    assert dumps(back) == data


@pytest.mark.parametrize("cls", sorted(BY_CLASS, key=lambda cls: BY_CLASS[cls].number), ids=lambda cls: cls.__name__)
def test_every_registered_class_comes_back_as_it_was(cls: type) -> None:
    @settings(max_examples=8, deadline=None, derandomize=True)
    @given(instances(cls, 6))
    def holds(item: object) -> None:
        data = dumps(item)
        assert loads(data, cls) == item
        assert dumps(loads(data, cls)) == data

    holds()


def _declared(*modules: Any) -> set[type]:
    here = {m.__name__ for m in modules}
    found = (thing for m in modules for thing in vars(m).values())
    classes = (thing for thing in found if isinstance(thing, type) and dataclasses.is_dataclass(thing))
    return {cls for cls in classes if cls.__module__ in here}


def test_the_registry_knows_every_class_of_the_lowered_program_and_every_field() -> None:
    declared = _declared(expr, module, rules, statements, vals, types)
    assert set(BY_CLASS) == declared - {vals.Money}
    for schema in BY_NUMBER.values():
        assert len(schema.shapes) == len(dataclasses.fields(schema.cls)), schema.cls


def test_numbers_of_the_registry_and_of_the_scalars_are_all_different() -> None:
    scalars = [codec.TUPLE, codec.SET, 2, 6, 7, 8, 9, 10]
    assert len({*scalars, *BY_NUMBER}) == len(scalars) + len(BY_NUMBER)


def test_values_of_different_types_never_share_their_bytes() -> None:
    alike = [1, True, 1.0, Fraction(1), Decimal(1), Decimal("1.0"), "1", vals.Money(Decimal(1)), (1,), frozenset({1})]
    assert len({dump_value(value) for value in alike}) == len(alike)


def test_a_map_with_a_key_that_stands_twice_is_no_map() -> None:
    pairs = [[codec.TUPLE, 1, 2], [codec.TUPLE, 1, 3]]
    with pytest.raises(CodecError, match="a map of different keys"):
        load_value(cbor2.dumps([13, [codec.SET, *pairs]], canonical=True))


@pytest.mark.parametrize("text", ["12.50", "-0", "1E+30", "0E-7", "123456789012345678901234567890.123456789"])
def test_a_decimal_keeps_its_scale(text: str) -> None:
    assert str(load_value(dump_value(Decimal(text)))) == text


def test_an_instant_is_stored_in_utc_whatever_its_zone() -> None:
    there = datetime(2026, 1, 31, 12, tzinfo=timezone(timedelta(hours=2)))
    assert dump_value(there) == dump_value(datetime(2026, 1, 31, 10, tzinfo=UTC))
    assert load_value(dump_value(there)).tzinfo is UTC


def test_a_not_a_number_float_has_one_encoding() -> None:
    assert math.isnan(load_value(dump_value(math.nan)))


def test_a_set_has_the_same_bytes_whatever_the_order_it_was_built_in() -> None:
    items = [vals.Entity(f"e{n}") for n in range(50)]
    assert dump_value(frozenset(items)) == dump_value(frozenset(reversed(items)))


def _rule(site: int, name: str = "v0") -> rules.Rule:
    atom = rules.Match("p::Lease", (rules.Var(name),), site)
    return rules.Rule(rule_id("p::q/1", (rules.Var(name),), (atom,)), "p::q/1", (rules.Var(name),), (atom,))


def test_the_place_of_a_literal_is_stored_but_is_no_part_of_its_content_id() -> None:
    here, there = _rule(1), _rule(7)
    assert content_id(here) == content_id(there)
    assert here.id == there.id
    assert dumps(here) != dumps(there)
    back = loads(dumps(there), rules.Rule).body[0]
    assert back.site == 7


def test_another_body_has_another_content_id() -> None:
    assert _rule(1, "v0").id != _rule(1, "v1").id
    assert len(_rule(1).id) == 16


def test_a_content_id_tells_grouping_apart() -> None:
    assert content_id(("a", "b"), "c") != content_id("a", ("b", "c"))


@pytest.mark.parametrize(
    "value",
    [object(), [1], {1: 2}, b"x", datetime(2026, 1, 1), "\ud800", (1, ["x"])],  # noqa: DTZ001
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_value_is_refused(value: Any) -> None:
    with pytest.raises(CodecError):
        dump_value(value)


def test_a_field_of_the_wrong_type_is_refused_when_written() -> None:
    with pytest.raises(CodecError):
        dumps(expr.Local(3))  # type: ignore[arg-type]
    with pytest.raises(CodecError):
        dumps(expr.Lit(types.BOOL))  # type: ignore[arg-type]


def _nested(levels: int) -> expr.Expr:
    found: expr.Expr = expr.Local("x")
    for _ in range(levels):
        found = expr.Unary("-", found, types.INT)
    return found


def test_a_program_is_stored_however_deep_python_would_recurse() -> None:
    deep = _nested(MAX_DEPTH - 10)
    data = dumps(deep)
    assert dumps(loads(data, expr.Unary)) == data


def test_nesting_beyond_the_limit_is_refused_both_ways() -> None:
    with pytest.raises(CodecError):
        dumps(_nested(MAX_DEPTH + 10))
    with pytest.raises(CodecError):
        load_value(b"\x82\x0b" * (MAX_DEPTH + 10) + b"\x00")


@pytest.mark.parametrize(
    ("plain", "why"),
    [
        ([999, "x"], "an unknown number"),
        ([], "an array without a number"),
        ([41], "too few fields"),
        ([41, "x", "y"], "too many fields"),
        ([1, 5], "an ill-typed field"),
        ([40, 1], "an expression where a value stands"),
        ([7, "1.50abc"], "no decimal"),
        ([7, " 1.5"], "a decimal written otherwise"),
        ([6, 2, 4], "a fraction that is not reduced"),
        ([6, 1, 0], "a fraction without a denominator"),
        ([8, 0], "a day before the calendar"),
        ([9, 2**80], "an instant after the calendar"),
        ([10, 2**200], "a duration without bounds"),
        ([12, 1, 1], "an element twice"),
        ([12, 2, 1], "elements out of order"),
        ([12, 1, True], "equal elements"),
        ([8, 2**20000], "a number too long to print"),
        ([True], "a truth value for a number"),
        ({"a": 1}, "a map"),
        (b"x", "bytes"),
        (cbor2.CBORTag(9999, 1), "a tag"),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_data_that_encodes_nothing_is_refused(plain: Any, why: str) -> None:
    with pytest.raises(CodecError):
        codec.decode(plain, VALUE)
    with pytest.raises(CodecError):
        load_value(cbor2.dumps(plain))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\x5b\x7f\xff\xff\xff\xff\xff\xff\xff",
        b"\x9f\x01\xff",
        b"\xa2\x01\x01\x01\x01",
        b"\x00\x00",
        cbor2.dumps(cbor2.CBORTag(5, [2**40, 1])),
        cbor2.dumps(cbor2.CBORTag(28, [1])),
        cbor2.dumps(cbor2.CBORTag(35, "a")),
    ],
    ids=["nothing", "array", "bytes", "indefinite", "duplicate key", "trailing", "bigfloat", "shared", "regex"],
)
def test_bytes_that_are_no_plain_cbor_are_refused_without_allocating_what_they_claim(data: bytes) -> None:
    with pytest.raises(CodecError):
        load_value(data)


_junk = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(0, 170), st.text(max_size=2), st.floats()),
    lambda parts: st.lists(parts, max_size=5),
    max_leaves=12,
)


@many
@given(_junk)
def test_any_plain_data_is_an_object_or_one_codec_error(plain: Any) -> None:
    for shape in (VALUE, *(node(cls) for cls in (rules.Rule, statements.Update, types.RecordOf))):
        try:
            back = codec.decode(plain, shape)
        except CodecError:
            continue
        assert codec.to_cbor(codec.encode(back, shape)) == codec.to_cbor(plain)


@many
@given(st.binary(max_size=40))
def test_any_bytes_are_a_value_or_one_codec_error(data: bytes) -> None:
    try:
        value = load_value(data)
    except CodecError:
        return
    assert load_value(dump_value(value)) == value or value != value
