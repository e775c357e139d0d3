"""Documents: labels, scopes, and the problems that only the items together have."""

from __future__ import annotations

import pytest

from argon_lang.syntax.document import Document

LABELS = {
    "use a::{b, c as d};": "use a {b, c as d}",
    "pub mod m;": "mod m",
    "standpoint S <: T;": "standpoint S",
    "kind Lease <: Contract;": "concept Lease",
    "rel owns(a: A, b: B);": "relation owns",
    "derive owes(a, b: B) :- p(a, b);": "derive owes/2",
    "fact lets( ada , flat ) { rent: 1 };": "fact lets(ada, flat)",
    "not_fact a::b(1);": "not_fact a::b(1)",
    'test "it pays" {}': 'test "it pays"',
    "impl T for C {}": "impl T for C",
    "disjoint { A, B };": "disjoint {A, B}",
    "partition P { A, B };": "partition P {A, B}",
    "check c(a) :- p(a) => a;": "check c",
    "mutate m() {}": "mutate m",
    "metatype kind = {};": "metatype kind",
    "#![dec(tier: recursive)]": "attribute dec",
    "enum E\u0301 { A }": "enum \u00c9",
}


@pytest.mark.parametrize(("text", "label"), LABELS.items(), ids=LABELS.values())
def test_an_item_is_named_by_what_it_declares(text: str, label: str) -> None:
    assert Document.parse(text).labels[0] == (label, 0)


def test_equal_labels_are_counted_and_scopes_come_first() -> None:
    document = Document.parse("type A;\nmod m {\ntype A;\nderive p(a) :- q(a);\nderive p(a) :- r(a);\n}\nmod n {}\n")
    assert document.labels == [
        ("concept A", 0), ("mod m", 0), ("m::concept A", 0), ("m::derive p/1", 0), ("m::derive p/1", 1), ("}", 0),
        ("mod n", 0), ("}", 1), ("end", 0),
    ]  # fmt: skip
    assert document.scopes[2] == ("m",)
    assert document.scopes[5] == ()


def test_a_brace_that_closes_nothing_is_reported_where_it_stands() -> None:
    document = Document.parse("type A;\n}\n")
    assert [(index, problem.code, problem.start) for index, problem in document.problems] == [(1, "OE0001", 0)]


def test_a_module_that_is_never_closed_is_reported_at_its_brace() -> None:
    document = Document.parse("mod m {\n    type A {}\n")
    assert [(index, problem.code, problem.start) for index, problem in document.problems] == [(0, "OE0002", 6)]


def test_comments_before_an_item_are_its_own_and_those_behind_it_too() -> None:
    items = Document.parse("// file\n\n/// doc\ntype A; // behind\n// of B\ntype B;\n// end\n").items
    texts = [item.text for item in items]
    assert texts == ["// file\n\n/// doc\ntype A; // behind\n", "// of B\ntype B;\n", "// end\n"]


def test_the_docs_of_a_module_stand_at_its_beginning() -> None:
    document = Document.parse("//! One.\n//!  Two.\n\ntype A;\n")
    assert document.module_docs == ("One.", " Two.")
    assert document.problems == []


def test_a_mistake_in_one_item_leaves_the_others_alone() -> None:
    text = "type A { x: Int }\n\nderive broken(a) :- q(a, ;\n\ntype B { y: Int }\n"
    document = Document.parse(text)
    assert [label for label, _ in document.labels] == ["concept A", "derive broken/1", "concept B", "end"]
    assert [index for index, _ in document.problems] == [1]


HALF_TYPED = [
    "type A {", "type A { x", "type A { x:", "type A <:", "derive", "derive p", "derive p(", "derive p(a) :-",
    "derive p(a) :- q(", "derive p(a) :- a.", "derive p(a) :- a ==", "fact p(", "fn f() ->", "fn f() -> Int = if",
    "query q() -> A {", "query q() -> A { select", "query q() -> A { select a from", "check c(a) :- p(a) =>",
    "mutate m() {", "mutate m() { let", "mutate m() { require a.b", 'test "t" { assert', "enum E {", "use a::",
    "use a::{", "struct S", "impl T for", "trait T {", "metatype m =", "#[", "standpoint S <:", "rel r(a: ",
]  # fmt: skip


@pytest.mark.parametrize("half", HALF_TYPED)
def test_a_half_typed_item_gives_one_problem_and_keeps_what_follows(half: str) -> None:
    document = Document.parse(f"type Before {{ x: Int }}\n\n{half}\n\ntype After {{ x: Int }}\n")
    labels = [label for label, _ in document.labels]
    assert labels[0] == "concept Before"
    assert labels[-2:] == ["concept After", "end"]
    assert [problem.code[:2] for _, problem in document.problems] == ["OE"]
