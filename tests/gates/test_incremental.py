"""What the gates remember from one edit to the next changes no answer (architecture, invariant 2)."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.queries.snippet import check_files, database_of

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

CHOICES = st.tuples(*(st.sampled_from(range(len(each))) for each in VARIANTS))


def text_of(choice: tuple[int, ...]) -> str:
    return "\n".join(variants[number] for variants, number in zip(VARIANTS, choice, strict=True))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(CHOICES, min_size=2, max_size=5))
def test_diagnostics_after_edits_are_those_of_a_cold_check(choices: list[tuple[int, ...]]) -> None:
    db = database_of({"root.ar": text_of(choices[0])})
    for choice in choices:
        db.set_files({"root.ar": text_of(choice)})
        assert list(db.diagnostics()) == check_files({"root.ar": text_of(choice)})
