"""Declared facts: rows, validity, defaults, individuals."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction

from argon_lang.ir.module import Fact
from argon_lang.ir.values import Entity, EnumValue, Money, StructValue, TupleValue
from argon_lang.queries.snippet import check_files
from tests.ir.lower.programs import lowered

ANN, BOB = Entity("pkg::ann"), Entity("pkg::bob")


def facts_of(text: str, key: str) -> tuple[Fact, ...]:
    return tuple(fact for fact in lowered(text).facts if fact.key == f"pkg::{key}")


def test_a_fact_is_a_row_of_the_asserted_key_and_one_row_per_field() -> None:
    module = lowered('type P { name: String, age: Int? } fact P(ann) { name: "Ann" };')
    assert module.facts == (Fact("pkg::P.name", (ANN, "Ann")), Fact("pkg::P^", (ANN,)))
    assert module.individuals == (("pkg::ann", ANN),)


def test_a_many_field_has_one_row_per_element() -> None:
    found = facts_of('type P { tags: [String] } fact P(ann) { tags: ["b", "a", "b"] };', "P.tags")
    assert [fact.row for fact in found] == [(ANN, "a"), (ANN, "b")]


def test_a_number_takes_the_type_of_its_field() -> None:
    module = lowered(
        "type P { a: Money, b: Real, c: Decimal, d: Int, e: Real? } fact P(ann) { a: 5, b: 1.5, c: 3, d: -2, e: 1 };"
    )
    values = {fact.key.rpartition(".")[2]: fact.row[1] for fact in module.facts if "." in fact.key}
    assert values == {"a": Money(Decimal(5)), "b": Fraction(3, 2), "c": Decimal(3), "d": -2, "e": Fraction(1)}
    assert [type(values[name]) for name in "cde"] == [Decimal, int, Fraction]


def test_a_date_is_midnight_utc_and_an_instant_is_itself() -> None:
    text = "type P; fact P(ann) at #2026-01-01# until #2026-02-01T12:30:00+02:00#;"
    (fact,) = facts_of(text, "P^")
    assert (fact.start, fact.end) == (datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, 10, 30, tzinfo=UTC))


def test_fields_of_a_tuple_are_rows_of_the_tuple() -> None:
    text = (
        "type P; rel r(a: P, b: P) { since: Date } fact P(ann); fact P(bob); fact r(ann, bob) { since: #2020-01-01# };"
    )
    assert facts_of(text, "r^") == (Fact("pkg::r^", (ANN, BOB)),)
    assert facts_of(text, "r.since") == (Fact("pkg::r.since", (TupleValue("pkg::r", (ANN, BOB)), date(2020, 1, 1))),)


def test_a_default_fills_what_no_fact_gives_as_long_as_the_membership_is_valid() -> None:
    text = "type P { rank: Int = 1 + 2, note: String? } fact P(ann) at #2026-01-01#; fact P(bob) { rank: 7 };"
    start = datetime(2026, 1, 1, tzinfo=UTC)
    assert facts_of(text, "P.rank") == (Fact("pkg::P.rank", (ANN, 3), start), Fact("pkg::P.rank", (BOB, 7)))
    assert facts_of(text, "P.note") == ()


def test_a_default_does_not_stand_against_another_fact_of_the_individual() -> None:
    text = "type P { rank: Int = 1 } type W <: P; fact W(ann); fact P(ann) { rank: 9 };"
    assert [fact.row for fact in facts_of(text, "P.rank")] == [(ANN, 9)]


def test_the_nearest_subtype_gives_the_default_and_the_topmost_declaration_the_key() -> None:
    text = "type P { rank: Real = 1 } type W <: P { rank: Int = 5 } fact W(ann); fact P(bob);"
    assert {fact.row for fact in facts_of(text, "P.rank")} == {(ANN, 5), (BOB, Fraction(1))}
    assert facts_of(text, "W.rank") == ()


def test_a_default_of_a_tuple_field_is_a_row_of_the_tuple() -> None:
    text = "type P; rel r(a: P, b: P) { n: Int = 4 } fact P(ann); fact P(bob); fact r(ann, bob);"
    assert facts_of(text, "r.n") == (Fact("pkg::r.n", (TupleValue("pkg::r", (ANN, BOB)), 4)),)


def test_data_values_are_written_whole() -> None:
    text = (
        "struct S { x: Int, y: Int = 2 } enum E { A, B(Int), C { w: Int } } type P { s: S, a: E, b: E, c: E }"
        "fact P(ann) { s: S { x: 1 }, a: E::A, b: E::B(3), c: E::C { w: 4 } };"
    )
    values = {fact.key.rpartition(".")[2]: fact.row[1] for fact in lowered(text).facts if "." in fact.key}
    assert values == {
        "s": StructValue("pkg::S", (("x", 1), ("y", 2))),
        "a": EnumValue("pkg::E", "A"),
        "b": EnumValue("pkg::E", "B", (3,)),
        "c": EnumValue("pkg::E", "C", (("w", 4),)),
    }


def test_a_set_is_a_set_and_a_many_field_is_rows() -> None:
    found = facts_of("type P { s: Set<Int>, t: Set<Int> = [4] } fact P(ann) { s: [2, 1, 2] };", "P.s")
    assert [fact.row for fact in found] == [(ANN, frozenset({1, 2}))]


def test_a_number_that_nobody_could_print_is_refused() -> None:
    (found,) = check_files({"root.ar": f"type P {{ n: Int }}\nfact P(ann) {{ n: {'9' * 5000} }};"})
    assert found.code == "OE1317"
    assert "4000 digits" in found.help[0]


def test_a_default_that_reads_the_clock_has_to_be_written_in_a_fact() -> None:
    text = "use std::time::today; type P { born: Date = today() }\nfact P(ann);"
    (found,) = check_files({"root.ar": text})
    assert (found.code, text[found.location.start : found.location.end][:4]) == ("OE0669", "fact")
    assert "`born`" in found.message
    assert check_files({"root.ar": text.replace("P(ann)", "P(ann) { born: #2020-01-01# }")}) == []
