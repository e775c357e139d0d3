"""Strong negatives in the default view: Is, Not, Both and nothing at all; tags of rules with exceptions (S2, S5)."""

from __future__ import annotations

from argon_lang.runtime.envelopes import Answer, Explanation, ProofNode
from argon_lang.runtime.service import At
from tests.runtime.worlds import START, World

BIRDS = """
type Bird;
type Penguin <: Bird;
rel admires(a: Bird, b: Bird);
fact Bird(tweety);
fact Bird(sam);
fact Penguin(pingu);
not_fact Bird(opus);
not_fact Bird(sam);
fact admires(sam, tweety);

#[default] #[label(usual)]
derive flies(b: Bird) :- Bird(b);
derive flies(b: Bird) :- admires(_, b);
#[defeats(flies.usual(b))]
derive walks(b: Bird) :- Penguin(b);
derive sings(b: Bird) :- Bird(b);
derive duet(a: Bird, b: Bird) :- sings(a), sings(b), admires(a, b);

query fliers() -> flies;
query songs() -> [Bird] { select b from sings(b) }
mutate ground(b: Bird) { refute flies(b); }
mutate silence() { refute sings(_); }
mutate silence_later(b: Bird, d: Date) { refute sings(b) at d; }
mutate deny_love(a: Bird, b: Bird) { refute admires(a, b); }
check grounded(b: Bird) :- walks(b), flies(b) => Diagnostic { severity: Severity::Error, message: "both" };
"""


def rows(answer: Answer) -> dict[str, tuple[str | None, str | None]]:
    """Truth value and tag of each row, by the label of its first column."""
    return {str(row.values[0]["label"]): (row.truth4, row.tag) for row in answer.rows}


def kinds(explanation: Explanation) -> list[tuple[str, str]]:
    """The nodes of a tree: kind and fact."""
    return [(node.kind, node.fact) for node in explanation.nodes]


def test_a_row_said_and_denied_is_both_one_only_denied_is_not_and_neither_is_a_row() -> None:
    answer = World(BIRDS).service.derive("Bird", truth4=True)
    assert rows(answer) == {
        "opus": ("Not", None),
        "pingu": ("Is", None),
        "sam": ("Both", None),
        "tweety": ("Is", None),
    }
    assert answer.row_count == 2
    assert answer.hidden.model_dump() == {"can": 0, "both": 1, "not_": 1}


def test_without_truth_values_only_what_is_comes_and_the_rest_is_counted() -> None:
    answer = World(BIRDS).service.derive("Bird")
    assert rows(answer) == {"pingu": (None, None), "tweety": (None, None)}
    assert (answer.row_count, answer.hidden.both, answer.hidden.not_) == (2, 1, 1)


def test_rule_bodies_read_both_as_holding() -> None:
    assert "sam" in rows(World(BIRDS).service.derive("sings"))


def test_a_denied_tuple_without_support_is_not_a_row_that_rules_read() -> None:
    world = World(BIRDS)
    world.service.mutate("deny_love", {"a": "tweety", "b": "sam"})
    assert rows(world.service.derive("admires", truth4=True)) == {"sam": ("Is", None), "tweety": ("Not", None)}
    assert world.service.derive("duet").row_count == 1


def test_tags_tell_strict_conclusions_from_those_by_default() -> None:
    assert rows(World(BIRDS).service.derive("flies")) == {"sam": (None, "+∂"), "tweety": (None, "+Δ")}


def test_refuting_a_default_conclusion_defeats_it() -> None:
    world = World(BIRDS)
    world.service.mutate("ground", {"b": "sam"})
    answer = world.service.derive("flies", truth4=True)
    assert rows(answer) == {"sam": ("Not", "-∂"), "tweety": ("Is", "+Δ")}


def test_refuting_a_strict_conclusion_gives_both() -> None:
    world = World(BIRDS)
    world.service.mutate("ground", {"b": "tweety"})
    assert rows(world.service.query("fliers", truth4=True))["tweety"] == ("Both", "+Δ")
    assert rows(world.service.query("fliers")) == {"sam": (None, "+∂")}


