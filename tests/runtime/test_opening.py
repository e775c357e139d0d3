"""Folded nodes are opened by id; violations are proved in the same shape, with prose (semantics S6.3, S6.6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from argon_lang.engine.governor import Limits
from argon_lang.errors import ArgonError
from argon_lang.runtime.models import Models
from argon_lang.runtime.options import Depth
from argon_lang.runtime.service import RuntimeService
from tests.runtime.test_explain import KIN
from tests.runtime.worlds import World

MORE = KIN + "derive fans(p: Person, c: Int) :- p: Person, c = count(q, knows(q, p));\n"


@pytest.fixture
def world() -> World:
    world = World(MORE)
    world.do("meet", "bob", "cleo")
    world.do("meet", "cleo", "cleo")
    return world


def test_a_folded_node_opens_to_the_tree_of_its_fact(world: World) -> None:
    shallow = world.service.explain("linked(ada, cleo)", depth=Depth(1, 1))
    (folded,) = [node for node in world.service.explain("linked(ada, cleo)", depth=Depth(1, 9)).nodes if node.folded]
    opened = world.service.expand(folded.id, Depth(3))
    assert (opened.fact, opened.root_id) == (folded.fact, folded.id)
    assert len(opened.nodes) > 1
    assert opened.as_of == shallow.as_of


def test_a_folded_node_knows_how_many_ways_there_are(world: World) -> None:
    (folded,) = [node for node in world.service.explain("linked(ada, cleo)", depth=Depth(1, 9)).nodes if node.folded]
    assert folded.alternatives == world.service.expand(folded.id).nodes[0].alternatives


def test_a_negation_opens_to_the_absence_that_it_rests_on(world: World) -> None:
    negation = next(node for node in world.service.explain("poor(ada)").nodes if node.kind == "negation")
    opened = world.service.expand(negation.id)
    assert (opened.derived, opened.fact) == (False, "rich(ada)")
    assert any(node.kind == "failed" and node.fact == "p.n > 10" for node in opened.nodes)


def test_an_aggregate_opens_to_its_rows_and_their_number(world: World) -> None:
    shown = world.service.explain("fans(cleo, 2)", depth=Depth(1, 1))
    aggregate = next(node for node in shown.nodes if node.kind == "aggregate")
    assert aggregate.alternatives == 2
    opened = world.service.expand(aggregate.id, Depth(2, 5))
    assert opened.nodes[0].kind == "aggregate"
    assert opened.nodes[0].parent is None
    assert {node.fact for node in opened.nodes[1:]} == {"knows(bob, cleo)", "knows(cleo, cleo)"}


def test_an_absent_atom_opens_too(world: World) -> None:
    missing = world.service.explain("linked(cleo, ada)", depth=Depth(1)).nodes
    folded = next(node for node in missing if node.kind == "absent" and node.fact == "knows(cleo, ada)")
    assert world.service.expand(folded.id).nodes[-1].fact == "loves(cleo, ada)"


def test_an_id_of_another_generation_is_stale(world: World) -> None:
    root = world.service.explain("linked(ada, cleo)").root_id
    world.do("born", "Dora")
    with pytest.raises(ArgonError) as error:
        world.service.expand(root)
    assert error.value.code == "ARGON_RUNTIME_STALE_PROOF"
    assert dict(error.value.args_)["found"] == "generation 2"


def test_an_id_that_nothing_has_is_stale(world: World) -> None:
    with pytest.raises(ArgonError) as error:
        world.service.expand("0" * 24)
    assert error.value.code == "ARGON_RUNTIME_STALE_PROOF"


def test_an_id_of_a_fork_is_stale_on_the_branch_that_it_left(world: World) -> None:
    fork = world.service.create_fork("trial").fork.fork
    root = world.service.on_fork(fork).explain("linked(ada, cleo)").root_id
    assert world.service.on_fork(fork).expand(root).derived
    with pytest.raises(ArgonError) as error:
        world.service.expand(root)
    assert error.value.code == "ARGON_RUNTIME_STALE_PROOF"


def test_a_proof_over_the_limit_names_its_knob() -> None:
    small = World(MORE, limits=Limits(max_proof_nodes=3))
    with pytest.raises(ArgonError) as error:
        small.service.explain("rich(cleo)", depth=Depth(9))
    assert error.value.details == {"reached": 4, "limit": 3, "knob": "maxProofNodes"}


def test_a_violation_is_proved_when_asked_for(world: World) -> None:
    plain = world.service.checks("many").violations
    proved = world.service.checks("many", proof=Depth(6)).violations
    assert [each.nodes for each in plain] == [[]] * len(plain)
    for each in proved:
        root = each.nodes[0]
        assert (root.fact, root.id, root.kind) == (each.fact, each.root_id, "derived")
        assert [clause.clause for clause in root.derivations] == ["many"]
        assert each.prose is not None
        assert each.prose.startswith(f"Check `many` is violated: {each.message}. `{each.fact}` holds by root.ar:15")


def test_one_violation_is_named_as_a_fact(world: World) -> None:
    (only,) = world.service.checks(violation="many(cleo)", proof=Depth(6)).violations
    assert only.fact == "many(cleo)"
    assert world.service.checks(violation="many(ada)").clean == (not world.service.explain("many(ada)").derived)
    with pytest.raises(ArgonError) as error:
        world.service.checks(violation="rich(cleo)")
    assert error.value.code == "ARGON_RUNTIME_VALIDATION_FAILED"


def elsewhere(world: World) -> RuntimeService:
    """The same module and store in another process: nothing that was shown is remembered."""
    return replace(world.service, models=Models())


def test_a_node_that_was_left_shut_is_opened_by_any_process(world: World) -> None:
    shown = [
        *world.service.explain("linked(ada, cleo)", depth=Depth(1, 9)).nodes,
        *world.service.explain("poor(ada)").nodes,
    ]
    shut = [node for node in shown if node.folded or node.kind == "negation"]
    assert {node.kind for node in shut} == {"derived", "negation"}
    for node in shut:
        assert elsewhere(world).expand(node.id, Depth(3)) == world.service.expand(node.id, Depth(3))


def test_an_absence_that_was_left_shut_is_opened_by_any_process(world: World) -> None:
    missing = world.service.explain("linked(cleo, ada)", depth=Depth(1)).nodes
    folded = next(node for node in missing if node.folded)
    opened = elsewhere(world).expand(folded.id)
    assert (opened.fact, opened.root_id, opened.derived) == (folded.fact, folded.id, False)


def test_another_process_tells_a_stale_node_and_a_made_up_one(world: World) -> None:
    (folded,) = [node for node in world.service.explain("linked(ada, cleo)", depth=Depth(1, 9)).nodes if node.folded]
    for id_ in (folded.id[:-3] + "AAA", "0" * 24 + folded.id[24:], folded.id[:40], folded.id[:25]):
        with pytest.raises(ArgonError, match="STALE_PROOF"):
            elsewhere(world).expand(id_)
    world.do("born", "Dora")
    with pytest.raises(ArgonError) as error:
        elsewhere(world).expand(folded.id)
    assert error.value.code == "ARGON_RUNTIME_STALE_PROOF"
