"""What items promise: signatures without spans, and the uses that they record."""

from __future__ import annotations

from argon_lang.program.declarations import LOST, Table
from argon_lang.program.model import (
    CallableSig,
    ConceptSig,
    EnumSig,
    FieldSig,
    IndividualSig,
    MetarelSig,
    ParamSig,
    RelationSig,
    StructSig,
    ToSymbol,
    ToType,
    VariantSig,
)
from argon_lang.program.types import (
    BOOL,
    DATE,
    DECIMAL,
    ENTITY,
    INT,
    MONEY,
    NAT,
    REAL,
    STRING,
    TOP,
    UNKNOWN,
    ListOf,
    Named,
    OptionOf,
    SetOf,
    Type,
)
from argon_lang.queries.database import Database
from argon_lang.queries.snippet import database_of

PERSON = Named("concept", "pkg::Person")
LIVING = "type Being; type Person <: Being { mut name: String, age: Nat = 0 } type Staff <: Person { name: String }\n"


def database(text: str) -> Database:
    return database_of({"root.ar": text})


def table(text: str) -> Table:
    return database(text).table()


def test_a_concept_has_its_metatype_supers_and_own_fields_in_order() -> None:
    assert table(LIVING).concept("pkg::Person") == ConceptSig(
        "pkg::Person",
        "std::core::type",
        ("pkg::Being",),
        (
            FieldSig("name", "pkg::Person", STRING, mutable=True, has_default=False),
            FieldSig("age", "pkg::Person", NAT, mutable=False, has_default=True),
        ),
    )


def test_inherited_fields_come_first_and_the_nearest_subtype_wins() -> None:
    found = table(LIVING).fields(Named("concept", "pkg::Staff"))
    assert [(each.name, each.owner) for each in found] == [("name", "pkg::Staff"), ("age", "pkg::Person")]


def test_a_superconcept_in_error_is_marked_and_lends_any_field() -> None:
    found = table("type Person <: Missing;\n")
    sig = found.concept("pkg::Person")
    assert sig is not None
    assert sig.supers == (LOST,)
    assert found.supers("pkg::Person") == ("pkg::Person",)
    field = found.field(PERSON, "anything")
    assert field is not None
    assert field.type == UNKNOWN


def test_a_relation_has_ends_bounds_supers_and_fields() -> None:
    text = (
        LIVING + "rel knows(a: Person, b: Person); rel likes(a: Person, b: Person) [1] [0..3] <: knows { since: Date }"
    )
    assert table(text).relation("pkg::likes") == RelationSig(
        "pkg::likes",
        "std::core::rel",
        (ParamSig("a", PERSON), ParamSig("b", PERSON)),
        ((1, 1), (0, 3)),
        ("pkg::knows",),
        (FieldSig("since", "pkg::likes", DATE, mutable=False, has_default=False),),
    )


def test_open_bounds_have_no_upper_end() -> None:
    sig = table(LIVING + "rel has(a: Person, b: Person) [*] [2..*];").relation("pkg::has")
    assert sig is not None
    assert sig.bounds == ((0, None), (2, None))


def test_structs_and_enums_keep_the_types_as_written() -> None:
    found = table("struct S { a: Int?, b: [Money], c: [Bool; 1..2], d: Set<Int> } enum E { A, B(Int, S), C { x: E } }")
    sig = found.struct("pkg::S")
    assert isinstance(sig, StructSig)
    assert [each.type for each in sig.fields] == [OptionOf(INT), ListOf(MONEY), ListOf(BOOL, 1, 2), SetOf(INT)]
    payload = (ParamSig("0", INT), ParamSig("1", Named("struct", "pkg::S")))
    named = (ParamSig("x", Named("enum", "pkg::E")),)
    assert found.enum("pkg::E") == EnumSig(
        "pkg::E", (VariantSig("A", (), False), VariantSig("B", payload, True), VariantSig("C", named, False))
    )


def test_callables_have_parameters_and_a_result() -> None:
    found = table(
        LIVING + "fn f(x: Int) -> Real = x; mutate m(p: Person) { require true; }\n"
        "query all() -> Person; query one() -> Person { select p from Person(p) }\n"
    )
    assert found.callable("fn", "pkg::f") == CallableSig("fn", "pkg::f", (ParamSig("x", INT),), REAL)
    silent, every, single = (
        found.callable("mutation", "pkg::m"),
        found.callable("query", "pkg::all"),
        found.callable("query", "pkg::one"),
    )
    assert silent is not None
    assert silent.result is None
    assert every is not None
    assert every.result == ListOf(PERSON)
    assert single is not None
    assert single.result == PERSON


