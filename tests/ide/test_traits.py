"""Hover, definition, references, outline and rename of traits, impls, members and type parameters."""

from __future__ import annotations

import pytest

from argon_lang.ide.completion.complete import complete
from argon_lang.ide.definition import definition
from argon_lang.ide.find import find_one
from argon_lang.ide.hierarchy import implementations, subtypes, supertypes, symbol_at
from argon_lang.ide.hover import hover
from argon_lang.ide.references import references
from argon_lang.ide.rename import rename
from argon_lang.ide.symbols import OutlineEntry, outline, search
from argon_lang.ide.tokens import coloured
from tests.ide.packages import marked

TRAIT = "pub trait Named {}\npub trait Billable: Named { derive due(Self, Money); fn fee(self, by: Int) -> Money; }\n"
HOVERS = {
    "a trait": (
        "trait $0Billable { derive due(Self, Money); fn fee(self, by: Int) -> Money; }",
        "trait Billable {\n    derive due(self, 1: Money);\n    fn fee(self, by: Int) -> Money;\n}",
    ),
    "a supertrait": (TRAIT + "type A;\nimpl $0Billable for A {}", "pub trait Billable: Named {"),
    "a member": (TRAIT + "fn f<T: Billable>(x: T) -> Money = $0fee(x, 1);", "fn fee(self, by: Int) -> Money"),
    "a member of an impl": (
        TRAIT + "type A;\nimpl Billable for A { fn $0fee(self, by: Int) -> Money = 1; }",
        "fn fee(self, by: Int) -> Money",
    ),
    "a type parameter": (TRAIT + "fn f<T: Billable>(x: $0T) -> Int = 1;", "T: Billable"),
    "a generic struct": ("struct $0Pair<A, B> { first: A, second: B }", "struct Pair<A, B> {"),
    "a generic function": ("fn $0both<T>(a: T) -> [T] = [a];", "fn both<T>(a: T) -> [T]"),
    "what stands for a parameter": (
        "struct Pair<A> { first: A }\nfn f(p: Pair<Int>) -> Pair<Int> { let $0q = p; q }",
        "q: Pair<Int>",
    ),
    "a field of a parameter's type": ("struct Pair<A> { first: A }\nfn f(p: Pair<Int>) -> Int = p.$0first;", ": A"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOVERS)
def test_a_hover_shows_the_declaration(name: str) -> None:
    text, expected = HOVERS[name]
    package = marked(text)
    found = hover(package.db, *package.at())
    assert found is not None
    assert expected in found.markdown


USES = {
    "the trait of an impl": "trait $1T {}\ntype A;\nimpl $0T for A {}",
    "the target of an impl": "trait T {}\ntype $1A;\nimpl T for $0A {}",
    "a supertrait": "trait $1S {}\ntrait T: $0S {}",
    "a member by its trait": "trait T { fn $1f(self) -> Int; }\nfn g<X: T>(x: X) -> Int = T::$0f(x);",
    "a member by its name": "trait T { derive $1d(Self); }\nderive e(x) :- $0d(x);",
    "a member of an impl": "trait T { derive $1d(Self); }\ntype A;\nimpl T for A { derive $0d(x) :- A(x); }",
    "a bound": "trait $1T {}\nfn g<X: $0T>(x: X) -> Int = 1;",
    "a type parameter of a struct": "struct S<$1T> { a: [$0T] }",
    "a type parameter of a function": "fn g<$1T>(x: T) -> $0T = x;",
    "a type parameter of a member": "trait T { fn f<$1X>(self, x: $0X) -> X; }",
    "the trait of a guard": "trait $1T {}\ntype A;\nderive d(x) :- A(x), implements(meta(x), $0T);",
    "a parameter of a member": "trait T { fn f(self, n: Int) -> Int; }\ntype A;\n"
    "impl T for A { fn f(self, $1n: Int) -> Int = $0n; }",
}


@pytest.mark.parametrize("name", USES)
def test_a_use_leads_to_what_declares_it(name: str) -> None:
    package = marked(USES[name])
    assert package.marked(definition(package.db, *package.at(0))) == [1]


def test_references_of_a_member_are_its_impls_and_its_calls() -> None:
    package = marked(
        "trait T { fn $0f(self) -> Int; }\ntype A;\ntype B;\nimpl T for A { fn $1f(self) -> Int = 1; }\n"
        "fn g(a: A) -> Int = $2f(a) + T::$3f(a);\nfn f2(b: B) -> Int = 1;"
    )
    for mark in range(4):
        assert package.marked(references(package.db, *package.at(mark))) == [0, 1, 2, 3]


def test_a_type_parameter_is_not_confused_with_one_of_the_same_name() -> None:
    package = marked("struct S<$0T> { a: $1T }\nfn g<$2T>(x: $3T) -> S<$4T> = S { a: x };")
    assert package.marked(references(package.db, *package.at(1))) == [0, 1]
    assert package.marked(references(package.db, *package.at(4))) == [2, 3, 4]


def test_a_member_is_renamed_with_its_impls() -> None:
    package = marked(
        "trait T { derive $0d(Self); }\ntype A;\nimpl T for A { derive d(x) :- A(x); }\nderive e(x) :- T::d(x);"
    )
    edits = rename(package.db, *package.at(0), "due").edits
    assert len(edits) == 3


def test_an_outline_shows_the_members() -> None:
    package = marked("trait T { fn f(self) -> Int; derive d(Self); }\ntype A;\nimpl T for A { fn f(self) -> Int = 1; }")

    def shape(entries: list[OutlineEntry]) -> list[object]:
        return [(each.kind, each.name, shape(each.children)) for each in entries]

    assert shape(outline(package.db, "root.ar")) == [
        ("trait", "T", [("fn", "f", []), ("predicate", "d", [])]),
        ("concept", "A", []),
        ("impl", "impl T for A", [("fn", "f", [])]),
    ]


def test_members_are_found_by_name() -> None:
    package = marked("pub trait Billable { fn fee(self) -> Int; }")
    assert [each.symbol.path for each in search(package.db, "fee")] == ["pkg::Billable::fee"]
    assert find_one(package.db, "Billable::fee").kind == "fn"
    assert find_one(package.db, "fee").path == "pkg::Billable::fee"


def test_every_name_of_traits_and_generics_has_a_colour() -> None:
    package = marked(
        "trait T: U { fn f<X: T>(self, x: X) -> X; derive d(Self); }\ntrait U {}\ntype A;\nimpl U for A {}\n"
        "impl T for A { fn f<X: T>(self, x: X) -> X = x; derive d(x: Self) :- A(x); }\nstruct P<B: T> { b: B }"
    )
    assert len(coloured(package.db, "root.ar")) > 20


@pytest.mark.parametrize("source", ["derive d(c) :- Billable::$0", "fn f(c: A) -> Money = Billable::$0;"])
def test_the_members_of_a_trait_are_offered_behind_its_name(source: str) -> None:
    package = marked(TRAIT + "type A;\nimpl Named for A {}\n" + source)
    assert "fee" in {each.label for each in complete(package.db, *package.at(0)).candidates}


def test_a_member_shows_its_own_docs() -> None:
    package = marked(
        "/// Who pays.\ntrait T {\n    /// How much.\n    fn f(self) -> Int;\n"
        "    /// What is due.\n    derive f2(Self);\n}\nfn g<X: T>(x: X) -> Int = $0f(x);\nderive e(x) :- T::$1f2(x);"
    )
    shown = [hover(package.db, *package.at(mark)) for mark in (0, 1)]
    assert [("How much." in str(each), "What is due." in str(each), "Who pays." in str(each)) for each in shown] == [
        (True, False, False),
        (False, True, False),
    ]


def test_implementations_of_a_trait_are_its_impls_and_of_a_member_what_they_give() -> None:
    package = marked(
        "trait $0T { derive $1d(Self); derive d(Self, Int); }\ntype A;\ntype B;\n"
        "impl $2T for A { derive $3d(x) :- A(x); derive d(x, 1) :- A(x); }\nimpl $4T for B { derive $5d(x) :- B(x); }"
    )
    assert package.marked(implementations(package.db, *package.at(0))) == [2, 4]
    assert package.marked(implementations(package.db, *package.at(1))) == [3, 5]


def test_traits_stand_below_their_supertraits() -> None:
    package = marked("trait $0S {}\ntrait $1T: S {}\ntrait $2U: T {}")
    symbol = symbol_at(package.db, *package.at(1))
    assert symbol is not None
    assert [each.symbol.name for each in supertypes(package.db, symbol)] == ["S"]
    assert [each.symbol.name for each in subtypes(package.db, symbol)] == ["U"]


OFFERS = {
    "the members that are not given": (
        "trait T { fn f(self, n: Int) -> Int; derive d(Self, Int); mutate m(self); }\ntype A;\n"
        "impl T for A { mutate m(self) {}\n$0 }",
        {"f": "fn f(self, n: Int) -> Int = ${1};", "d": "derive d(x, y1) :- ${1};"},
    ),
    "what a trait may ask for": ("trait T { $0 }", {"fn": "fn ${1:name}(self) -> ${2:T};"}),
    "traits": ("trait T {}\ntype A;\nimpl $0", {"T": "T"}),
    "bounds": ("trait T {}\nfn f<X: $0>(x: X) -> Int = 1;", {"T": "T"}),
    "type parameters": ("fn f<Item>(x: $0) -> Int = 1;", {"Item": "Item"}),
    "a type parameter of a member": ("trait T { fn f<Item>(self, x: $0) -> Int; }", {"Item": "Item", "Self": "Self"}),
    "fields of self": (
        "trait T { fn f(self) -> Int; }\ntype A { size: Int }\nimpl T for A { fn f(self) -> Int = self.$0; }",
        {"size": "size"},
    ),
    "atoms in a member": (
        "trait T { derive d(Self); }\ntype A;\nimpl T for A { derive d(x) :- $0 }", {"A": "A", "x": "x"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OFFERS)
def test_what_fits_in_traits_and_impls_is_offered(name: str) -> None:
    source, expected = OFFERS[name]
    package = marked(source)
    found = {each.label: each.text for each in complete(package.db, *package.at(0)).candidates}
    assert {label: found.get(label) for label in expected} == expected


def test_a_trait_position_offers_no_concept_and_an_impl_nothing_that_it_gives() -> None:
    package = marked("trait T { fn f(self) -> Int; }\ntype A;\nimpl $0T for A { fn f(self) -> Int = 1;\n$1 }")
    assert "A" not in {each.label for each in complete(package.db, *package.at(0)).candidates}
    assert complete(package.db, *package.at(1)).candidates == ()
