"""Edits of traits, impls, bounds and type parameters: incremental is cold (invariant 2), and what is sound lowers."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.queries.snippet import check_files, database_of
from tests.gates.variants import assert_edits_change_no_answer, assert_lowers_when_free_of_errors, choices_of, text_of

VARIANTS: tuple[tuple[str, ...], ...] = (
    ("trait Named {}", "trait Named { fn name(self) -> String; }", "trait Nam {}", ""),
    (
        "trait Billable: Named { derive due(Self, Money); fn fee(self) -> Money; }",
        "trait Billable { derive due(Self, Money, Int); fn fee(self) -> Int; }",
        "trait Billable: Named { fn fee(self) -> Money; mutate close(self); }",
        "trait Billable { derive due(Self, Money); fn fee(self) -> Money = 1; }",
    ),
    ("type Contract;", "type Contract <: Other;", ""),
    (
        "type Lease <: Contract { rent: Money }",
        "type Lease { rent: Int }",
        "type Lease <: Contract { mut rent: Money? }",
    ),
    ("type Loan <: Contract;", "type Loan <: Lease;", "type Loan;"),
    ("disjoint { Lease, Loan };", "partition Contract { Lease, Loan };", "", "complete Contract { Lease };"),
    ("impl Named for Lease {}\nimpl Named for Loan {}", "impl Named for Contract {}", ""),
    (
        "impl Billable for Lease { derive due(x, m) :- m = x.rent; fn fee(self) -> Money = self.rent; }",
        "impl Billable for Lease { fn fees(self) -> Money = self.rent; mutate close(self) {} }",
        "impl Billable for Lease { derive due(x, m) :- m = x.rent, x: Loan; fn fee(self) -> Money = 3; }",
    ),
    (
        "impl Billable for Loan { derive due(x, 3) :- Contract(x); fn fee(self) -> Money = 5; }",
        "",
        "impl Billable for Loan { derive du(x",
    ),
    ("derive costly(c) :- due(c, m), m > 3;", "derive costly(c: Contract) :- Contract(c), fee(c) > 5;", ""),
    (
        "derive safe(c) :- Contract(c), implements(meta(c), Billable), fee(c) > 5;",
        "derive safe(c) :- Lease(c), Billable::fee(c) > 5;",
    ),
    ("struct Bill<T: Billable> { of: T }", "struct Bill<T> { of: T, also: T? }", "struct Bill<T, U> { of: T }"),
    ("fn bill(l: Lease) -> Bill<Lease> = Bill { of: l };", "fn bill(l: Loan) -> Bill<Loan> = Bill { of: l };", ""),
    (
        "fn any<T: Billable>(x: T) -> Money = fee(x);",
        "fn any<T: Named>(x: T) -> Money = fee(x);",
        "fn any(x: Lease) -> T = 1;",
    ),
    (
        "mutate use_it(l: Lease) { require any(l) > 1; }",
        "mod inner { use super::Billable; derive ok(l: super::Lease) :- due(l, _); }",
    ),
)  # fmt: skip

CHOICES = choices_of(VARIANTS)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.lists(CHOICES, min_size=2, max_size=5))
def test_diagnostics_after_edits_are_those_of_a_cold_check(choices: list[tuple[int, ...]]) -> None:
    assert_edits_change_no_answer(VARIANTS, choices)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(CHOICES)
def test_what_is_free_of_errors_lowers(choice: tuple[int, ...]) -> None:
    assert_lowers_when_free_of_errors(VARIANTS, choice)


def test_another_impl_in_another_file_changes_what_a_call_is_for() -> None:
    db = database_of({
        "root.ar": "mod other;\npub trait T { fn f(self) -> Int; }\npub type A;\npub type B <: A;\n"
        "derive p(a: A) :- A(a), f(a) > 1;\n",
        "other.ar": "use super::{A, B, T};\nimpl T for B { fn f(self) -> Int = 1; }\n",
    })  # fmt: skip
    assert [each.code for each in db.diagnostics()] == ["OW0105", "OE1327"]
    db.set_file("other.ar", "use super::{A, B, T};\nimpl T for A { fn f(self) -> Int = 1; }\n")
    assert [each.code for each in db.diagnostics()] == ["OW0105"]


def test_some_choice_is_free_of_errors() -> None:
    assert check_files({"root.ar": text_of(VARIANTS, (0,) * len(VARIANTS))}) == []
