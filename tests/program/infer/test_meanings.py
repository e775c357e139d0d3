"""What names mean, by kind of node: lowering decides nothing anew."""

from __future__ import annotations

import pytest

from argon_lang.program.model import (
    Resolution,
    ToBinding,
    ToEnd,
    ToField,
    ToIntrinsic,
    ToSymbol,
    ToType,
    ToVariant,
)
from argon_lang.program.types import DATE, MONEY, Named
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View
from tests.program.infer.checked import WORLD, checked

N = nodes


@pytest.mark.parametrize(
    ("expression", "kind", "text", "meaning"),
    [
        ("ann", N.Path, "ann", ToSymbol("individual", "pkg::ann")),
        ("p", N.Path, "p", ToBinding(0)),
        ("Size::Small", N.Path, "Size::Small", ToVariant("pkg::Size", "Small")),
        ("Size::Large(3)", N.Call, "Size::Large(3)", ToVariant("pkg::Size", "Large")),
        ("Size::Large(3)", N.Path, "Size::Large", ToVariant("pkg::Size", "Large")),
        ("Size::Box { wide: 1 }", N.StructExpr, "Size::Box { wide: 1 }", ToVariant("pkg::Size", "Box")),
        ("Pair { left: 1 }", N.StructExpr, "Pair { left: 1 }", ToSymbol("struct", "pkg::Pair")),
        ("Pair { left: 1 }", N.Path, "Pair", ToSymbol("struct", "pkg::Pair")),
        ("Pair { left: 1 }", N.Name, "left", ToField("struct", "pkg::Pair", "left")),
        ("w.name", N.FieldExpr, "w.name", ToField("concept", "pkg::Person", "name")),
        ("w.wage", N.FieldExpr, "w.wage", ToField("concept", "pkg::Worker", "wage")),
        ("j.since", N.FieldExpr, "j.since", ToField("relation", "pkg::employs", "since")),
        ("j.worker", N.FieldExpr, "j.worker", ToEnd("pkg::employs", 1)),
        ("p.born.year", N.FieldExpr, "p.born.year", ToIntrinsic("year")),
        ("3.days", N.FieldExpr, "3.days", ToIntrinsic("days")),
        ("p.name.length()", N.MethodCall, "p.name.length()", ToIntrinsic("length")),
        ("today()", N.Call, "today()", ToIntrinsic("today")),
        ("doubled(1)", N.Call, "doubled(1)", ToSymbol("fn", "pkg::doubled")),
        ("people()", N.Call, "people()", ToSymbol("query", "pkg::people")),
        ("Person(p)", N.Call, "Person(p)", ToSymbol("concept", "pkg::Person")),
        ("knows(p, w)", N.Path, "knows", ToSymbol("relation", "pkg::knows")),
        ("rich(p)", N.Call, "rich(p)", ToSymbol("predicate", "pkg::rich", 1)),
        ("owes(p, 1)", N.Path, "owes", ToSymbol("predicate", "pkg::owes", 2)),
    ],
)
def test_an_expression_carries_its_meaning(expression: str, kind: type[View], text: str, meaning: Resolution) -> None:
    found = checked(f"mutate m(p: Person, w: Worker, j: employs) {{ let x = {expression}; }}")
    assert found.meaning(text, kind) == meaning
    assert found.codes == []


