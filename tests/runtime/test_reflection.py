"""Reflection (language §3.10): types as values, and relations over them, closed and finite (semantics S4.4, S9.1)."""

from __future__ import annotations

import pytest

from argon_lang.errors import ArgonError
from argon_lang.queries.snippet import check_files
from tests.ir.lower.programs import rows
from tests.runtime.worlds import World

VOCABULARY = """
metaxis rigidity for metatype { rigid, anti };
metatype kind = { rigidity: rigid };
metatype role = { rigidity: anti };
metatype named_kind = { rigidity: rigid };
metarel mediation(a: type, b: type);
kind Person { name: String }
role Student <: Person;
role Tutor <: Student;
mediation teaches(who: Tutor, whom: Student);
rel age(of: Person, years: Int);
fact Student(ann) { name: "Ann" };
fact Person(bob) { name: "Bob" };
derive below(t: TypeRef, u: TypeRef) :- specializes(t, u), t != u;
derive kinds(t: TypeRef) :- t: TypeRef, meta(t) == kind;
derive metatypes_of(p: Person, m: Metatype) :- Person(p), m = meta(p);
derive types_of(p: Person, t: TypeRef) :- Person(p), iof(p, t);
derive ends(r: TypeRef, i: Int, t: TypeRef) :- arm(r, i, t);
derive relators(r: TypeRef) :- rel(r, mediation);
derive people(t: TypeRef) :- t: TypeRef<Person>;
derive like(m: Metatype, n: Metatype) :- m: Metatype, specializes(m, n), specializes(n, m), m != n;
derive not_students(p: Person) :- Person(p), not iof(p, Student);
derive inside(x: Entity) :- specializes(t, Student), x in extent(t);
query types_under(t: TypeRef) -> [TypeRef] { select u from specializes(u, t) }
fn is_student_type(t: TypeRef) -> Bool = specializes(t, Student);
query asked(t: TypeRef) -> [Metatype] { select meta(t) from Person(p), p.name == "Ann" }
mutate enrol(p: Person) { insert iof(p, Student) {}; require specializes(Tutor, Person); require meta(Tutor) == role; }
"""


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("below/2", {("Student", "Person"), ("Tutor", "Person"), ("Tutor", "Student")}),
        ("kinds/1", {("Person",)}),
        ("metatypes_of/2", {("ann", "kind"), ("ann", "role"), ("bob", "kind")}),
        ("types_of/2", {("ann", "Person"), ("ann", "Student"), ("bob", "Person")}),
        ("ends/3", {("teaches", 0, "Tutor"), ("teaches", 1, "Student"), ("age", 0, "Person")}),
        ("relators/1", {("teaches",)}),
        ("people/1", {("Person",), ("Student",), ("Tutor",)}),
        ("not_students/1", {("bob",)}),
        ("inside/1", {("ann",)}),
    ],
)
def test_reflective_relations_have_the_rows_of_the_declarations(key: str, wanted: set[tuple[object, ...]]) -> None:
    found = {row for row in rows(VOCABULARY, key) if not {"Severity", "type", "rel"} & set(map(str, row))}
    assert found == wanted


def test_metatypes_that_make_the_same_choices_specialize_each_other() -> None:
    assert {("kind", "named_kind"), ("named_kind", "kind")} <= rows(VOCABULARY, "like/2")


def test_a_write_is_seen_by_what_types_an_individual_has() -> None:
    world = World(VOCABULARY)
    world.do("enrol", "pkg::bob")
    assert ["bob", "Student"] in world.rows("types_of")
    assert ["bob", "role"] in world.rows("metatypes_of")


def test_types_come_in_and_go_out_by_their_path() -> None:
    world = World(VOCABULARY)
    assert world.ask("types_under", "pkg::Student") == [["Student"], ["Tutor"]]
    assert world.ask("asked", {"entity": "pkg::Tutor"}) == [["role"]]
    assert world.ask("types_under", "Tutor") == [["Tutor"]]


