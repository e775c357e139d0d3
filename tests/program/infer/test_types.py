"""Types of expressions: literals take what is expected, operators join, fields and calls say what they say."""

from __future__ import annotations

import pytest

from argon_lang.program.types import (
    BOOL,
    DATE,
    DECIMAL,
    DURATION,
    FLOAT,
    INT,
    MONEY,
    NAT,
    REAL,
    STRING,
    UNKNOWN,
    ListOf,
    Named,
    OptionOf,
    RecordOf,
    SetOf,
    Type,
)
from argon_lang.syntax import nodes
from tests.program.infer.checked import checked

PERSON = Named("concept", "pkg::Person")
NUMERIC = {"Int": INT, "Nat": NAT, "Real": REAL, "Decimal": DECIMAL, "Money": MONEY, "f64": FLOAT, "Money?": MONEY}


@pytest.mark.parametrize(("written", "expected"), NUMERIC.items())
def test_an_integer_literal_takes_the_numeric_type_that_is_expected(written: str, expected: Type) -> None:
    found = checked(f"fn f() -> {written} = 12;")
    assert found.type("12") == expected
    assert found.codes == []


@pytest.mark.parametrize("written", ["Real", "Decimal", "Money", "f64"])
def test_a_decimal_literal_takes_the_numeric_type_that_is_expected(written: str) -> None:
    found = checked(f"fn f() -> {written} = -(1.5);")
    assert found.type("1.5") == NUMERIC[written]
    assert found.codes == []


def test_a_literal_of_which_nothing_is_expected_is_int_or_decimal() -> None:
    found = checked("fn f() -> Bool { let a = 1; let b = 2.5; true }")
    assert found.type("1") == INT
    assert found.type("2.5") == DECIMAL
    assert found.binding("b").type == DECIMAL


def test_a_literal_beside_money_is_money_and_as_a_factor_it_is_a_number() -> None:
    found = checked("fn f(m: Money) -> Money = (m + 7) * 3 / 0.5;")
    assert [found.type(text) for text in ("7", "3", "0.5")] == [MONEY, INT, DECIMAL]
    assert found.type("(m + 7) * 3 / 0.5") == MONEY
    assert found.codes == []


def test_a_literal_on_the_left_takes_the_type_of_the_right_side() -> None:
    assert checked("fn f(p: Person) -> Bool = 100 < p.wealth;").type("100") == MONEY


def test_a_literal_argument_takes_the_type_of_the_column() -> None:
    found = checked("derive d(p: Person) :- owes(p, 100);")
    assert found.type("100") == MONEY


def test_a_literal_argument_takes_the_type_that_other_clauses_of_an_unannotated_head_determine() -> None:
    found = checked("derive due(p, m) :- Person(p), m = p.wealth;\nderive d(p: Person) :- due(p, 100);")
    assert found.type("100") == MONEY


def test_literal_arguments_of_methods_are_what_the_receiver_is_or_plain_numbers() -> None:
    found = checked("fn f(m: Money, r: Decimal) -> Decimal = m.max(9).amount + r.round(2) + r.pow(3);")
    assert [found.type(text) for text in ("9", "2", "3")] == [MONEY, NAT, NAT]
    assert found.codes == []


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("n / 2", REAL),
        ("n + 2", INT),
        ("p.share * 2", DECIMAL),
        ("p.wealth / p.wealth", REAL),
        ("p.wealth / 3", MONEY),
        ("p.born - today()", DURATION),
        ("p.born + 30.days", DATE),
        ("p.born.year", INT),
        ("p.name.length()", NAT),
        ('p.name + "x"', STRING),
        ("p.nick", OptionOf(STRING)),
        ('p.nick.unwrap_or("x")', STRING),
        ("p.tags", ListOf(STRING)),
        ("p.tags.first()", OptionOf(STRING)),
        ("[1, 2.5]", ListOf(DECIMAL)),
        ('"a" in p.tags', BOOL),
        ("people()", ListOf(PERSON)),
        ("doubled(1)", MONEY),
        ("Person(p) && !Worker(p)", BOOL),
        ("Size::Large(3)", Named("enum", "pkg::Size")),
        ("Size::Box { wide: 1 }", Named("enum", "pkg::Size")),
        ("Pair { left: n }", Named("struct", "pkg::Pair")),
        ("if n > 0 { n } else { 0.5 }", DECIMAL),
        ("{ let x = n; x }", INT),
        ('format!("{}", n)', STRING),
    ],
)
def test_an_expression_has_its_type(expression: str, expected: Type) -> None:
    found = checked(f"fn f(p: Person, n: Int) -> Bool {{ let r = {expression}; true }}")
    assert found.type(expression) == expected
    assert found.codes == []


def test_an_optional_field_reads_as_its_value_in_a_rule_and_as_optional_in_a_projection() -> None:
    found = checked('query q() -> [String?] { select p.nick from Person(p) where p.nick != "x" }')
    assert found.type("p.nick", nodes.FieldExpr, 0) == OptionOf(STRING)
    assert found.type("p.nick", nodes.FieldExpr, 1) == STRING
    assert found.codes == []


def test_a_projection_in_braces_is_a_record_or_the_struct_that_is_promised() -> None:
    found = checked("query q() -> [Pair] { select { left: 1, right: p.wealth } from Person(p) }")
    assert found.type("{ left: 1, right: p.wealth }", nodes.Projection) == Named("struct", "pkg::Pair")
    assert found.type("1") == REAL
    other = checked("query q() -> [Int] { select { left: 1, right: p.name } from Person(p) }")
    assert other.type("{ left: 1, right: p.name }", nodes.Projection) == RecordOf((("left", INT), ("right", STRING)))
    assert other.codes == ["OE0202"]


def test_written_types_are_on_their_nodes() -> None:
    found = checked("fn f(a: [Person?], b: Set<Int>) -> Bool { let c: [Int; 0..3] = []; true }")
    assert found.type("[Person?]") == ListOf(OptionOf(PERSON))
    assert found.type("Person?") == OptionOf(PERSON)
    assert found.type("Set<Int>") == SetOf(INT)
    assert found.type("[Int; 0..3]") == ListOf(INT, 0, 3)
    assert found.binding("c").type == ListOf(INT, 0, 3)


def test_what_is_in_error_agrees_with_everything() -> None:
    found = checked("fn f(p: Person) -> Int = (nobody + 1) * p.wealth.round(nothing);")
    assert found.codes == ["OE0101", "OE0101"]
    assert found.type("nobody") == UNKNOWN


def test_one_mistake_in_a_rule_gives_one_diagnostic() -> None:
    assert checked("derive d(p: Person) :- Preson(x), knows(x, p), x.nome == 3;").codes == ["OE0101", "OE0225"]
    assert checked("derive d(p) :- Preson(p), p.nome == 3;").codes == ["OE0101"]
