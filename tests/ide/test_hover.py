"""What a reader sees who points at a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from argon_lang.ide.hover import hover, hover_symbol
from argon_lang.ide.reasoning import reasons
from argon_lang.queries.snippet import database_of
from argon_lang.queries.whole import lowered
from tests.ide.packages import marked

EXAMPLE = Path(__file__).parents[2] / "examples" / "lease"

CASES = {
    "a concept": ("/// Someone.\npub type $0P <: Q { mut age: Int = 3, name: String? }\npub type Q { }",
                  ["pub type P <: Q {", "    mut age: Int = …,", "    name: String?,", "Someone.", "in `pkg`"]),
    "a relation": ("pub type P { }\npub rel $0r(a: P, b: P) [0..1] [1..*] { w: Int }",
                   ["pub rel r(a: P, b: P) [0..1] [1..*] {", "    w: Int,"]),
    "a standpoint": ("pub standpoint $0Tax <: Court;\npub standpoint Court;",
                     ["pub standpoint Tax <: Court", "in `pkg`"]),
    "an enum": ("pub enum $0E { On, Lit(Int), Named { at: Date } }",
                ["pub enum E {", "    On,", "    Lit(Int),", "    Named { at: Date },"]),
    "a struct": ("struct $0S { n: Int }", ["struct S {", "    n: Int,"]),
    "a function": ("/// Twice as much.\npub(pkg) fn $0f(n: Int, m: [Int]) -> Int = n;",
                   ["pub(pkg) fn f(n: Int, m: [Int]) -> Int", "Twice as much."]),
    "a predicate": ("pub type P { }\npub derive $0d(x: P) :- x: P;\npub derive d(x: P) :- x: P, d(x);",
                    ["pub derive d(x: P)", "2 clauses"]),
    "a query": ("pub type P { }\npub query $0q(n: Int) -> [P] { select x from x: P }", ["pub query q(n: Int) -> [P]"]),
    "a query for an extent": ("pub type P { }\npub derive d(x: P) :- x: P;\npub query $0q() -> d;",
                              ["pub query q() -> d"]),
    "a mutation": ("pub type P { }\npub mutate $0m(x: P) { require true; }", ["pub mutate m(x: P)"]),
    "a rule variable": ("pub type P { }\npub rel r(a: P, b: P);\npub derive d(x: P) :- r(x, $0y), r(y, x);",
                        ["y: P", "rule variable"]),
    "a parameter": ("pub fn f($0n: Int) -> Int = n;", ["n: Int", "parameter"]),
    "a field": ("pub type P {\n    /// In years.\n    mut age: Int,\n}\nfact P(a) { $0age: 3 };",
                ["mut age: Int", "In years.", "field of `P`"]),
    "an end": ("pub type P { }\npub rel r($0a: P, b: P);", ["a: P", "end 1 of `r`"]),
    "a variant": ("pub enum E {\n    /// Burning.\n    On,\n}\npub type P { e: E = E::$0On }",
                  ["On", "Burning.", "variant of `E`"]),
    "an individual": ("pub type P { }\nfact P($0ann) { };", ["ann: P", "1 fact"]),
    "a built-in type": ("pub type P { n: $0Money }", ["Money", "built-in type"]),
    "an intrinsic": ("pub fn f(d: Date) -> Int = d.$0year;", ["Date.year -> Int", "Calendar year", "built in"]),
    "a member that takes a function": ("pub fn f(xs: [Int]) -> [Int] = xs.$0map(|x| x);",
                                       ["[T].map(fn(T) -> U) -> [U]", "built in"]),
    "a closure's parameter": ("pub fn f(xs: [Int]) -> [Int] = xs.map(|x| $0x + 1);", ["x: Int"]),
    "a map": ("pub fn f(m: $0Map<String, Int>) -> Int = 1;", ["Map<String, Int>", "Values by key", "built-in type"]),
    "reflection": ("pub type P { }\npub derive d(x: P) :- x: P, $0iof(x, P);",
                   ["iof(x, t: TypeRef) -> Bool", "reflection"]),
    "a metatype as a value": ("metatype k = { };\npub derive d(t: TypeRef) :- t: TypeRef, meta(t) == $0k;",
                              ["metatype k"]),
    "a table of a query": ("pub type P { }\nquery q() -> [P] { with t = (select p from p: P); select p from $0t(p) }",
                           ["t: [{ p: P }]"]),
    "a module": ("mod $0more;", ["mod more", "What there is more."]),
    "a std function": ("use std::time::{today};\npub fn f() -> Date = $0today();",
                       ["pub fn today() -> Date", "in `std::time`"]),
}  # fmt: skip


@pytest.mark.parametrize(("source", "wanted"), CASES.values(), ids=CASES.keys())
def test_hover_shows(source: str, wanted: list[str]) -> None:
    package = marked(source, more="//! What there is more.\npub type M { }")
    found = hover(package.db, *package.at())
    assert found is not None
    lines = found.markdown.replace("*", "").split("\n") if "[1..*]" not in source else found.markdown.split("\n")
    missing = [line for line in wanted if not any(line in each for each in lines)]
    assert missing == [], found.markdown
    assert package.at() == (found.location.file, found.location.start)


REASONING = {
    "a plain rule": ("derive $0d(x: P) :- x: P;", ["1 clause, structural tier, closed world, in `pkg`"]),
    "a rule that negates": ("derive $0d(x: P) :- x: P, not r(x, x);", ["expressive tier, closed world"]),
    "a rule that reads itself": (
        "derive $0d(a: P, b: P) :- r(a, b);\nderive d(a: P, b: P) :- r(a, c), d(c, b);",
        ["2 clauses, recursive tier, closed world"],
    ),
    "a rule that reads itself by way of another": (
        "derive $0d(a: P) :- e(a);\nderive e(a: P) :- r(a, b), d(b);",
        ["recursive tier", "Read by `e`."],
    ),
    "a rule over one that negates": (
        "derive $0d(a: P) :- e(a);\nderive e(a: P) :- a: P, not r(a, a);",
        ["structural tier"],
    ),
    "a rule over an open concept": (
        "#[world(open)]\ntype O { }\nderive $0d(a: O) :- e(a);\nderive e(a: O) :- a: O, not r(p, p), p: P;",
        ["open world by `O`"],
    ),
    "an open concept": ("#[world(open)]\ntype $0O { }", ["open world, in `pkg`"]),
    "a rule that is put to use": (
        "derive $0d(x: P) :- x: P;\nderive e(x: P) :- d(x);\nderive f(x: P) :- d(x);\n"
        'fact P(ann) { };\ntest "t" {\n    assert derivable d(ann);\n}',
        ["Read by `e`, `f`.", "For example, in `root.ar:8`:", "assert derivable d(ann);"],
    ),
}


@pytest.mark.parametrize(("source", "wanted"), REASONING.values(), ids=REASONING.keys())
def test_hover_tells_how_a_rule_reasons_and_who_reads_it(source: str, wanted: list[str]) -> None:
    package = marked(f"type P {{ }}\nrel r(a: P, b: P);\n{source}")
    found = hover(package.db, *package.at())
    assert found is not None
    assert [words for words in wanted if words not in found.markdown] == [], found.markdown


def test_tiers_told_are_those_of_the_lowered_program() -> None:
    sources = {path.name: path.read_text(encoding="utf-8") for path in sorted(EXAMPLE.glob("*.ar"))}
    db = database_of({**sources, "ox.toml": (EXAMPLE / "ox.toml").read_text(encoding="utf-8")})
    tiers = {key: tier for key, tier in db.ask(lowered, None).tiers if "/" in key}
    told = {}
    for symbols in db.all_symbols().values():
        for symbol in symbols:
            if symbol.kind == "predicate" and (found := reasons(db, symbol)) is not None:
                told[f"{symbol.path}/{symbol.arity}"] = found.tier
    assert told
    assert told == {key: tiers[key] for key in told}


def test_hover_over_nothing_is_nothing() -> None:
    package = marked("// $0words\npub type A { b: $1Nowhere }")
    assert hover(package.db, *package.at(0)) is None
    assert hover(package.db, *package.at(1)) is None


def test_hover_at_the_end_of_a_name_is_about_the_name() -> None:
    package = marked("pub type Person$0 { }")
    found = hover(package.db, *package.at())
    assert found is not None
    assert package.text(found.location) == "Person"


def test_hover_by_name_is_hover_by_offset() -> None:
    package = marked("/// Someone.\npub type $0P { }")
    symbol, found = package.db.symbol("pkg::P"), hover(package.db, *package.at())
    assert symbol is not None
    assert found is not None
    assert hover_symbol(package.db, symbol) == found.markdown


def test_hover_in_half_typed_code_answers_what_it_can() -> None:
    package = marked("pub type $0Person { name: String, age: }\npub derive d(x: $1Person) :- x: Person, x.")
    for mark in (0, 1):
        found = hover(package.db, *package.at(mark))
        assert found is None or "Person" in found.markdown
