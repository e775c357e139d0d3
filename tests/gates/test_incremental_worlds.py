"""Standpoints, strong negatives and exceptions: what is remembered between edits changes no answer (invariant 2)."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.queries.snippet import check_files, database_of

VARIANTS: tuple[tuple[str, ...], ...] = (
    ("type Person { age: Int = 1 }", "type Person;", "type Person {"),
    ("rel trusts(a: Person, b: Person);", "rel trusts(a: Person);"),
    ("fact Person(ann);", "not_fact Person(ann);", "fact Person(bob);"),
    ("standpoint Court;", "standpoint Court <: Tax;", "standpoint Court <: Taxes;", ""),
    ("standpoint Tax <: Court {", "standpoint Tax {", "mod Tax {"),
    ("fact Person(bob);", "fact trusts(ann, bob);", "not_fact trusts(ann, ann);", "standpoint Deep { }"),
    ("derive owes(p: Person) :- Person(p);", "derive owes(p: Person) :- trusts(p, bob);", "derive owns(p: Person);"),
    (
        'check vain(p: Person) :- owes(p) => Diagnostic { severity: Severity::Warning, message: "x" };',
        "",
    ),
    ("}", "} standpoint Tax { fact Person(cyd); }"),
    (
        "#[default] derive free(p: Person) :- Person(p);",
        "#[default] #[label(usual)] derive free(p: Person) :- Person(p);",
        "derive free(p: Person) :- Person(p);",
        "#[default] #[defeats(held(p))] derive free(p: Person) :- Person(p);",
    ),
    (
        "#[defeats(free(p))] derive held(p: Person) :- Tax::owes(p);",
        "#[default] #[defeats(free.usual(p))] derive held(p: Person) :- Tax::owes(p);",
        "#[default] derive held(p: Person) :- free(p);",
    ),
    (
        'check none(p: Person) :- free(p) => Diagnostic { severity: Severity::Warning, message: "free" };',
        "not_fact free(ann);",
    ),
)

CHOICES = st.tuples(*(st.sampled_from(range(len(each))) for each in VARIANTS))


def text_of(choice: tuple[int, ...]) -> str:
    return "\n".join(variants[number] for variants, number in zip(VARIANTS, choice, strict=True))


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.lists(CHOICES, min_size=2, max_size=5))
def test_diagnostics_after_edits_are_those_of_a_cold_check(choices: list[tuple[int, ...]]) -> None:
    db = database_of({"root.ar": text_of(choices[0])})
    for choice in choices:
        db.set_files({"root.ar": text_of(choice)})
        assert list(db.diagnostics()) == check_files({"root.ar": text_of(choice)})
        assert db.module() == database_of({"root.ar": text_of(choice)}).module()
