"""Wire forms: full forms out, full and short forms in, and one clear refusal of everything else."""

from __future__ import annotations

import json
import math
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.errors import ArgonError
from argon_lang.ir.codec import dump_value
from argon_lang.ir.expr import Lit
from argon_lang.ir.module import Enum, Module, Relation, Struct, Variant
from argon_lang.ir.values import Entity, EnumValue, MapValue, Money, RangeValue, StructValue, TupleValue, Value
from argon_lang.ir.wire import PLAIN, Wire, declared, from_wire, to_wire
from argon_lang.program import types as t
from tests.ir.strategies import instants, texts

SIZE, SHAPE, ADDRESS, JOB, PERSON = (
    t.Named("enum", "p::Size"),
    t.Named("enum", "p::Shape"),
    t.Named("struct", "p::Address"),
    t.Named("relation", "p::Job"),
    t.Named("concept", "p::Person"),
)
MODULE = Module(
    "p",
    "1",
    relations=(Relation("p::Job", "rel", (("who", PERSON), ("pay", t.REAL)), (), (), ()),),
    structs=(
        Struct("p::Address", (("street", t.STRING, None), ("no", t.INT, Lit(1)), ("to", t.OptionOf(t.DATE), None))),
    ),
    enums=(
        Enum("p::Size", (Variant("Small", ()), Variant("Big", ()))),
        Enum("p::Shape", (Variant("Box", (("0", t.REAL), ("1", SIZE))), Variant("Disk", (("radius", t.REAL),)))),
    ),
)
WIRE = Wire(declared(MODULE))
ALICE = Entity("p::alice")

FULL: list[tuple[Value, t.Type, Any]] = [
    (True, t.BOOL, True),
    ("x", t.STRING, "x"),
    (12, t.INT, 12),
    (2**53, t.NAT, 2**53),
    (2**53 + 1, t.INT, "9007199254740993"),
    (-(2**80), t.INT, str(-(2**80))),
    (Fraction(1, 3), t.REAL, {"real": "1/3"}),
    (Fraction(4), t.REAL, {"real": "4"}),
    (Decimal("12.50"), t.DECIMAL, {"decimal": "12.5"}),
    (Decimal("-0.00"), t.DECIMAL, {"decimal": "0"}),
    (Decimal("1E+3"), t.DECIMAL, {"decimal": "1000"}),
    (Decimal("-0.0000001"), t.DECIMAL, {"decimal": "-0.0000001"}),
    (Money(Decimal("12.50")), t.MONEY, {"money": "12.50"}),
    (Money(Decimal("12")), t.MONEY, {"money": "12.00"}),
    (Money(Decimal("12.1250")), t.MONEY, {"money": "12.125"}),
    (1.5, t.FLOAT, 1.5),
    (math.inf, t.FLOAT, {"f64": "inf"}),
    (date(2026, 1, 31), t.DATE, {"date": "2026-01-31"}),
    (datetime(2026, 1, 31, 12, tzinfo=UTC), t.DATETIME, {"dateTime": "2026-01-31T12:00:00Z"}),
    (datetime(2026, 1, 31, 12, 0, 0, 5, tzinfo=UTC), t.DATETIME, {"dateTime": "2026-01-31T12:00:00.000005Z"}),
    (timedelta(days=30), t.DURATION, {"duration": "P30D"}),
    (timedelta(), t.DURATION, {"duration": "P0D"}),
    (-timedelta(days=1, hours=2, seconds=3.5), t.DURATION, {"duration": "-P1DT2H3.5S"}),
    (ALICE, PERSON, {"entity": "p::alice"}),
    (ALICE, t.ENTITY, {"entity": "p::alice"}),
    (None, t.OptionOf(t.INT), None),
    (3, t.OptionOf(t.INT), 3),
    (EnumValue("p::Size", "Small"), SIZE, {"enum": "p::Size::Small"}),
    (
        EnumValue("p::Shape", "Box", (Fraction(2), EnumValue("p::Size", "Big"))),
        SHAPE,
        {"enum": "p::Shape::Box", "payload": [{"real": "2"}, {"enum": "p::Size::Big"}]},
    ),
    (
        EnumValue("p::Shape", "Disk", (("radius", Fraction(1, 2)),)),
        SHAPE,
        {"enum": "p::Shape::Disk", "payload": {"radius": {"real": "1/2"}}},
    ),
    (
        StructValue("p::Address", (("street", "Main"), ("no", 7), ("to", None))),
        ADDRESS,
        {"struct": "p::Address", "fields": {"street": "Main", "no": 7, "to": None}},
    ),
    (
        TupleValue("p::Job", (ALICE, Fraction(5))),
        JOB,
        {"tuple": "p::Job", "ends": [{"entity": "p::alice"}, {"real": "5"}]},
    ),
    ((1, 2), t.ListOf(t.INT), [1, 2]),
    (frozenset({3, 1}), t.SetOf(t.INT), [1, 3]),
    (
        MapValue(frozenset({("b", Fraction(1, 2)), ("a", Fraction(2))})),
        t.Applied("Map", (t.STRING, t.REAL)),
        {"map": [["a", {"real": "2"}], ["b", {"real": "1/2"}]]},
    ),
    (MapValue(frozenset()), t.Applied("Map", (t.INT, t.INT)), {"map": []}),
    (
        RangeValue(date(2026, 1, 1), date(2026, 2, 1)),
        t.Applied("Range", (t.DATE,)),
        {"range": [{"date": "2026-01-01"}, {"date": "2026-02-01"}]},
    ),
    ((1, "x"), t.RecordOf((("n", t.INT), ("s", t.STRING))), {"n": 1, "s": "x"}),
]


