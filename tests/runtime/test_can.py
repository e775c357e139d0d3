"""Rows that are possible and not definite: counted, shown on request with their support on both sides (S2.5, S6.4)."""

from __future__ import annotations

from argon_lang.runtime.envelopes import Answer
from tests.runtime.test_truth import rows
from tests.runtime.worlds import World

GAME = """
type Position;
rel move(a: Position, b: Position);
fact Position(a1); fact Position(a2); fact Position(a3); fact Position(b1); fact Position(b2);
fact move(a1, a2); fact move(a2, a3);
fact move(b1, b2); fact move(b2, b1);
derive wins(p: Position) :- move(p, q), not wins(q);
derive calm(p: Position) :- Position(p), not wins(p);
struct Won { p: Position, n: Int }
query winners() -> [Position] { select p from wins(p) }
query not_winning() -> [Position] { select p from p: Position where not wins(p) }
query moves() -> [Won] { select { p: p, n: count(q) } from move(p, q), wins(p) group by p }
query all_but() -> [Position] { select p from p: Position except select p from wins(p) }
mutate play(a: Position, b: Position) { insert move(a, b); }
mutate lose(p: Position) { refute wins(p); }
check too_calm(p: Position) :- p: Position, count { q: Position, calm(q) } > 4
    => Diagnostic { severity: Severity::Error, message: "too many calm positions" };
"""


def test_can_rows_are_counted_and_shown_on_request() -> None:
    world = World(GAME)
    plain, told = world.service.derive("wins"), world.service.derive("wins", truth4=True)
    assert [row.values[0]["label"] for row in plain.rows] == ["a2"]
    assert (plain.row_count, plain.hidden.can) == (1, 2)
    assert {name: truth for name, (truth, _) in rows(told).items()} == {"a2": "Is", "b1": "Can", "b2": "Can"}


def labels(answer: Answer, truth4: str) -> list[str]:
    """The first column of the rows with this truth value."""
    return [str(row.values[0]["label"]) for row in answer.rows if row.truth4 == truth4]


def test_a_query_has_the_rows_that_only_might_be_there_after_those_that_are() -> None:
    service = World(GAME).service
    answer = service.query("not_winning", truth4=True)
    assert (labels(answer, "Is"), labels(answer, "Can")) == (["a1", "a3"], ["b1", "b2"])
    assert (answer.row_count, answer.hidden.can) == (2, 2)
    assert [row.values[0]["label"] for row in service.query("not_winning").rows] == ["a1", "a3"]


def test_what_a_query_takes_away_is_asked_in_the_other_estimate() -> None:
    answer = World(GAME).service.query("all_but", truth4=True)
    assert (labels(answer, "Is"), labels(answer, "Can")) == (["a1", "a3"], ["b1", "b2"])


def test_groups_say_how_many_solutions_they_leave_out() -> None:
    answer = World(GAME).service.query("moves")
    assert [row.values[0]["fields"]["n"] for row in answer.rows] == [1]
    assert (answer.excluded, answer.hidden.can) == (2, 0)
    assert World(GAME).service.query("winners").excluded is None


def test_an_undecided_violation_refuses_no_write() -> None:
    world = World(GAME)
    assert world.service.checks().clean
    assert world.service.derive("too_calm", truth4=True).hidden.can == 0
    world.service.mutate("play", ("a3", "a3"))
    answer = world.service.derive("wins", truth4=True)
    assert (labels(answer, "Is"), labels(answer, "Can")) == ([], ["a1", "a2", "a3", "b1", "b2"])
    assert world.service.derive("too_calm", truth4=True).hidden.can == 5
    assert {(found.severity, found.code) for found in world.service.checks().violations} == {("warning", "OW0245")}


def test_the_reasons_of_a_can_row_show_what_keeps_it_from_holding_and_what_makes_it_possible() -> None:
    found = World(GAME).service.explain("wins(b1)")
    assert (found.derived, found.truth4) == (False, "Can")
    by_kind = [(node.kind, node.fact, node.truth4) for node in found.nodes]
    assert ("blocking", "wins(b2)", "Can") in by_kind
    support = next(node for node in found.nodes if node.kind == "derived")
    assert (support.fact, support.truth4, support.parent) == ("wins(b1)", "Can", found.root_id)
    below = [(node.kind, node.fact) for node in found.nodes if node.parent == support.id]
    assert ("negation", "not wins(b2)") in below


def test_refuting_an_undecided_row_decides_what_rests_on_it() -> None:
    world = World(GAME)
    world.service.mutate("lose", ("b1",))
    told = {name: truth for name, (truth, _) in rows(world.service.derive("wins", truth4=True)).items()}
    assert told == {"a2": "Is", "b1": "Not", "b2": "Is"}


OPENED = """
type Person;
#[world(open)] type Convict <: Person;
rel visits(who: Person, whom: Person);
fact Person(ann); fact Person(bob); fact Convict(cid);
fact visits(ann, bob);
derive suspect(p: Person) :- visits(p, q), Convict(q);
derive many(n: Int) :- n = count { p: Person, Convict(p) };
"""


def test_an_open_concept_is_no_reason_for_an_absence_and_no_proof_of_what_holds() -> None:
    service = World(OPENED).service
    asked = service.explain("suspect(ann)")
    below = [(node.kind, node.fact, node.truth4) for node in asked.nodes if node.kind in ("absent", "clause")]
    assert below == [
        ("absent", "suspect(ann)", "Can"),
        ("clause", "suspect", None),
        ("absent", "Convict(bob)", "Can"),
    ]
    possible = next(node for node in asked.nodes if node.kind == "derived" and node.fact == "Convict(bob)")
    assert [each.clause for each in possible.derivations] == ["open Convict"]
    held = service.explain("Convict(cid)")
    assert [(node.kind, node.fact) for node in held.nodes] == [("declared", "Convict(cid)")]


def test_an_aggregate_in_doubt_names_the_rows_that_it_waits_for() -> None:
    asked = World(OPENED).service.explain("many(1)")
    assert (asked.derived, asked.truth4) == (False, "Can")
    waiting = [(node.fact, node.truth4) for node in asked.nodes if node.kind == "blocking"]
    assert waiting == [("Convict(ann)", "Can"), ("Convict(bob)", "Can")]
