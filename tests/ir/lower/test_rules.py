"""Clauses: what each form of atom becomes, and what the engine makes of it."""

from __future__ import annotations

from argon_lang.ir.expr import Binary, GetEnd, Lit, Local, MakeTuple
from argon_lang.ir.rules import Bind, Const, Each, Match, Not, Test, Var
from argon_lang.ir.values import Entity, EnumValue, TupleValue
from argon_lang.program.types import BOOL
from tests.ir.lower.programs import lowered, rows, rule

WORLD = """
type Person { name: String, age: Int?, tags: [String], boss: Person? }
type Firm;
rel job(who: Person, firm: Firm) { pay: Money }
rel night_job(who: Person, firm: Firm) <: job { bonus: Money }
enum Size { Small, Big(Int) }
fact Person(ann) { name: "Ann", age: 30, tags: ["a", "b"] };
fact Person(bob) { name: "Bob", boss: ann };
fact Firm(acme);
fact job(ann, acme) { pay: 100.00 };
fact night_job(bob, acme) { pay: 200.00, bonus: 7.50 };
"""


def test_membership_is_the_same_written_as_a_call_and_as_a_type() -> None:
    called = rule(lowered(WORLD + "derive p(x) :- Person(x);"), "p/1")
    typed = rule(lowered(WORLD + "derive p(x) :- x: Person;"), "p/1")
    assert called == typed
    assert called.body == (Match("pkg::Person", (Var("v0"),)),)


def test_a_field_is_read_once_per_conjunction() -> None:
    found = rule(lowered(WORLD + "derive p(x) :- Person(x), x.age > 3, x.age < 40;"), "p/1")
    reads = [each for each in found.body if isinstance(each, Match) and each.key == "pkg::Person.age"]
    assert reads == [Match("pkg::Person.age", (Var("v0"), Var("v1")))]


def test_a_field_bound_by_equals_is_read_into_that_variable() -> None:
    found = rule(lowered(WORLD + "derive p(x, y) :- Person(x), y = x.boss;"), "p/2")
    assert found.body[1] == Match("pkg::Person.boss", (Var("v0"), Var("v1")))


def test_a_negated_atom_reads_its_fields_inside_so_it_holds_when_they_are_absent() -> None:
    text = WORLD + "derive p(x) :- Person(x), not x.age > 40;"
    inner = rule(lowered(text), "p/1").body[1]
    assert isinstance(inner, Not)
    assert isinstance(inner.body[0], Match)
    assert rows(text, "p/1") == {("ann",), ("bob",)}


def test_a_negated_comparison_reads_its_fields_outside_so_it_fails_when_they_are_absent() -> None:
    assert rows(WORLD + "derive p(x) :- Person(x), !(x.age > 40);", "p/1") == {("ann",)}


def test_exists_is_spliced_in_with_variables_of_its_own() -> None:
    text = WORLD + 'derive p(x) :- Person(x), exists { t in x.tags, t == "a" }, exists { t in x.tags, t == "b" };'
    found = rule(lowered(text), "p/1")
    names = [each.terms[1] for each in found.body if isinstance(each, Match) and each.key == "pkg::Person.tags"]
    assert len(set(names)) == 2
    assert rows(text, "p/1") == {("ann",)}


def test_not_exists_is_one_negated_conjunction() -> None:
    assert rows(
        WORLD + "derive idle(x) :- Person(x), not exists { j: job, j.who == x, j.pay > 150.00 };", "idle/1"
    ) == {("ann",)}


def test_a_tuple_entity_is_bound_from_its_endpoints_and_read_by_them() -> None:
    found = rule(lowered(WORLD + "derive p(x) :- j: job, x = j.who;"), "p/1")
    ends = Match("pkg::job", (Var("v1"), Var("v2")))
    made = Bind("v3", MakeTuple("pkg::job", (Local("v1"), Local("v2"))))
    assert found.body == (ends, made, Bind("v0", Local("v1")))


