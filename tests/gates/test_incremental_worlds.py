"""Standpoints, strong negatives and exceptions: what is remembered between edits changes no answer (invariant 2)."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gates.variants import assert_edits_change_no_answer, choices_of

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

CHOICES = choices_of(VARIANTS)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.lists(CHOICES, min_size=2, max_size=5))
def test_diagnostics_after_edits_are_those_of_a_cold_check(choices: list[tuple[int, ...]]) -> None:
    assert_edits_change_no_answer(VARIANTS, choices)
