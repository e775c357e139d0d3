"""Go to definition."""

from __future__ import annotations

import pytest

from argon_lang.ide.definition import definition, definition_of
from tests.ide.packages import marked

CASES = {
    "a type in a field": "pub type $1Person { }\npub type Dog { owner: $0Person }",
    "a type in a supertype list": "pub type $1Person { }\npub type Tenant <: $0Person;",
    "a relation in a rule": (
        "pub type P { }\npub rel $1knows(a: P, b: P);\npub derive d(a: P) :- $0knows(a, b), knows(b, a);"
    ),
    "a head variable": "pub type P { }\npub derive d($1x: P) :- $0x: P;",
    "a rule variable": "pub type P { }\npub rel r(a: P, b: P);\npub derive d(x: P) :- r(x, $1y), r($0y, x);",
    "a field of a variable": "pub type P { $1size: Int }\npub derive d(x: P) :- x: P, x.$0size > 1;",
    "an inherited field": "pub type P { $1size: Int }\npub type Q <: P;\npub derive d(x: Q) :- x: Q, x.$0size > 1;",
    "an end of a relation": (
        "pub type P { }\npub rel r($1first: P, b: P) { w: Int }\npub derive d(p: P) :- t: r, p = t.$0first;"
    ),
    "a variant": "pub enum E { $1On, Off }\npub type P { e: E = E::$0On }",
    "an enum before its variant": "pub enum $1E { On, Off }\npub type P { e: E = $0E::On }",
    "a function": "pub fn $1twice(n: Int) -> Int = n * 2;\npub fn four() -> Int = $0twice(2);",
    "a parameter of a function": "pub fn twice($1n: Int) -> Int = $0n * 2;",
    "a field in a fact": "pub type P { $1size: Int }\nfact P(a) { $0size: 3 };",
    "an individual in a fact": "pub type P { }\npub rel r(a: P, b: P);\nfact P($1ann) { };\nfact r($0ann, ann);",
    "a name in a use": "mod inner {\n    pub type $1A { }\n}\nuse self::inner::{$0A};\npub type B { a: A }",
    "an inline module": "mod $1inner {\n    pub type A { }\n}\npub type B { a: $0inner::A }",
    "a standpoint below another": "pub standpoint $1Court;\npub standpoint Tax <: $0Court { }",
    "a standpoint before its item": (
        "pub type P { }\npub standpoint $1Court { pub derive d(x: P) :- x: P; }\npub derive e(x: P) :- $0Court::d(x);"
    ),
    "an item of a standpoint": (
        "pub type P { }\npub standpoint Court { pub derive $1d(x: P) :- x: P; }\npub derive e(x: P) :- Court::$0d(x);"
    ),
    "a name around a standpoint": "pub type $1P { }\npub standpoint Court { pub derive d(x: P) :- x: $0P; }",
    "what an exception defeats": (
        "pub type P { }\n#[default] pub derive $1d(x: P) :- x: P;\n#[defeats($0d(x))] pub derive e(x: P) :- x: P;"
    ),
    "a variable of an exception": (
        "pub type P { }\n#[default] pub derive d(x: P) :- x: P;\n#[defeats(d($0x))] pub derive e($1x: P) :- x: P;"
    ),
    "the declaration itself": "pub type $1P { }",
}


@pytest.mark.parametrize("source", CASES.values(), ids=CASES.keys())
def test_definition_leads_from_a_use_to_the_declaration(source: str) -> None:
    package = marked(source)
    start = package.at(0) if 0 in package.marks else package.at(1)
    assert package.marked(definition(package.db, *start)) == [1]


def test_definition_of_a_predicate_is_every_clause() -> None:
    package = marked(
        "pub type P { }\npub derive $1d(x: P) :- x: P;\npub derive $2d(x: P) :- x: P, d(x);\ncheck c(x: P) :- $0d(x)\n"
        '    => Diagnostic { severity: Severity::Error, message: "no" };'
    )
    assert package.marked(definition(package.db, *package.at())) == [1, 2]


def test_clauses_of_another_arity_are_another_predicate() -> None:
    package = marked(
        "pub type P { }\npub derive $1d(x: P) :- x: P;\npub derive d(x: P, y: P) :- x: P, y: P;\n"
        "pub derive e(x: P) :- $0d(x);"
    )
    assert package.marked(definition(package.db, *package.at())) == [1]


def test_definition_goes_into_the_file_of_a_module() -> None:
    package = marked(
        "use self::people::{$0Person};\nmod people;\npub type T <: Person;", people="pub type $1Person { }"
    )
    assert package.marked(definition(package.db, *package.at())) == [1]


def test_a_module_of_its_own_file_is_defined_by_the_file() -> None:
    package = marked("mod $0people;", people="$1pub type Person { }")
    assert package.marked(definition(package.db, *package.at())) == [1]


def test_definition_goes_into_std() -> None:
    package = marked("use std::time::{today};\npub fn f() -> Date = $0today();")
    (place,) = definition(package.db, *package.at())
    assert (place.file, package.text(place)) == ("std::time/root.ar", "today")


def test_what_nothing_declares_has_no_definition() -> None:
    package = marked("pub type P { a: $0Nowhere, b: $1Int }\n// $2nothing")
    assert definition(package.db, *package.at(0)) == ()
    assert definition(package.db, *package.at(1)) == ()
    assert definition(package.db, *package.at(2)) == ()
    assert definition(package.db, "root.ar", 10_000) == ()
    assert definition(package.db, "other.ar", 0) == ()


def test_definition_by_name_finds_what_definition_by_offset_finds() -> None:
    package = marked("pub type $0P { }\npub derive d(x: P) :- x: P;\npub derive d(x: P) :- x: P;")
    for path, count in (("pkg::P", 1), ("pkg::d", 2)):
        symbol = package.db.symbol(path)
        assert symbol is not None
        assert len(definition_of(package.db, symbol)) == count