def test_a_tuple_that_something_else_binds_is_taken_apart() -> None:
    text = WORLD + "derive jobs(j) :- j: job; derive late(j) :- jobs(j), j: night_job;"
    found = rule(lowered(text), "late/1")
    assert found.body[1] == Bind("v1", GetEnd(Local("v0"), 0))
    assert found.body[3] == Match("pkg::night_job", (Var("v1"), Var("v2")))
    job = TupleValue("pkg::job", (Entity("pkg::bob"), Entity("pkg::acme")))
    assert rows(text, "late/1") == {(job,)}


def test_a_field_of_a_sub_relation_is_read_under_the_relation_that_declares_it() -> None:
    text = WORLD + "derive extra(x, b) :- j: night_job, b = j.bonus, x = j.who;"
    assert {name for name, _ in rows(text, "extra/2")} == {"bob"}


def test_an_expression_as_an_argument_is_bound_before_the_atom() -> None:
    text = WORLD + "derive next(1, 2); derive p(n) :- Person(x), next(x.age - 29, n);"
    found = rule(lowered(text), "p/1")
    assert isinstance(found.body[2], Bind)
    assert found.body[3] == Match("pkg::next/2", (Var(found.body[2].var), Var("v0")))
    assert rows(text, "p/1") == {(2,)}


def test_constants_stand_in_their_columns() -> None:
    found = rule(lowered(WORLD + "derive p(x) :- tagged(x, 3, bob); derive tagged(ann, 3, bob);"), "p/1")
    assert found.body == (Match("pkg::tagged/3", (Var("v0"), Const(3), Const(Entity("pkg::bob")))),)


def test_in_tests_a_bound_variable_and_binds_a_fresh_one() -> None:
    fresh = rule(lowered(WORLD + "derive p(x) :- x in [ann, bob];"), "p/1")
    bound = rule(lowered(WORLD + "derive p(x) :- Person(x), x in [ann];"), "p/1")
    assert isinstance(fresh.body[0], Each)
    assert isinstance(bound.body[1], Test)


def test_not_in_a_many_field_holds_of_those_without_any() -> None:
    assert rows(WORLD + 'derive p(x) :- Person(x), "a" not in x.tags;', "p/1") == {("bob",)}


def test_an_annotation_in_the_head_adds_a_filter_at_the_end() -> None:
    found = rule(lowered(WORLD + "derive p(x: Person) :- job(x, _);"), "p/1")
    assert found.body == (Match("pkg::job", (Var("v0"), Var("v1"))), Match("pkg::Person", (Var("v0"),)))


def test_an_annotation_that_the_body_repeats_adds_nothing() -> None:
    assert len(rule(lowered(WORLD + "derive p(x: Person) :- Person(x);"), "p/1").body) == 1


def test_heads_take_constants_and_ground_facts_have_no_body() -> None:
    module = lowered(WORLD + "derive p(ann, 3, Size::Small); derive q(Size::Big(3));")
    assert rule(module, "p/3").terms == (
        Const(Entity("pkg::ann")),
        Const(3),
        Const(EnumValue("pkg::Size", "Small")),
    )
    assert rule(module, "q/1").terms == (Const(EnumValue("pkg::Size", "Big", (3,))),)


def test_a_comparison_is_a_test_of_its_values() -> None:
    found = rule(lowered(WORLD + "derive p(x) :- Person(x), x != ann;"), "p/1")
    assert found.body[1] == Test(Binary("!=", Local("v0"), Lit(Entity("pkg::ann")), BOOL))


def test_recursion_through_a_field_reaches_every_level() -> None:
    text = WORLD + (
        "fact Person(cleo) { boss: bob };"
        "derive under(x, y) :- Person(x), y = x.boss;"
        "derive under(x, y) :- Person(x), under(x.boss, y);"
    )
    assert rows(text, "under/2") == {("bob", "ann"), ("cleo", "bob"), ("cleo", "ann")}
