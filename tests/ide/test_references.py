"""Find references, and highlight them in one file."""

from __future__ import annotations

from argon_lang.ide.references import highlights, references, references_to
from tests.ide.packages import marked


def test_every_use_of_a_type_is_found_wherever_it_stands() -> None:
    package = marked(
        "use self::more::{$1B};\nmod more;\npub type $0A { b: $2B }\npub derive d(x: $3A) :- x: $4A;",
        more="use super::{$5A};\npub type $6B { a: $7A }",
    )
    assert set(package.marked(references(package.db, *package.at(0)))) == {0, 3, 4, 5, 7}
    assert set(package.marked(references(package.db, *package.at(2)))) == {1, 2, 6}
    assert 0 not in package.marked(references(package.db, *package.at(3), declaration=False))


def test_references_do_not_depend_on_where_one_asks() -> None:
    package = marked("pub type P { $0size: Int }\npub derive d(x: P) :- x: P, x.$1size > 1;\nfact P(a) { $2size: 3 };")
    answers = [package.marked(references(package.db, *package.at(mark))) for mark in (0, 1, 2)]
    assert answers == [[0, 1, 2]] * 3


def test_a_field_is_not_confused_with_one_of_the_same_name() -> None:
    package = marked(
        "pub type P { $0size: Int }\npub type Q { size: Int }\n"
        "pub derive d(x: P, y: Q) :- x: P, y: Q, x.$1size > y.size;"
    )
    assert package.marked(references(package.db, *package.at(0))) == [0, 1]


def test_a_local_is_found_in_its_item_alone() -> None:
    package = marked(
        "pub type P { }\npub rel r(a: P, b: P);\n"
        "pub derive d($0x: P) :- r($1x, y), r(y, $2x);\npub derive e(x: P) :- r(x, x);"
    )
    assert package.marked(references(package.db, *package.at(1))) == [0, 1, 2]


def test_a_use_under_another_name_is_found() -> None:
    package = marked(
        "use self::inner::{$1A as Other};\nmod inner {\n    pub type $0A { }\n}\npub type B { a: $2Other }"
    )
    assert set(package.marked(references(package.db, *package.at(0)))) == {0, 1, 2}


def test_names_are_compared_in_their_normal_form() -> None:
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    package = marked(f"pub fn $0{composed}() -> Int = 1;\npub fn two() -> Int = $1{decomposed}();")
    assert package.marked(references(package.db, *package.at(0))) == [0, 1]


def test_the_uses_of_a_std_function_in_the_package_are_found() -> None:
    package = marked("use std::time::{$0today};\npub fn f() -> Date = $1today();")
    assert package.marked(references(package.db, *package.at(1), declaration=False)) == [0, 1]


def test_references_by_name_are_those_by_offset() -> None:
    package = marked("pub type $0P { }\npub derive d(x: $1P) :- x: $2P;")
    symbol = package.db.symbol("pkg::P")
    assert symbol is not None
    assert references_to(package.db, symbol) == references(package.db, *package.at(0))


def test_highlights_stay_in_the_file_and_tell_declarations() -> None:
    package = marked("mod more;\npub type $0A { b: $1A? }", more="use super::{A};\npub type B { a: A }")
    found = highlights(package.db, *package.at(1))
    assert [(package.marked([location])[0], declares) for location, declares in found] == [(0, True), (1, False)]


def test_nothing_is_named_by_a_comment_or_an_unknown_name() -> None:
    package = marked("// $0words\npub type A { b: $1Nowhere }")
    assert references(package.db, *package.at(0)) == ()
    assert references(package.db, *package.at(1)) == ()