@pytest.mark.parametrize(("value", "ty", "wire"), FULL, ids=lambda item: "")
def test_a_value_is_written_in_full_and_read_back(value: Value, ty: t.Type, wire: Any) -> None:
    assert to_wire(value, ty, WIRE) == wire
    assert json.loads(json.dumps(wire)) == wire
    back = from_wire(wire, ty, "x", WIRE)
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize(
    ("short", "ty", "value"),
    [
        ("12.50", t.DECIMAL, Decimal("12.50")),
        (12, t.DECIMAL, Decimal(12)),
        ("12.50", t.MONEY, Money(Decimal("12.50"))),
        (12, t.MONEY, Money(Decimal(12))),
        ("1/3", t.REAL, Fraction(1, 3)),
        ("0.5", t.REAL, Fraction(1, 2)),
        (3, t.REAL, Fraction(3)),
        ({"decimal": "0.5"}, t.REAL, Fraction(1, 2)),
        ("12", t.INT, 12),
        ("2026-01-31", t.DATE, date(2026, 1, 31)),
        ("2026-01-31T12:00:00+02:00", t.DATETIME, datetime(2026, 1, 31, 10, tzinfo=UTC)),
        ("P1DT12H", t.DURATION, timedelta(hours=36)),
        ([["a", "1/2"]], t.Applied("Map", (t.STRING, t.REAL)), MapValue(frozenset({("a", Fraction(1, 2))}))),
        ({"map": 1}, t.Applied("Map", (t.STRING, t.INT)), MapValue(frozenset({("map", 1)}))),
        ([[2, ["x"]]], t.Applied("Map", (t.INT, t.ListOf(t.STRING))), MapValue(frozenset({(2, ("x",))}))),
        (["2026-01-01", "2026-02-01"], t.Applied("Range", (t.DATE,)), RangeValue(date(2026, 1, 1), date(2026, 2, 1))),
        (2, t.FLOAT, 2.0),
        ("p::alice", PERSON, ALICE),
        ({"entity": "p::alice", "label": "Alice"}, PERSON, ALICE),
        ("Small", SIZE, EnumValue("p::Size", "Small")),
        ("Size::Small", SIZE, EnumValue("p::Size", "Small")),
        ({"street": "Main"}, ADDRESS, StructValue("p::Address", (("street", "Main"), ("no", 1), ("to", None)))),
    ],
    ids=lambda item: "",
)
def test_a_short_form_is_read_where_the_type_is_known(short: Any, ty: t.Type, value: Value) -> None:
    back = from_wire(short, ty, "x", WIRE)
    assert back == value
    assert type(back) is type(value)


