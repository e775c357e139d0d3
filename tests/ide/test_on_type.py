"""Layout while one types."""

from __future__ import annotations

import pytest

from argon_lang.ide.on_type import typed
from tests.ide.packages import marked
from tests.ide.test_rename import applied


def after(source: str, character: str) -> str:
    """The text once the character in front of mark 0 has been typed."""
    package = marked(source)
    file, offset = package.at()
    return applied(package.db, typed(package.db, file, offset, character))[file]


def test_an_item_is_laid_out_when_its_end_is_typed() -> None:
    source = "type  A{ a:Int }\nderive d( x:A ):-x:A;$0\ntype  B{ b:Int }\n"
    assert after(source, ";") == "type  A{ a:Int }\nderive d(x: A) :- x: A;\ntype  B{ b:Int }\n"


def test_a_brace_that_ends_an_item_lays_it_out() -> None:
    assert after("type A{\na:Int }$0\n", "}") == "type A {\n    a: Int,\n}\n"


@pytest.mark.parametrize(
    ("source", "character"),
    [
        ("mutate  m( ){ let x = 1;$0 }\n", ";"),
        ("derive  d( x ) :- oops(;$0\n", ";"),
        ('test  "a;$0" { }\n', ";"),
    ],
)
def test_nothing_moves_inside_of_an_item_or_in_a_broken_one(source: str, character: str) -> None:
    assert after(source, character) == source.replace("$0", "")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("type A {\n$0", "type A {\n    "),
        ("type A {\n$0}\n", "type A {\n}\n"),
        ("type A {\n  $0a: Int\n}\n", "type A {\n    a: Int\n}\n"),
        ("derive d(x) :-\n$0", "derive d(x) :-\n    "),
        ("derive d(x) :-\n    x: A,\n$0\ntype A { }\n", "derive d(x) :-\n    x: A,\n    \ntype A { }\n"),
        ("derive d(x) :- x: A;\n    $0\ntype A { }\n", "derive d(x) :- x: A;\n\ntype A { }\n"),
        ("mod m {\n$0\n}\n", "mod m {\n    \n}\n"),
        ("mod m {\n    type A {\n$0\n    }\n}\n", "mod m {\n    type A {\n        \n    }\n}\n"),
        ("/* a\n   $0b */\n", "/* a\n   b */\n"),
        (
            "mutate m() {\n    require {\n    $0true\n    }\n}\n",
            "mutate m() {\n    require {\n        true\n    }\n}\n",
        ),
    ],
)
def test_a_new_line_is_indented_by_what_is_open(source: str, expected: str) -> None:
    assert after(source, "\n") == expected