def test_refuting_with_a_wildcard_denies_every_row_that_holds() -> None:
    world = World(BIRDS)
    receipt = world.service.mutate("silence")
    assert [(event.op, event.fact) for event in receipt.events] == [
        ("refute", "sings(pingu)"),
        ("refute", "sings(sam)"),
        ("refute", "sings(tweety)"),
    ]
    assert world.service.derive("sings").hidden.both == 3
    assert world.service.mutate("silence").events == []


def test_a_denial_at_an_instant_holds_from_then_on() -> None:
    world = World(BIRDS)
    world.service.mutate("silence_later", {"b": "tweety", "d": "2026-05-01"})
    assert rows(world.service.derive("sings", truth4=True))["tweety"] == ("Is", None)
    later = world.service.derive("sings", At(valid="2026-05-02"), truth4=True)
    assert rows(later)["tweety"] == ("Both", None)
    world.clock.instant = START.replace(month=6)
    assert rows(world.service.derive("sings", truth4=True))["tweety"] == ("Both", None)


def test_a_refutation_shows_in_the_derived_delta_of_what_rested_on_the_default() -> None:
    from argon_lang.runtime.options import WriteOptions

    world = World(BIRDS)
    receipt = world.service.mutate("ground", {"b": "sam"}, WriteOptions(include_delta=True))
    assert receipt.derived_delta is not None
    assert {key: change.removed for key, change in receipt.derived_delta.items()} == {"pkg::flies/1": ["flies(sam)"]}


def test_a_fact_that_is_both_shows_what_supports_it_and_what_is_said_against_it() -> None:
    found = World(BIRDS).service.explain("Bird(sam)")
    assert (found.derived, found.truth4) == (True, "Both")
    assert kinds(found) == [("declared", "Bird(sam)"), ("refuted", "not_fact Bird(sam)")]


def test_what_is_said_against_a_fact_names_its_event() -> None:
    world = World(BIRDS)
    world.service.mutate("ground", {"b": "sam"})
    found = world.service.explain("flies(sam)")
    assert (found.derived, found.truth4, found.tag) == (False, "Not", "-∂")
    (denial,) = [node for node in found.nodes if node.kind == "refuted"]
    assert denial.event is not None
    assert (denial.event.tx, denial.event.principal) == (1, "user:eve")


def test_a_defeated_conclusion_names_the_exception_that_defeats_it() -> None:
    found = World(BIRDS).service.explain("flies(pingu)")
    assert (found.derived, found.truth4, found.tag) == (False, None, "-∂")
    (block,) = [node for node in found.nodes if node.kind == "blocking"]
    assert block.fact == "defeats(flies.usual(pingu))"
    assert [each.clause for each in block.derivations] == ["walks"]


def test_a_default_conclusion_relies_on_no_attack_and_no_denial() -> None:
    found = World(BIRDS).service.explain("flies(sam)")
    assert (found.truth4, found.tag) == ("Is", "+∂")
    negations: list[ProofNode] = [node for node in found.nodes if node.kind == "negation"]
    assert [node.fact for node in negations] == ["not defeats(flies.usual(sam))", "no not_fact flies(sam)"]


def test_a_cycle_through_an_exception_is_well_founded() -> None:
    world = World(
        "type Bird; fact Bird(tweety); fact Bird(sam); type Tame <: Bird; fact Tame(sam);"
        "#[default] derive flies(b: Bird) :- Bird(b);"
        "#[defeats(flies(b))] derive tired(b: Bird) :- flies(b), not Tame(b);"
    )
    assert rows(world.service.derive("flies", truth4=True)) == {"sam": ("Is", "+∂"), "tweety": ("Can", None)}
    assert rows(world.service.derive("tired", truth4=True)) == {"tweety": ("Can", None)}


def test_what_no_clause_tried_is_minus_delta() -> None:
    assert World(BIRDS).service.explain("flies(opus)").tag == "-Δ"