def test_a_type_that_nothing_declares_is_not_found() -> None:
    with pytest.raises(ArgonError) as caught:
        World(VOCABULARY).ask("types_under", "Studnt")
    assert caught.value.code == "ARGON_RUNTIME_NOT_FOUND"
    assert caught.value.details["candidates"] == ["Student"]


def test_a_reflective_fact_has_a_proof() -> None:
    nodes = World(VOCABULARY).service.explain("below(Tutor, Person)").nodes
    assert "specializes(Tutor, Person)" in [node.fact for node in nodes]
    failed = World(VOCABULARY).service.explain("below(Person, Tutor)").nodes
    assert "failed" in [node.kind for node in failed]


CHECKED = """
metatype kind = {};
metatype role = {};
role Student;
kind Robot <: Student;
check anti_rigid(t: TypeRef, u: TypeRef) :- specializes(t, u), meta(t) == kind, meta(u) == role
    => Diagnostic { message: format!("{} is rigid and {} is not", t, u) };
"""


def test_a_check_about_types_alone_is_decided_without_a_fact_and_told_at_the_check() -> None:
    (found,) = check_files({"root.ar": CHECKED.replace("metatype role = {};", METATYPES)})
    assert found.code == "OE1354"
    assert "Robot is rigid and Student is not" in found.message
    assert [each.location.start for each in found.related]


METATYPES = """metaxis r for metatype { anti };
metatype role = { r: anti };"""


TRAITS = """
trait Sized { fn size(self) -> Int; }
trait Named { fn name(self) -> String; }
type Thing { n: Int }
type Small <: Thing;
type Other;
impl Sized for Thing { fn size(self) -> Int = self.n; }
impl Named for Other { fn name(self) -> String = "other"; }
fact Small(sm) { n: 1 };
fact Other(o);
derive sized(t: TypeRef) :- t: TypeRef, implements(t, Sized);
derive all(t: TypeRef, s: TraitRef) :- t: TypeRef, s: TraitRef, implements(t, s);
derive of(x: Entity, s: TraitRef) :- x: Entity, s: TraitRef, implements(meta(x), s);
derive named(s: TraitRef) :- implements(Other, s);
derive shaped(s: TraitRef) :- s: TraitRef, s == Sized;
derive un(t: TypeRef) :- t: TypeRef, not implements(t, Sized);
query traits() -> [TraitRef] { select s from s: TraitRef }
fn does(t: TypeRef, s: TraitRef) -> Bool = implements(t, s);
"""


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("sized", [["Small"], ["Thing"]]),
        ("all", [["Other", "Named"], ["Small", "Sized"], ["Thing", "Sized"]]),
        ("of", [["o", "Named"], ["sm", "Sized"]]),
        ("named", [["Named"]]),
        ("shaped", [["Sized"]]),
    ],
)
def test_traits_are_values_and_who_implements_them_a_relation(head: str, rows: list[list[str]]) -> None:
    assert World(TRAITS).rows(head) == rows


def test_a_function_asks_of_any_type_whether_it_implements_any_trait() -> None:
    world = World(TRAITS)
    assert world.service.compute("does", ("Small", "Sized")).value is True
    assert world.service.compute("does", ("Small", "Named")).value is False
    assert world.ask("traits") == [["Named"], ["Sized"]]


@pytest.mark.parametrize(
    ("rule", "codes"),
    [
        ("derive d(t: TypeRef) :- t: TypeRef, implements(t, Thing);", ["OE0201"]),
        ("derive d(t: TypeRef) :- t: TypeRef, implements(Sized, t);", ["OE0201", "OE0202"]),
        ("derive d(t: TraitRef) :- t: TraitRef, implements(t, Sized);", ["OE0202"]),
        ("fn f(t: TraitRef) -> Bool = t == Sized;", []),
    ],
)
def test_a_trait_is_no_type_and_a_type_no_trait(rule: str, codes: list[str]) -> None:
    found = check_files({"root.ar": TRAITS + rule})
    assert [each.code for each in found if each.severity == "error"] == codes
