"""Declarations of data: fields, keys, predicates, subsumption; column types of derived predicates."""

from __future__ import annotations

from argon_lang.ir.module import Enum, Field, Module, Relation, Struct, Variant
from argon_lang.ir.rules import Match, Predicate, Var
from argon_lang.program.types import BOOL, DECIMAL, ENTITY, INT, MONEY, REAL, STRING, TOP, Named, Type
from tests.ir.lower.programs import lowered

PERSON = Named("concept", "pkg::Person")
KINDS = """
type Person { mut name: String, note: String?, tags: [String; 1..3] }
type Worker <: Person { wage: Money }
type Boss <: Person;
rel knows(a: Person, b: Person) [0..*] [1..2] { since: Date? }
rel trusts(a: Person, b: Person) <: knows;
"""


def shape(module: Module, key: str) -> Predicate:
    return {each.key: each for each in module.predicates}[f"pkg::{key}"]


def types_of(text: str, key: str) -> list[Type]:
    return [type_ for _, type_ in shape(lowered(KINDS + text), key).columns]


def test_a_field_says_what_may_stand_in_it() -> None:
    person = next(each for each in lowered(KINDS).concepts if each.path == "pkg::Person")
    assert person.fields == (
        Field("name", "pkg::Person.name", STRING, True, False, False, 0, None, None),
        Field("note", "pkg::Person.note", STRING, False, True, False, 0, None, None),
        Field("tags", "pkg::Person.tags", STRING, False, False, True, 1, 3, None),
    )
    assert [field.required for field in person.fields] == [True, False, False]


def test_a_relation_keeps_its_ends_and_bounds() -> None:
    knows, trusts = lowered(KINDS).relations
    assert isinstance(knows, Relation)
    assert knows.ends == (("a", PERSON), ("b", PERSON))
    assert knows.bounds == ((0, None), (1, 2))
    assert trusts.supers == ("pkg::knows",)


def test_structs_and_enums_keep_the_order_of_their_declaration() -> None:
    module = lowered("struct S { b: Int, a: Int } enum E { Z, A(Int), N { w: String } }")
    assert Struct("pkg::S", (("b", INT, None), ("a", INT, None))) in module.structs
    variants = (Variant("Z", ()), Variant("A", (("0", INT),)), Variant("N", (("w", STRING),)))
    assert Enum("pkg::E", variants) in module.enums


def test_what_is_asserted_holds_and_holds_of_every_supertype() -> None:
    rules = {(each.key, each.body) for each in lowered(KINDS).rules if each.origin == "subsumption"}
    one, two = (Var("v0"),), (Var("v0"), Var("v1"))
    assert ("pkg::Worker", (Match("pkg::Worker^", one),)) in rules
    assert ("pkg::Person", (Match("pkg::Worker", one),)) in rules
    assert ("pkg::Person", (Match("pkg::Person^", one),)) in rules
    assert ("pkg::knows", (Match("pkg::trusts", two),)) in rules
    assert len(rules) == 8


def test_every_key_has_a_shape() -> None:
    module = lowered(KINDS)
    assert shape(module, "Person^").columns == (("it", PERSON),)
    assert shape(module, "Worker.wage") == Predicate(
        "pkg::Worker.wage", "field", (("it", Named("concept", "pkg::Worker")), ("wage", MONEY))
    )
    assert shape(module, "knows.since").columns[0] == ("it", Named("relation", "pkg::knows"))


def test_a_declared_column_type_wins() -> None:
    assert types_of("derive p(x: Person) :- Worker(x);", "p/1") == [PERSON]


def test_a_column_takes_the_type_of_what_binds_it_through_other_predicates() -> None:
    text = "derive q(x) :- r(x); derive r(x) :- s(x); derive s(x) :- Worker(x);"
    assert types_of(text, "q/1") == [Named("concept", "pkg::Worker")]


def test_clauses_join_to_the_nearest_common_supertype() -> None:
    assert types_of("derive p(x) :- Worker(x); derive p(x) :- Boss(x);", "p/1") == [PERSON]
    assert types_of("derive p(x) :- Worker(x); derive p(x) :- x: knows;", "p/1") == [ENTITY]


def test_numbers_join_upwards() -> None:
    assert types_of("derive p(1); derive p(2.5);", "p/1") == [DECIMAL]
    assert types_of("derive p(x) :- Worker(w), x = 1 / 2; derive p(1);", "p/1")[:1] == [REAL]


def test_a_recursive_column_that_nothing_types_is_top() -> None:
    assert types_of("derive p(x) :- p(x), x == x;", "p/1") == [TOP]


def test_a_column_name_is_one_that_a_clause_gives() -> None:
    module = lowered(KINDS + "derive p(1, true); derive p(n, flag) :- Person(x), n = 2, flag = (x == x);")
    assert shape(module, "p/2").columns == (("n", INT), ("flag", BOOL))