def test_clauses_unite_to_the_type_that_their_heads_share() -> None:
    text = LIVING + "derive old(p: Person) :- p.age > 60; derive old(s: Staff) :- s.age > 50;\n"
    sig = table(text).callable("predicate", "pkg::old", 1)
    assert sig == CallableSig("predicate", "pkg::old", (ParamSig("p", PERSON),), None)


def test_an_individual_has_the_concepts_of_all_its_facts() -> None:
    found = table(LIVING + 'fact Person(ada) { name: "A" }; fact Being(ada);\n')
    assert found.individual("pkg::ada") == IndividualSig("pkg::ada", ("pkg::Being", "pkg::Person"))
    assert found.individual("pkg::ben") is None


def test_a_metarel_without_endpoints_admits_any_arity() -> None:
    found = table("metatype role = {}; metarel link(a: role, b: role); metarel free();\n")
    assert found.metarel("pkg::link") == MetarelSig("pkg::link", ("pkg::role", "pkg::role"))
    assert found.metarel("pkg::free") == MetarelSig("pkg::free", None)


def test_signatures_hold_no_place_so_moving_text_changes_none() -> None:
    before, after = database(LIVING), database("// moved\n\n" + LIVING.replace("{ mut", "{\n    mut"))
    assert before.table().concept("pkg::Person") == after.table().concept("pkg::Person")


def test_assignability_follows_subtypes_options_and_numbers() -> None:
    found = table(LIVING)
    staff, struct = Named("concept", "pkg::Staff"), Named("struct", "pkg::S")
    yes: list[tuple[Type, Type]] = [
        (staff, PERSON), (staff, ENTITY), (NAT, REAL), (DECIMAL, REAL), (NAT, OptionOf(INT)),
        (OptionOf(NAT), OptionOf(INT)),
        (ListOf(staff), ListOf(PERSON)), (SetOf(NAT), SetOf(INT)), (MONEY, TOP), (UNKNOWN, MONEY), (STRING, UNKNOWN),
    ]  # fmt: skip
    no: list[tuple[Type, Type]] = [
        (PERSON, staff), (REAL, INT), (MONEY, REAL), (OptionOf(INT), INT), (struct, ENTITY), (INT, DECIMAL),
        (ListOf(PERSON), ListOf(staff)), (STRING, DATE),
    ]  # fmt: skip
    assert [pair for pair in yes if not found.is_subtype(*pair)] == []
    assert [pair for pair in no if found.is_subtype(*pair)] == []


def test_a_meet_is_the_narrower_type_and_disjoint_types_have_none() -> None:
    found = table(LIVING)
    staff = Named("concept", "pkg::Staff")
    assert found.meet(PERSON, staff) == staff == found.meet(staff, PERSON)
    assert found.meet(UNKNOWN, INT) == INT
    assert found.meet(NAT, OptionOf(INT)) == NAT
    assert found.meet(STRING, INT) is None
    assert found.meet(PERSON, STRING) is None


def test_a_signature_records_what_each_of_its_names_means() -> None:
    db = database("mod m { pub type A; }\nuse m::A;\ntype B <: A { a: [m::A], n: Int }\n")
    item = next(each for each in db.items("root.ar") if each.label == "concept B")
    tree = db.tree(item)
    assert tree is not None
    found = [(tree.text[use.start : use.end], use.meaning) for use in db.uses(item)]
    concept = ToType(Named("concept", "pkg::m::A"))
    assert found == [
        ("type", ToSymbol("metatype", "std::core::type")),
        ("A", concept),
        ("m", ToSymbol("module", "pkg::m")),
        ("A", concept),
        ("Int", ToType(INT)),
    ]


def test_a_use_records_what_it_brings_and_the_modules_on_the_way() -> None:
    db = database("mod m { pub mod n { pub type A; } }\nuse m::n::{A};\ntype B <: A;\n")
    item = next(each for each in db.items("root.ar") if each.label.startswith("use"))
    tree = db.tree(item)
    assert tree is not None
    found = {tree.text[use.start : use.end]: use.meaning for use in db.uses(item)}
    assert found == {
        "m": ToSymbol("module", "pkg::m"),
        "n": ToSymbol("module", "pkg::m::n"),
        "A": ToSymbol("concept", "pkg::m::n::A"),
    }