@pytest.mark.parametrize(
    ("statement", "kind", "text", "meaning"),
    [
        ("let x = 1;", N.Name, "x", ToBinding(2)),
        ("let i = hire(p, 3);", N.Call, "hire(p, 3)", ToSymbol("mutation", "pkg::hire")),
        ("hire(p, 3);", N.Path, "hire", ToSymbol("mutation", "pkg::hire")),
        ('insert Firm { title: "t" };', N.Path, "Firm", ToSymbol("concept", "pkg::Firm")),
        ('insert Firm { title: "t" };', N.Name, "title", ToField("concept", "pkg::Firm", "title")),
        ("insert iof(p, Worker) { wage };", N.Path, "iof", ToIntrinsic("iof")),
        ("insert iof(p, Worker) { wage };", N.Path, "Worker", ToSymbol("concept", "pkg::Worker")),
        ("insert iof(p, Worker) { wage };", N.FieldInit, "wage", ToBinding(1)),
        ("insert employs(acme, ann);", N.Path, "employs", ToSymbol("relation", "pkg::employs")),
        ("update p set { wealth = 3 };", N.Name, "p", ToBinding(0)),
        ("update p set { wealth = 3 };", N.Name, "wealth", ToField("concept", "pkg::Person", "wealth")),
        ("update q: Person set { wealth = 3 };", N.Name, "q", ToBinding(2)),
        ("update q: Person set { wealth = 3 };", N.NamedType, "Person", ToType(Named("concept", "pkg::Person"))),
        ("update ann set { wealth = 3 };", N.Name, "ann", ToSymbol("individual", "pkg::ann")),
        ("delete employs(_, p);", N.DeleteStmt, "delete employs(_, p);", ToSymbol("relation", "pkg::employs")),
        ("delete Worker(p);", N.Path, "Worker", ToSymbol("concept", "pkg::Worker")),
        ("delete iof(p, Worker);", N.DeleteStmt, "delete iof(p, Worker);", ToIntrinsic("iof")),
        ("let d: Date = p.born;", N.NamedType, "Date", ToType(DATE)),
    ],
)
def test_a_statement_carries_its_meanings(statement: str, kind: type[View], text: str, meaning: Resolution) -> None:
    found = checked(f"mutate m(p: Person, wage: Money) {{ {statement} }}")
    assert found.meaning(text, kind) == meaning
    assert found.codes == []


def test_a_shorthand_means_the_field_on_its_name_and_the_value_on_the_whole() -> None:
    found = checked("mutate m(p: Person, wage: Money) { insert iof(p, Worker) { wage }; }")
    assert found.meaning("wage", N.Name, 1) == ToField("concept", "pkg::Worker", "wage")
    assert found.meaning("wage", N.FieldInit) == ToBinding(1)
    assert found.type("wage", N.FieldInit) == MONEY


def test_a_derivable_assertion_means_what_it_asks_about() -> None:
    found = checked('test "t" { assert not derivable owes(ann, _); }')
    assert found.meaning("owes", N.Path) == ToSymbol("predicate", "pkg::owes", 2)
    assert found.meaning("assert not derivable owes(ann, _);") == ToSymbol("predicate", "pkg::owes", 2)


def test_a_fact_means_a_concept_or_relation_and_its_individuals() -> None:
    found = checked("fact employs(acme, bob) { since: #2026-01-01# };")
    assert found.meaning("employs") == ToSymbol("relation", "pkg::employs")
    assert found.meaning("bob") == ToSymbol("individual", "pkg::bob")
    assert found.meaning("since") == ToField("relation", "pkg::employs", "since")


def test_a_ground_clause_means_individuals() -> None:
    found = checked("derive owes(ann, 3);")
    assert found.meaning("ann", N.HeadVar) == ToSymbol("individual", "pkg::ann")
    assert found.type("3") == MONEY


def test_an_extent_means_what_it_lists() -> None:
    assert checked("query q() -> Person;").meaning("Person", N.NamedType) == ToType(Named("concept", "pkg::Person"))
    assert checked("query q() -> rich;").meaning("rich", N.NamedType) == ToSymbol("predicate", "pkg::rich", 1)
    assert checked("query q() -> [employs];").codes == []


def test_exact_arity_tells_predicates_of_one_name_apart() -> None:
    world = WORLD + "derive owes(p: Person) :- owes(p, _);\n"
    found = checked("derive d(p: Person) :- owes(p), owes(p, x), x > 3;", world)
    assert found.meaning("owes(p)") == ToSymbol("predicate", "pkg::owes", 1)
    assert found.meaning("owes(p, x)") == ToSymbol("predicate", "pkg::owes", 2)


def test_uses_are_in_the_order_of_the_text_and_span_the_last_segment() -> None:
    found = checked("fn f(s: Size) -> Bool = s == Size::Small;")
    shown = [(found.item.text[use.start : use.end], use.meaning) for use in found.inference.uses]
    assert shown == [
        ("s", ToBinding(0)),
        ("s", ToBinding(0)),
        ("Size", ToSymbol("enum", "pkg::Size")),
        ("Small", ToVariant("pkg::Size", "Small")),
    ]
