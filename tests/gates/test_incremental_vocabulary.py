"""Edits of vocabularies, group axioms, conditions, views, higher-level concepts: incremental is cold (invariant 2)."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gates.variants import assert_edits_change_no_answer, assert_lowers_when_free_of_errors, choices_of

VARIANTS: tuple[tuple[str, ...], ...] = (
    ("metaxis rigidity for metatype { rigid, anti }", "metaxis rigidity for metarel { rigid }", "metaxis rigidity for"),
    ("metaxis risk for metatype = Int where _ < 5;", "metaxis risk for metatype = Int where _ < 3;", ""),
    ("metatype kind = { rigidity: rigid, risk: 4 };", "abstract metatype kind = { rigidity: rigid };", ""),
    ("fixed metatype sort = { rigidity: anti };", "fixed metatype sort = { rigidity: rigid, risk: 4 };"),
    ("metarel link(a: kind, b: kind);", "metarel link(a: sort);", "metarel link();"),
    ("kind Species { legs: Int }", "kind Species { legs: Int? }", "type Species { legs: Int, rank: Int }"),
    ("kind Pet { Cat, Dog }", "kind Pet;\ntype Cat <: Pet;\ntype Dog <: Pet;", "kind Pet { Cat, Dog, Fish }"),
    ("disjoint { Cat, Owner };", "disjoint { Cat, Dog };", "complete Pet { Cat };", "disjoint { Cat, Owne };"),
    (
        "type Owner where { self.age > 1 } { age: Int, pets: [Pet] from owns.pet }",
        "type Owner { age: Int, pets: [Pet] from owns.pett }",
        "type Owner { age: Int }",
    ),
    ("type Old <: Owner iff { self.age > 60 };", "type Old <: Owner iff { self.age > 20 } { x: Int }", "type Old;"),
    ("link owns(owner: Owner, pet: Pet);", "rel owns(owner: Owner, pet: Pet) [0..*] [0..1];", ""),
    ("type Collie <: Dog : Species { legs = 4 }", "type Collie <: Dog { legs = 4 }", "type Collie <: Dog;"),
    ("fact Owner(ann) { age: 50 };", "fact Owner(ann) { age: 0 };", "fact Old(ann);"),
    ("fact Cat(tom);", "fact Pet(tom);", "fact Cat(tom);\nfact Dog(tom);"),
    ("fact owns(ann, tom);", "fact owns(ann, ann);", "fact owns(Collie, tom);"),
    ("rel honours(who: Old);\nfact honours(ann);", ""),
    (
        "derive both(p) :- Cat(p), Dog(p);",
        "derive both(o) :- o: Owner, p in o.pets, Cat(p);",
        "derive both(s) :- s == Collie;",
    ),
)

CHOICES = choices_of(VARIANTS)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(CHOICES, min_size=2, max_size=5))
def test_diagnostics_after_edits_are_those_of_a_cold_check(choices: list[tuple[int, ...]]) -> None:
    assert_edits_change_no_answer(VARIANTS, choices)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(CHOICES)
def test_what_is_free_of_errors_lowers(choice: tuple[int, ...]) -> None:
    assert_lowers_when_free_of_errors(VARIANTS, choice)
