"""Views of standpoints: layers, ancestors, what they say for and against, and their checks (S2.1, S2.4, S7.3)."""

from __future__ import annotations

import pytest

from argon_lang.errors import ArgonError
from argon_lang.runtime.envelopes import Answer
from argon_lang.runtime.options import WriteOptions
from argon_lang.runtime.service import At
from tests.runtime.worlds import World

LAND = """
type Person { age: Int = 30 }
rel owns(who: Person, what: Plot);
type Plot;
fact Person(ann);
fact Person(bob);
fact Plot(meadow);
fact Plot(orchard);
fact owns(ann, meadow);

standpoint Registry { fact owns(bob, orchard); not_fact owns(ann, meadow); }
standpoint Court <: Registry {
    fact Person(cyd) { age: 50 };
    fact owns(cyd, meadow);
    derive rich(p: Person) :- owns(p, meadow), owner(p);
    check at_most_one(p: Plot) :- owns(a, p), owns(b, p), a != b
        => Diagnostic { severity: Severity::Warning, message: "several owners" };
}
standpoint Other { fact owns(ann, orchard); }

derive owner(p: Person) :- owns(p, _);
query owners() -> owner;
mutate give(p: Person, l: Plot) { insert owns(p, l); }
mutate take(p: Person, l: Plot) { delete owns(p, l); }
mutate born(p: Person) { insert iof(p, Person) { }; }
"""


def owners(world: World, view: str | None) -> set[str]:
    """Who owns something in a view."""
    return labels(world.service.query("owners", at=At(standpoint=view)))


def labels(answer: Answer) -> set[str]:
    """The labels of the first column."""
    return {str(row.values[0]["label"]) for row in answer.rows}


def test_a_view_reads_the_default_layer_its_own_and_those_of_its_ancestors() -> None:
    world = World(LAND)
    assert owners(world, None) == owners(world, "default") == {"ann"}
    assert owners(world, "Registry") == {"ann", "bob"}
    assert owners(world, "Court") == {"ann", "bob", "cyd"}
    assert owners(world, "pkg::Other") == {"ann"}


def test_what_an_ancestor_denies_is_both_where_the_default_layer_says_it() -> None:
    world = World(LAND)
    for view, truth in ((None, "Is"), ("Registry", "Both"), ("Court", "Both"), ("Other", "Is")):
        assert world.service.explain("owns(ann, meadow)", At(standpoint=view)).truth4 == truth


def test_a_predicate_declared_inside_a_standpoint_is_evaluated_in_the_view_being_read() -> None:
    world = World(LAND)
    assert labels(world.service.derive("rich")) == {"ann"}
    assert labels(world.service.derive("rich", At(standpoint="Court"))) == {"ann", "cyd"}


def test_the_defaults_of_a_standpoints_fact_are_in_its_layer() -> None:
    source = LAND + "standpoint Young { fact Person(dan); }"
    world = World(source)
    assert world.service.explain("dan.age == 30", At(standpoint="Young")).derived
    assert not world.service.explain("dan.age == 30").derived


def test_a_write_shows_in_every_view() -> None:
    world = World(LAND)
    world.service.mutate("give", {"p": "bob", "l": "meadow"})
    assert "bob" in owners(world, None)
    assert "bob" in owners(world, "Other")


def test_deleting_in_the_default_layer_leaves_what_a_standpoint_says() -> None:
    world = World(LAND)
    world.service.mutate("take", {"p": "ann", "l": "meadow"})
    assert owners(world, None) == set()
    assert owners(world, "Other") == {"ann"}


def test_the_checks_of_a_standpoint_are_asked_in_its_view_alone() -> None:
    world = World(LAND)
    assert world.service.checks().clean
    assert [each.check for each in world.service.checks(at=At(standpoint="Court")).violations] == [
        "pkg::Court::at_most_one"
    ]
    assert world.service.checks(at=At(standpoint="Registry")).clean


def test_a_write_in_the_default_layer_that_breaks_a_standpoints_check_is_told() -> None:
    world = World(LAND.replace("Severity::Warning", "Severity::Error").replace("fact owns(cyd, meadow);", ""))
    with pytest.raises(ArgonError) as caught:
        world.service.mutate("give", {"p": "ann", "l": "orchard"})
    assert caught.value.code == "ARGON_RUNTIME_CHECK_VIOLATION"
    world.service.mutate("born", {"p": "ann"})


def test_an_unknown_standpoint_is_named_with_what_there_is() -> None:
    with pytest.raises(ArgonError) as caught:
        World(LAND).service.derive("owner", At(standpoint="Curt"))
    assert caught.value.code == "ARGON_RUNTIME_NOT_FOUND"
    assert caught.value.details["candidates"] == ["Court"]


def test_a_leaf_of_a_standpoints_proof_is_what_the_standpoint_declares() -> None:
    found = World(LAND).service.explain("owner(cyd)", At(standpoint="Court"))
    assert [node.fact for node in found.nodes if node.kind == "declared"] == ["owns(cyd, meadow)", "Person(cyd)"]


