"""What the gates remember from one edit to the next changes no answer (architecture, invariant 2)."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gates.variants import assert_edits_change_no_answer, choices_of

VARIANTS: tuple[tuple[str, ...], ...] = (
    (
        "type Person { name: String, age: Int = 1 }",
        "type Person { name: String, age: Int = 40 }",
        "type Person {",
    ),
    ("type Worker <: Person;", "type Worker;", ""),
    ("rel knows(a: Person, b: Person) [0..*] [0..1];", "rel knows(a: Person, b: Worker);"),
    (
        'fact Worker(anna) { name: "Ann" };',
        'fact Person(anna) { name: "Ann", age: 3 };',
        "fact Worker(anna) { name: 3 };",
    ),
    ("fact Worker(berta);", "fact Person(berta) until #2020-01-01#;", "fact Worker(bert"),
    ("fact knows(anna, berta);", "fact knows(anna, bertha);", "fact knows(anna, anna) at #2021-01-01#;"),
    ("fact knows(berta, anna);", "fact knows(anna, anna);", ""),
    (
        "fn old(p: Person) -> Bool = p.age > 30;",
        "fn old(p: Person) -> Bool = true;",
        "fn old(p: Person) -> Bool = p.aeg > 3;",
    ),
    (
        "derive far(p, q) :- knows(p, q), old(p);",
        "derive far(p, q) :- knows(p, r), old(q);",
        "derive far(p, q) :- knows(p",
    ),
    ("derive lone(p) :- Person(p), not far(p, _);", "derive lone(p) :- Person(p), not lone(p);"),
    (
        'check c(p: Person) :- lone(p) => Diagnostic { message: "lone" };',
        "check c(p: Person) :- old(p), Person(p) => Diagnostic { severity: Severity::Info, message: p.name };",
    ),
)

CHOICES = choices_of(VARIANTS)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(CHOICES, min_size=2, max_size=5))
def test_diagnostics_after_edits_are_those_of_a_cold_check(choices: list[tuple[int, ...]]) -> None:
    assert_edits_change_no_answer(VARIANTS, choices)
