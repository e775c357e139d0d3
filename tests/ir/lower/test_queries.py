"""Queries and checks: row variables, inputs, projections, reports."""

from __future__ import annotations

from argon_lang.ir.expr import CallFn, GetField, Lit, Local, MakeStruct
from argon_lang.ir.module import Check, Module, Query
from argon_lang.ir.rules import Match, Var
from argon_lang.ir.values import Entity, EnumValue
from argon_lang.program.types import STRING, ListOf, Named, RecordOf
from tests.ir.lower.programs import lowered, model_of

WORLD = """
type Person { name: String, age: Int?, tags: [String] }
rel knows(a: Person, b: Person) { n: Int = 1 }
struct Line { text: String, size: Int = 3 }
fact Person(ann) { name: "Ann", tags: ["x", "y"] };
fact Person(bob) { name: "Bob" };
fact knows(ann, bob);
derive seen(p, q) :- knows(p, q);
"""
PERSON = Named("concept", "pkg::Person")


def query(text: str) -> Query:
    return _query(lowered(WORLD + text))


def _query(module: Module) -> Query:
    (found,) = module.queries
    return found


def check(text: str) -> Check:
    (found,) = lowered(WORLD + text).checks
    return found


def solved(text: str, **inputs: str) -> list[tuple[object, ...]]:
    module = lowered(WORLD + text)
    rule = _query(module).rule
    assert rule is not None
    given = {name: Entity(f"pkg::{value}") for name, value in zip(rule.inputs, inputs.values(), strict=True)}
    return list(model_of(module).solve(rule, given))


def test_an_extent_reads_a_concept_a_relation_or_a_predicate() -> None:
    concept = query("query q() -> Person;")
    assert (concept.extent, concept.rule, concept.columns) == ("pkg::Person", None, (("it", PERSON, Local("it")),))
    relation = query("query q() -> knows;")
    assert [name for name, _, _ in relation.columns] == ["a", "b"]
    predicate = query("query q() -> seen;")
    assert predicate.extent == "pkg::seen/2"
    assert predicate.type == ListOf(RecordOf((("p", PERSON), ("q", PERSON))))


def test_one_row_per_substitution_of_the_bodys_variables() -> None:
    assert len(solved("query q() -> [String] { select p.name from Person(p), t in p.tags }")) == 2


def test_a_wildcard_is_a_variable_and_one_under_exists_is_none() -> None:
    assert len(solved("query q() -> [Person] { select p from Person(p), knows(p, _) }")[0]) == 2
    assert len(solved("query q() -> [Person] { select p from Person(p), exists { knows(p, _) } }")[0]) == 1


def test_parameters_are_inputs_in_their_order() -> None:
    text = "query q(p: Person, q: Person) -> [Int] { select j.n from j: knows where j.b == q, j.a == p }"
    assert len(query(text).rule.inputs) == 2  # type: ignore[union-attr]
    assert len(solved(text, p="ann", q="bob")) == 1
    assert solved(text, p="bob", q="ann") == []


def test_a_projection_reads_fields_of_the_row_so_that_an_absent_one_is_null() -> None:
    found = query("query q() -> [Int?] { select p.age from Person(p) }")
    assert found.columns[0][2] == GetField(Local("v0"), "pkg::Person.age", True, False)
    assert found.rule is not None
    assert found.rule.body == (Match("pkg::Person", (Var("v0"),)),)


def test_a_record_of_a_struct_is_one_value_with_its_defaults() -> None:
    found = query("query q() -> [Line] { select { text: p.name } from Person(p) }")
    assert found.single
    ((_, type_, made),) = found.columns
    assert type_ == Named("struct", "pkg::Line")
    assert isinstance(made, MakeStruct)
    assert made.fields[1] == ("size", Lit(3))


def test_the_result_type_says_how_many_rows() -> None:
    assert query("query q() -> [Person] { select p from Person(p) }").result == "many"
    assert query("query q() -> Person? { select p from Person(p) }").result == "optional"
    assert query("query q() -> Person { select p from Person(p) }").result == "one"
    as_set = query("query q() -> Set<Person> { select p from Person(p) }")
    assert (as_set.result, as_set.distinct) == ("many", True)


def test_order_limit_and_offset_are_expressions_over_the_row() -> None:
    found = query(
        "query q() -> [String] { select distinct p.name from Person(p) order by p.name desc, p limit 2 offset 1 }"
    )
    assert [each.descending for each in found.order] == [True, False]
    assert (found.limit, found.offset, found.distinct) == (Lit(2), Lit(1), True)
    assert found.columns[0][:2] == ("name", STRING)


def test_a_violation_has_its_key_first_and_then_what_the_report_reads() -> None:
    report = 'Diagnostic { severity: Severity::Info, message: format!("{} {}", q.name, n) }'
    found = check(f"check c(p: Person) :- knows(p, q), n = 3 => {report};")
    assert found.arity == 1
    assert len(found.rule.terms) == 3
    assert found.rule.key == "pkg::c!"


def test_a_report_is_a_diagnostic_with_its_defaults() -> None:
    report = check('check c(p: Person) :- knows(p, p) => Diagnostic { message: "m" };').report
    assert report == MakeStruct(
        "std::core::Diagnostic",
        (("severity", Lit(EnumValue("std::core::Severity", "Error"))), ("message", Lit("m")), ("code", Lit(None))),
    )


def test_a_default_in_a_rule_is_put_in_place_before_its_content_id_is_taken() -> None:
    whole = lowered(WORLD + "derive l(x) :- Person(p), x = Line { text: p.name, size: 3 };")
    short = lowered(WORLD + "derive l(x) :- Person(p), x = Line { text: p.name };")
    assert whole.rules == short.rules
    assert not any(isinstance(each, CallFn) for rule in short.rules for each in rule.body)
