"""What a name of the module stands for, of every kind; near and ambiguous names."""

from __future__ import annotations

from typing import Any

import pytest

from argon_lang.errors import ArgonError
from argon_lang.session.declared import KINDS, declaration
from tests.runtime.worlds import served

SOURCE = """
/// Somebody.
pub type Person { mut name: String, nick: String?, born: Int = 0 }
pub type Pupil <: Person { friends: [Person] }
pub rel knows(who: Person, whom: Person) { since: Date }
pub derive popular(p: Person) :- knows(_, p);
pub derive popular(p: Person) :- p: Pupil;
pub fn next(n: Int) -> Int = n + 1;
pub query named(n: String) -> [Person] { select p from p: Person where p.name == n }
pub query all() -> popular;
pub mutate arrive(name: String) -> Person { let p = insert Person { name: name }; return p; }
use std::core::{Diagnostic, Severity};
check lonely(p: Person) :- p: Person, not knows(_, p)
    => Diagnostic { severity: Severity::Warning, message: "alone" };
"""


def told(name: str) -> dict[str, Any]:
    found: dict[str, Any] = declaration(served(SOURCE), name)["declaration"]
    return found


def test_every_kind_is_told_with_its_parts() -> None:
    names = ["Person", "knows", "named", "arrive", "lonely", "popular", "next"]
    assert [told(name)["kind"] for name in names] == list(KINDS)
    person = told("Person")
    assert (person["doc"], person["path"], person["subs"]) == ("Somebody.", "pkg::Person", ["pkg::Pupil"])
    assert [(each["name"], each["type"], each["mutable"], each["required"]) for each in person["fields"]] == [
        ("name", "String", True, True),
        ("nick", "String?", False, False),
        ("born", "Int", False, False),
    ]
    assert {each["name"]: each.get("from") for each in told("Pupil")["fields"]} == {
        "friends": None,
        "name": "pkg::Person",
        "nick": "pkg::Person",
        "born": "pkg::Person",
    }
    assert [each["name"] for each in told("knows")["ends"]] == ["who", "whom"]
    assert len(told("popular")["clauses"]) == 2
    assert told("arrive")["params"] == [{"name": "name", "type": "String"}]
    assert (told("named")["type"], told("next")["type"]) == ("[Person]", "Int")
    assert told("lonely")["columns"] == [{"name": "p", "type": "Person"}]


def test_a_path_and_a_short_name_are_the_same_declaration() -> None:
    assert told("pkg::Person") == told("Person")


def test_a_name_that_does_not_exist_is_refused_with_near_ones() -> None:
    with pytest.raises(ArgonError) as caught:
        told("Persom")
    assert caught.value.code == "ARGON_RUNTIME_NOT_FOUND"
    assert caught.value.details["candidates"] == ["Person"]