REFUSED: list[tuple[Any, t.Type, str]] = [
    (12.5, t.DECIMAL, "the binary float 12.5"),
    (12.5, t.MONEY, "the binary float 12.5"),
    (12.5, t.REAL, "the binary float 12.5"),
    (12.0, t.INT, "the binary float 12.0"),
    (12.5, t.UNKNOWN, "the binary float 12.5"),
    ({"decimal": 12.5}, t.DECIMAL, '{"decimal": 12.5}'),
    ({"money": "1.00"}, t.DECIMAL, '{"money": "1.00"}'),
    ({"decimal": "1.00"}, t.MONEY, '{"decimal": "1.00"}'),
    ({"decimal": "1.00", "x": 1}, t.DECIMAL, '{"decimal": "1.00", "x": 1}'),
    ("1e3", t.DECIMAL, '"1e3"'),
    ("1_000", t.INT, '"1_000"'),
    (" 12", t.INT, '" 12"'),
    ("٣", t.INT, '"٣"'),
    ("NaN", t.DECIMAL, '"NaN"'),
    ("1/0", t.REAL, '"1/0"'),
    (2**53 + 1, t.INT, "the JSON number 9.007e+15"),
    (-1, t.NAT, "-1"),
    (True, t.INT, "true"),
    (1, t.BOOL, "1"),
    ("true", t.BOOL, '"true"'),
    (None, t.INT, "null"),
    ("2026-02-30", t.DATE, '"2026-02-30"'),
    ("20260131", t.DATE, '"20260131"'),
    ("2026-01-31T12:00:00", t.DATETIME, '"2026-01-31T12:00:00"'),
    ("2026-01-31T25:00:00Z", t.DATETIME, '"2026-01-31T25:00:00Z"'),
    ("P", t.DURATION, '"P"'),
    ("P1DT", t.DURATION, '"P1DT"'),
    ("P1Y", t.DURATION, '"P1Y"'),
    ("P999999999DT24H", t.DURATION, '"P999999999DT24H"'),
    (7, PERSON, "7"),
    ("", PERSON, '""'),
    ("Huge", SIZE, '"Huge"'),
    ("other::Small", SIZE, '"other::Small"'),
    ([1], t.INT, "[1]"),
    (1, t.ListOf(t.INT), "1"),
    ([1], t.ListOf(t.INT, 2, 3), "[1]"),
    ({"n": 1}, t.UNKNOWN, '{"n": 1}'),
    ({"bogus": 1, "street": "x"}, ADDRESS, '{"bogus": 1, "street": "x"}'),
    ("x" * 200, t.INT, '"' + "x" * 76 + "…"),
    ([1], t.Applied("Map", (t.INT, t.INT)), "[1]"),
    ({"a": 1}, t.Applied("Map", (t.INT, t.INT)), '{"a": 1}'),
    ({"range": [1]}, t.Applied("Range", (t.INT,)), '{"range": [1]}'),
]


@pytest.mark.parametrize(("wire", "ty", "found"), REFUSED, ids=lambda item: "")
def test_a_value_that_does_not_fit_is_refused_with_what_was_expected_and_what_came(
    wire: Any, ty: t.Type, found: str
) -> None:
    with pytest.raises(ArgonError) as caught:
        from_wire(wire, ty, "rent", WIRE)
    assert caught.value.code == "ARGON_RUNTIME_VALIDATION_FAILED"
    told = dict(caught.value.args_)
    assert (told["name"], told["found"]) == ("rent", found)
    assert told["expected"]
    assert caught.value.details == {"argument": "rent", "expected": told["expected"], "found": found}


