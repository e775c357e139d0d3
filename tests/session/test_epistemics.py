"""How a module reasons, told to an agent."""

from __future__ import annotations

from typing import Any

import pytest

from argon_lang.errors import ArgonError
from argon_lang.session.epistemics import epistemics
from tests.runtime.worlds import served

SOURCE = """
type Person;
#[world(open)] type Guest <: Person;
rel knows(a: Person, b: Person);
fact Person(ann);
standpoint Court { fact Guest(ann); not_fact knows(ann, ann); }
standpoint Appeal <: Court {
    check odd(p: Person) :- knows(p, p) => Diagnostic { severity: Severity::Info, message: "odd" };
}
derive reach(a: Person, b: Person) :- knows(a, b);
derive reach(a: Person, b: Person) :- knows(a, m), reach(m, b);
#[default] #[label(usual)] derive admitted(p: Person) :- Person(p);
#[default] derive admitted(p: Person) :- reach(p, _);
#[defeats(admitted.usual(p))] derive barred(p: Person) :- Guest(p);
#[defeats(admitted(_))] derive closed() :- Person(p), not Guest(p), not knows(p, _);
query all() -> admitted;
"""


def told(construct: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = epistemics(served(SOURCE), construct)
    return found


def test_each_rule_query_and_check_has_its_tier() -> None:
    tiers = {each["name"]: each["tier"] for each in told()["tiers"]}
    assert tiers["pkg::reach"] == "recursive"
    assert tiers["pkg::barred"] == "structural"
    assert tiers["pkg::admitted"] == "expressive"
    assert tiers["pkg::Appeal::odd"] == "structural"


def test_a_standpoint_is_told_with_the_layers_of_its_view() -> None:
    court, appeal = sorted(told("standpoints")["standpoints"], key=lambda each: str(each["path"]), reverse=True)
    assert (court["supers"], court["declares"], court["denies"]) == ([], 1, 1)
    assert appeal["supers"] == ["pkg::Court"]
    assert appeal["layers"] == ["default", "pkg::Appeal", "pkg::Court"]
    assert appeal["checks"] == ["pkg::Appeal::odd"]


def test_only_open_concepts_are_told() -> None:
    assert told("worlds")["worlds"] == [{"concept": "pkg::Guest", "world": "open"}]


def test_a_default_clause_is_told_with_what_defeats_it() -> None:
    found = {each["label"]: each["defeatedBy"] for each in told("exceptions")["exceptions"]}
    assert found == {"usual": ["pkg::barred", "pkg::closed"], None: ["pkg::closed"]}


def test_a_name_gets_what_is_said_of_it_alone() -> None:
    found = told("admitted")
    assert {part for part in found if part not in ("schemaVersion", "moduleHash")} == {"tiers", "exceptions"}


def test_a_name_of_which_nothing_is_said_is_not_found() -> None:
    with pytest.raises(ArgonError) as caught:
        told("admited")
    assert caught.value.code == "ARGON_RUNTIME_NOT_FOUND"
    assert caught.value.details["candidates"] == ["admitted"]
