"""While an item cannot be read, whoever misses one of its names has made no mistake."""

from __future__ import annotations

import pytest

from argon_lang.program.view import PackageInfo
from argon_lang.queries.database import Database
from argon_lang.queries.snippet import PRELUDE, check_files

USES = "derive adult(p) :- Person(p), p.age > 17;\nrel parent(of: Person, child: Person);\nfact Person(ann);\n"


def told(text: str) -> list[tuple[str, int]]:
    found = check_files({"root.ar": text})
    return [(each.code, text.count("\n", 0, each.location.start)) for each in found if each.severity == "error"]


@pytest.mark.parametrize(
    "broken",
    ["tipe Person { age: Int ;", "type ( Person { age: Int }", "type Person age: Int }", "class Person:\n    age: int"],
)
def test_an_item_that_cannot_be_read_is_told_of_and_those_that_name_it_are_not(broken: str) -> None:
    assert {line for _, line in told(f"{broken}\n{USES}")} == {0}


def test_names_that_no_broken_item_has_are_missed_as_ever() -> None:
    assert told(f"type ( Person {{ age: Int }}\n{USES}fact Robot(r2);\n") == [("OE0001", 0), ("OE0101", 4)]


def test_a_broken_rule_hides_its_own_name_alone() -> None:
    text = "type A;\nderive b(x) :- A(x) x;\nderive c(x) :- b(x);\nderive d(x) :- e(x);\n"
    assert told(text) == [("OE0001", 1), ("OE0101", 3)]


def test_what_was_lost_is_missed_again_once_the_item_is_gone() -> None:
    db = Database(PackageInfo("", prelude=PRELUDE))
    db.set_files({"root.ar": "type ( A;\nfact A(a);\n"})
    assert [each.code for each in db.diagnostics()] == ["OE0001"]
    db.edit_file("root.ar", 0, len("type ( A;"), "")
    assert [each.code for each in db.diagnostics()] == ["OE0101"]


def test_a_brace_left_over_by_a_broken_item_is_no_second_mistake() -> None:
    assert told("mutate m()\n    require true;\n    require true;\n}\n") == [("OE0001", 0)]
    assert [code for code, _ in told("type A {}\n}\n")] == ["OE0001"]