@pytest.mark.parametrize(
    ("wire", "ty", "place"),
    [
        ([1, [2, "x"]], t.ListOf(t.ListOf(t.INT)), "a[0]"),
        ([[1], [2, "x"]], t.ListOf(t.ListOf(t.INT)), "a[1][1]"),
        ({"street": 1}, ADDRESS, "a.street"),
        ({}, ADDRESS, "a.street"),
        ({"enum": "p::Shape::Box", "payload": [1]}, SHAPE, "a.Box"),
        ({"enum": "p::Shape::Box", "payload": [1, "Huge"]}, SHAPE, "a.Box[1]"),
        ({"enum": "p::Shape::Disk", "payload": {"radius": "x"}}, SHAPE, "a.Disk.radius"),
        ({"tuple": "p::Job", "ends": ["p::alice"]}, JOB, "a.ends"),
        ({"tuple": "p::Job", "ends": ["p::alice", 0.5]}, JOB, "a.ends[1]"),
        ({"n": 1, "s": 2}, t.RecordOf((("n", t.INT), ("s", t.STRING))), "a.s"),
        ([[1, 2], [1, 3]], t.Applied("Map", (t.INT, t.INT)), "a[1][0]"),
        ([[1, "x"]], t.Applied("Map", (t.INT, t.INT)), "a[0][1]"),
        ({"range": [1, "x"]}, t.Applied("Range", (t.INT,)), "a[1]"),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_a_refusal_names_the_place_inside_the_argument(wire: Any, ty: t.Type, place: str) -> None:
    with pytest.raises(ArgonError) as caught:
        from_wire(wire, ty, "a", WIRE)
    assert dict(caught.value.args_)["name"] == place


def test_a_missing_field_came_as_nothing() -> None:
    with pytest.raises(ArgonError) as caught:
        from_wire({}, ADDRESS, "a", WIRE)
    assert dict(caught.value.args_)["found"] == "nothing"


def test_an_individual_is_shown_with_its_label_and_read_by_the_caller_s_names() -> None:
    wire = Wire(label=lambda entity: entity.id.rsplit("::", 1)[-1], resolve=lambda name: f"p::{name}")
    assert to_wire(ALICE, PERSON, wire) == {"entity": "p::alice", "label": "alice"}
    assert from_wire("alice", PERSON, "who", wire) == ALICE


def test_a_number_shows_by_its_declared_type_whatever_python_holds() -> None:
    assert to_wire(3, t.REAL) == to_wire(Decimal("3.0"), t.REAL) == {"real": "3"}
    assert to_wire(3, t.DECIMAL) == {"decimal": "3"}
    assert to_wire(3, t.OptionOf(t.DECIMAL)) == {"decimal": "3"}


def test_a_value_of_an_unknown_type_is_read_from_its_full_form() -> None:
    for value, _, wire in FULL:
        if isinstance(value, (Money, Decimal, date, timedelta, EnumValue, StructValue, TupleValue, Entity)):
            assert from_wire(wire, t.UNKNOWN, "x", WIRE) == value


def test_nesting_without_a_type_is_bounded() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ArgonError) as caught:
        from_wire(deep, t.UNKNOWN, "x")
    assert caught.value.code == "ARGON_RUNTIME_VALIDATION_FAILED"


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.one_of(
        st.tuples(st.integers(), st.just(t.INT)),
        st.tuples(st.fractions(), st.just(t.REAL)),
        st.tuples(st.decimals(allow_nan=False, allow_infinity=False), st.just(t.DECIMAL)),
        st.tuples(st.dates(), st.just(t.DATE)),
        st.tuples(instants, st.just(t.DATETIME)),
        st.tuples(st.timedeltas(), st.just(t.DURATION)),
        st.tuples(st.floats(allow_nan=False), st.just(t.FLOAT)),
        st.tuples(texts, st.just(t.STRING)),
        st.tuples(st.lists(st.integers()).map(tuple), st.just(t.ListOf(t.INT))),
        st.tuples(st.frozensets(st.fractions(), max_size=4), st.just(t.SetOf(t.REAL))),
    )
)
def test_what_is_written_as_json_text_is_read_back(pair: tuple[Value, t.Type]) -> None:
    value, ty = pair
    back = from_wire(json.loads(json.dumps(to_wire(value, ty))), ty, "x")
    assert back == value
    assert type(back) is type(value)


_json = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.just("2026-01-31")),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["entity", "enum", "payload", "struct", "fields", "decimal", "tuple", "ends", "street"]),
            inner,
            max_size=2,
        ),
    ),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(_json, st.sampled_from([ty for _, ty, _ in FULL] + [t.UNKNOWN, t.TOP]), st.sampled_from([WIRE, PLAIN]))
def test_any_json_is_a_value_or_one_refusal(wire: Any, ty: t.Type, context: Wire) -> None:
    try:
        value = from_wire(wire, ty, "x", context)
    except ArgonError as error:
        if error.code != "ARGON_RUNTIME_VALIDATION_FAILED":
            raise
        return
    shown = to_wire(value, ty, context)
    again = from_wire(json.loads(json.dumps(shown)), ty, "x", context)
    # What was read may have idle zeros (12.50); what is written has one form, and that one comes back as it is.
    assert to_wire(again, ty, context) == shown
    settled = dump_value(again)
    assert dump_value(from_wire(shown, ty, "x", context)) == settled
