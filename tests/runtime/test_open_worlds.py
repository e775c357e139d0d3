"""Open concepts: what is not known of them is Can, and is neither refused nor passed over (S3, S4.2, S7.3)."""

from __future__ import annotations

import pytest

from argon_lang.errors import ArgonError
from argon_lang.runtime.testing import run_tests
from tests.runtime.worlds import World

YARD = """
type Person;
#[world(open)] type Convict <: Person;
#[world(open)] type Spirit;
rel visits(who: Person, whom: Person);
rel follows(who: Person, what: Convict);
fact Person(ann);
fact Convict(bob);
fact Person(cyd);
not_fact Convict(cyd);
derive free(p: Person) :- Person(p), not Convict(p);
derive seen(p: Person) :- visits(p, _), Convict(p);
check barred(p: Person) :- visits(p, _), Convict(p) => Diagnostic { severity: Severity::Error, message: "barred" };
mutate visit(a: Person, b: Person) { insert visits(a, b); }
mutate follow(a: Person, b: Person) { insert follows(a, b); }
mutate clear(p: Person) { refute Convict(p); }
"""


def told(world: World, head: str) -> dict[str, str | None]:
    """Truth values by the label of the first column."""
    answer = world.service.derive(head, truth4=True)
    return {str(row.values[0]["label"]): row.truth4 for row in answer.rows}


def test_whoever_belongs_to_the_supertypes_may_belong_to_an_open_concept() -> None:
    assert told(World(YARD), "Convict") == {"ann": "Can", "bob": "Is", "cyd": "Not"}


def test_anyone_may_belong_to_an_open_concept_without_supertypes() -> None:
    assert set(told(World(YARD), "Spirit").values()) == {"Can"}


def test_not_belonging_holds_only_of_who_is_refuted() -> None:
    assert told(World(YARD), "free") == {"ann": "Can", "cyd": "Is"}


def test_a_closed_answer_counts_what_is_unknown() -> None:
    answer = World(YARD).service.derive("Convict")
    assert (answer.row_count, answer.hidden.can, answer.hidden.not_) == (1, 1, 1)


def test_refuting_makes_the_unknown_known() -> None:
    world = World(YARD)
    world.service.mutate("clear", {"p": "ann"})
    assert told(world, "Convict") == {"ann": "Not", "bob": "Is", "cyd": "Not"}
    assert told(world, "free") == {"ann": "Is", "cyd": "Is"}


def test_an_undecided_check_admits_the_write_and_says_so() -> None:
    world = World(YARD)
    receipt = world.service.mutate("visit", {"a": "ann", "b": "cyd"})
    (remark,) = receipt.diagnostics
    assert (remark.check, remark.severity, remark.code) == ("pkg::barred", "warning", "OW0245")
    assert told(world, "seen") == {"ann": "Can"}


def test_a_definite_violation_refuses_the_write() -> None:
    with pytest.raises(ArgonError) as caught:
        World(YARD).service.mutate("visit", {"a": "bob", "b": "cyd"})
    assert caught.value.code == "ARGON_RUNTIME_CHECK_VIOLATION"


def test_a_value_that_may_belong_is_admitted_with_a_remark_and_one_that_cannot_is_refused() -> None:
    world = World(YARD)
    (remark,) = world.service.mutate("follow", {"a": "cyd", "b": "ann"}).diagnostics
    assert (remark.code, remark.fact) == ("OW0245", "follows(cyd, ann)")
    assert world.service.mutate("follow", {"a": "cyd", "b": "bob"}).diagnostics == []
    with pytest.raises(ArgonError) as caught:
        world.service.mutate("follow", {"a": "ann", "b": "cyd"})
    assert caught.value.details["code"] == "OE0229"


def test_the_packages_default_is_the_world_of_its_concepts() -> None:
    from argon_lang.queries.snippet import module_of

    texts = {"root.ar": "type A;\n#[world(closed)] type B <: A;\ntype C <: A iff { true };\n"}
    manifest = '[package]\nname = "p"\nprelude = ["std::core::{type, rel}"]\ndefault_world = "open"\n'
    module = module_of({**texts, "ox.toml": manifest})
    assert module is not None
    opened = {each.path: each.open for each in module.concepts if each.path.startswith("pkg::")}
    assert opened == {"pkg::A": True, "pkg::B": False, "pkg::C": False}


def outcomes(source: str) -> dict[str, str]:
    """The outcome of each test of a program."""
    world = World(source)
    report = run_tests(world.service.served, None, world.clock, world.service.governor)
    assert report.inconclusive == sum(each.outcome == "inconclusive" for each in report.tests)
    return {each.name: each.outcome for each in report.tests}


def test_whether_the_unknown_is_derivable_is_inconclusive() -> None:
    found = outcomes(
        YARD
        + """
test "unknown" { assert derivable Convict(ann); }
test "not known either" { assert not derivable free(ann); }
test "known" { assert derivable Convict(bob); assert not derivable Convict(cyd); assert derivable free(cyd); }
test "made known" { refute Convict(ann); assert not derivable Convict(ann); assert derivable free(ann); }
test "worse than unknown" { assert derivable Convict(ann); assert derivable Convict(cyd); }
"""
    )
    assert found == {
        "unknown": "inconclusive",
        "not known either": "inconclusive",
        "known": "passed",
        "made known": "passed",
        "worse than unknown": "failed",
    }


CLINIC = """
type Person { name: String }
#[world(open)] type Patient <: Person { age: Int?, ward: String?, visits: [Int] }
type Nurse { name: String, age: Int? }
fact Patient(ann) { name: "Ann", age: 20, ward: "A" };
fact Patient(bob) { name: "Bob" };
fact Nurse(cyd) { name: "Cyd" };
derive adult(p: Patient) :- p: Patient, p.age > 17;
derive child(p: Patient) :- p: Patient, not adult(p);
derive aged(p: Patient, n: Int) :- p: Patient, n = p.age;
derive together(p: Patient, q: Patient) :- p: Patient, q: Patient, p != q, p.ward == q.ward, p.age > 17;
derive senior(n: Nurse) :- n: Nurse, n.age > 17;
derive frequent(p: Patient) :- p: Patient, v in p.visits, v > 3;
type Grown <: Patient iff { self.age > 17 };
query adults() -> [Patient] { select p from p: Patient where p.age > 17 };
"""


def test_a_field_that_an_individual_of_an_open_concept_lacks_may_have_any_value() -> None:
    world = World(CLINIC)
    assert told(world, "adult") == {"ann": "Is", "bob": "Can"}
    assert told(world, "child") == {"bob": "Can"}
    assert told(world, "Grown") == {"ann": "Is", "bob": "Can"}
    assert told(world, "together") == {"ann": "Can", "bob": "Can"}


def test_what_a_head_would_need_of_an_absent_field_makes_no_row() -> None:
    assert told(World(CLINIC), "aged") == {"ann": "Is"}


def test_an_absent_field_of_a_closed_concept_and_an_empty_list_fail_the_atom() -> None:
    world = World(CLINIC)
    assert told(world, "senior") == {}
    assert told(world, "frequent") == {}


def test_a_query_counts_whoever_may_meet_its_condition() -> None:
    answer = World(CLINIC).service.query("adults")
    assert (answer.row_count, answer.hidden.can) == (1, 1)


def test_the_reasons_of_such_a_row_name_the_field_that_has_no_value() -> None:
    found = World(CLINIC).service.explain("adult(bob)")
    assert (found.derived, found.truth4) == (False, "Can")
    assert "with p = bob `bob.age` has no value" in found.prose
    assert "`adult(bob)` may hold by" in found.prose