WRITTEN = (
    LAND
    + """
mutate drop(p: Person, l: Plot) { delete owns(p, l); }
mutate deny(p: Person, l: Plot) { refute owns(p, l); }
mutate adopt() { insert iof(cyd, Person) { }; }
mutate settle() -> Person { let p = insert Person { age: 9 }; insert owns(p, orchard); return p }
check crowded(l: Plot) :- owns(a, l), owns(b, l), owns(c, l), a != b, b != c, a != c
    => Diagnostic { severity: Severity::Error, message: "three owners" };
"""
)
IN_OTHER = WriteOptions(standpoint="Other")


def test_what_is_written_in_a_standpoint_is_in_its_layer_and_those_below_see_it() -> None:
    world = World(WRITTEN)
    world.service.mutate("give", {"p": "bob", "l": "meadow"}, WriteOptions(standpoint="Registry"))
    assert "bob" not in owners(world, None)
    assert world.service.explain("owns(bob, meadow)", At(standpoint="Registry")).derived
    assert world.service.explain("owns(bob, meadow)", At(standpoint="Court")).derived
    assert not world.service.explain("owns(bob, meadow)", At(standpoint="Other")).derived


def test_an_event_names_its_standpoint_and_so_does_the_leaf_of_a_proof() -> None:
    world = World(WRITTEN)
    world.service.mutate("give", {"p": "bob", "l": "meadow"}, IN_OTHER)
    (leaf,) = world.service.explain("owns(bob, meadow)", At(standpoint="Other")).nodes
    assert leaf.event is not None
    assert leaf.event.standpoint == "pkg::Other"


def test_refute_denies_in_the_standpoint_of_the_call() -> None:
    world = World(WRITTEN)
    world.service.mutate("deny", {"p": "ann", "l": "meadow"}, IN_OTHER)
    truths = [world.service.explain("owns(ann, meadow)", At(standpoint=view)).truth4 for view in (None, "Other")]
    assert truths == ["Is", "Both"]


def test_a_standpoint_ends_what_it_says_itself_and_nothing_below_it() -> None:
    world = World(WRITTEN)
    assert world.service.mutate("drop", {"p": "ann", "l": "meadow"}, IN_OTHER).events == []
    assert world.service.explain("owns(ann, meadow)", At(standpoint="Other")).derived
    world.service.mutate("drop", {"p": "ann", "l": "orchard"}, IN_OTHER)
    assert not world.service.explain("owns(ann, orchard)", At(standpoint="Other")).derived


def test_asserting_again_in_a_standpoint_keeps_it_when_the_default_layer_ends_it() -> None:
    world = World(WRITTEN)
    world.service.mutate("give", {"p": "ann", "l": "meadow"}, IN_OTHER)
    world.service.mutate("drop", {"p": "ann", "l": "meadow"})
    assert owners(world, None) == set()
    assert world.service.explain("owns(ann, meadow)", At(standpoint="Other")).derived


def test_each_statement_in_a_standpoint_sees_the_ones_before() -> None:
    world = World(WRITTEN)
    receipt = world.service.mutate("settle", {}, IN_OTHER)
    (made,) = receipt.minted
    assert world.service.explain(f"owns({made.entity}, orchard)", At(standpoint="Other")).derived
    assert not world.service.explain(f"Person({made.entity})").derived


def test_the_modules_checks_hold_in_the_view_that_is_written() -> None:
    world = World(WRITTEN)
    world.service.mutate("give", {"p": "bob", "l": "meadow"}, IN_OTHER)
    world.service.mutate("adopt", {}, IN_OTHER)
    with pytest.raises(ArgonError) as caught:
        world.service.mutate("give", {"p": "cyd", "l": "meadow"}, IN_OTHER)
    assert caught.value.code == "ARGON_RUNTIME_CHECK_VIOLATION"
    assert owners(world, None) == {"ann"}


def test_membership_is_judged_in_the_view_that_is_written() -> None:
    world = World(WRITTEN)
    with pytest.raises(ArgonError) as caught:
        world.service.mutate("give", {"p": "cyd", "l": "orchard"}, IN_OTHER)
    assert caught.value.code == "ARGON_RUNTIME_VALIDATION_FAILED"
    world.service.mutate("give", {"p": "cyd", "l": "orchard"}, WriteOptions(standpoint="Court"))


def test_a_module_without_a_standpoint_does_not_fit_a_store_in_which_it_says_something() -> None:
    world = World(WRITTEN)
    world.service.mutate("give", {"p": "bob", "l": "meadow"}, IN_OTHER)
    kept = World(WRITTEN + "query more() -> owner;", store=world.store)
    assert kept.service.explain("owns(bob, meadow)", At(standpoint="Other")).derived
    gone = World(WRITTEN.replace("standpoint Other", "standpoint Another"), store=world.store)
    with pytest.raises(ArgonError) as caught:
        gone.service.query("owners")
    assert caught.value.code == "ARGON_RUNTIME_SCHEMA_INCOMPATIBLE"
    assert caught.value.details["reasons"] == [{"reason": "standpoint `Other` is not declared", "facts": 1}]


def test_what_a_standpoint_says_is_tried_on_another_module_in_its_own_view() -> None:
    world = World(WRITTEN)
    world.service.mutate("give", {"p": "cyd", "l": "orchard"}, WriteOptions(standpoint="Court"))
    same = World(WRITTEN + "query more() -> owner;", store=world.store)
    assert same.service.explain("owns(cyd, orchard)", At(standpoint="Court")).derived
