"""Proofs and why-not trees of every kind of fact, as text and by their leaves (semantics S6)."""

from __future__ import annotations

import pytest

from argon_lang.engine.governor import Limits
from argon_lang.errors import ArgonError
from argon_lang.runtime.envelopes import Explanation, ProofNode
from argon_lang.runtime.opening import bare
from argon_lang.runtime.options import Depth, WriteOptions
from argon_lang.runtime.service import At
from tests.runtime.worlds import World

KIN = """
type Person { name: String, mut nick: String?, mut n: Int = 3, mut tags: [String; 0..2], mut size: Size? }
type Boss <: Person;
enum Size { Small, Big(Int) }
rel knows(a: Person, b: Person) { mut since: Int }
rel loves(a: Person, b: Person) <: knows { how: String? }
fact Person(ada) { name: "Ada", size: Size::Big(3), tags: ["x", "y"] };
fact Boss(bob) { name: "Bob" };
fact Person(cleo) { name: "Cleo", n: 12 };
fact loves(ada, bob) { since: 3, how: "much" };
derive rich(p: Person) :- p: Person, p.n > 10;
derive poor(p: Person) :- p: Person, not rich(p);
derive linked(a: Person, b: Person) :- knows(a, b);
derive linked(a: Person, b: Person) :- knows(a, m), linked(m, b);
check many(p: Person) :- p: Person, p.n > 2 => Diagnostic { severity: Severity::Warning, message: p.name };
mutate meet(a: Person, b: Person) { insert knows(a, b) { since: 1 }; }
mutate part(a: Person, b: Person) { delete knows(a, b); }
mutate born(name: String) { insert Person { name: name }; }
"""


@pytest.fixture
def world() -> World:
    return World(KIN)


def told(world: World, fact: str, depth: int = 6, at: At | None = None) -> Explanation:
    return world.service.explain(fact, at or At(), Depth(depth))


def shape(explanation: Explanation) -> list[str]:
    """The tree as indented lines."""
    children: dict[str | None, list[ProofNode]] = {}
    for node in explanation.nodes:
        children.setdefault(node.parent, []).append(node)

    def lines(node: ProofNode, depth: int) -> list[str]:
        own = "  " * depth + f"{node.kind} {node.fact}" + (" …" if node.folded else "")
        return [own, *(line for child in children.get(node.id, []) for line in lines(child, depth + 1))]

    return lines(next(node for node in explanation.nodes if node.id == explanation.root_id), 0)


HOLDING: list[tuple[str, list[str]]] = [
    ("Person(ada)", ["declared Person(ada)"]),
    ("Person(bob)", ["derived Person(bob)", "  declared Boss(bob)"]),
    ("knows(ada, bob)", ["derived knows(ada, bob)", "  declared loves(ada, bob)"]),
    ('ada.name == "Ada"', ['declared ada.name == "Ada"']),
    ("ada.size == Big(3)", ["declared ada.size == Big(3)"]),
    ('ada.tags == "y"', ['declared ada.tags == "y"']),
    ("knows(ada, bob).since == 3", ["declared knows(ada, bob).since == 3"]),
    ('loves(ada, bob).how == "much";', ['declared loves(ada, bob).how == "much"']),
    ("rich(cleo)", ["derived rich(cleo)", "  declared Person(cleo)", "  declared cleo.n == 12", "  builtin p.n > 10"]),
    ("poor(ada)", ["derived poor(ada)", "  declared Person(ada)", "  negation not rich(ada)"]),
    ("many(cleo)", ["derived many(cleo)", "  declared Person(cleo)", "  declared cleo.n == 12", "  builtin p.n > 2"]),
    ("rich(_)", ["derived rich(cleo)", "  declared Person(cleo)", "  declared cleo.n == 12", "  builtin p.n > 10"]),
]


@pytest.mark.parametrize(("fact", "tree"), HOLDING)
def test_what_holds_is_proved_down_to_what_was_said(world: World, fact: str, tree: list[str]) -> None:
    explanation = told(world, fact)
    assert explanation.derived
    assert explanation.truth4 == "Is"
    assert shape(explanation) == tree


MISSING: list[tuple[str, list[str]]] = [
    ("Boss(ada)", ["absent Boss(ada)"]),
    ("knows(bob, ada)", ["absent knows(bob, ada)", "  absent loves(bob, ada)"]),
    ('ada.name == "Bob"', ['absent ada.name == "Bob"', '  blocking ada.name == "Ada"']),
    ('ada.nick == "A"', ['absent ada.nick == "A"']),
    (
        "rich(ada)",
        [
            "absent rich(ada)",
            "  clause rich",
            "    holds p: Person",
            "    failed p.n > 10",
            "      attempt p = ada, p.n = 3",
        ],
    ),
    (
        "poor(cleo)",
        [
            "absent poor(cleo)",
            "  clause poor",
            "    holds p: Person",
            "    failed not rich(p)",
            "      attempt p = cleo",
            "        blocking rich(cleo)",
            "          declared Person(cleo)",
            "          declared cleo.n == 12",
            "          builtin p.n > 10",
        ],
    ),
]


@pytest.mark.parametrize(("fact", "tree"), MISSING)
def test_what_does_not_hold_is_traced_to_what_it_lacks(world: World, fact: str, tree: list[str]) -> None:
    explanation = told(world, fact)
    assert not explanation.derived
    assert explanation.truth4 is None
    found = [line.replace("p.n = 3, p = ada", "p = ada, p.n = 3") for line in shape(explanation)]
    assert found == tree


def test_a_leaf_carries_the_event_that_asserted_it(world: World) -> None:
    world.do("meet", "bob", "cleo", options=WriteOptions(principal="agent:x"))
    leaf = told(world, "knows(bob, cleo)").nodes[-1]
    assert leaf.event is not None
    (logged,) = [line for line in world.store.snapshot().log() if line.event.change.key == "pkg::knows^"]
    assert (leaf.kind, leaf.event.id, leaf.event.tx) == ("asserted", str(logged.event.id), 1)
    assert (leaf.event.principal, leaf.event.standpoint) == ("agent:x", "default")
    assert (leaf.event.valid_from, leaf.event.valid_to) == ("2026-03-10T12:00:00Z", None)


def test_an_earlier_transaction_still_knows_its_events(world: World) -> None:
    world.do("meet", "bob", "cleo")
    world.clock.advance(hours=1)
    world.do("part", "bob", "cleo")
    assert not told(world, "knows(bob, cleo)").derived
    then = told(world, "knows(bob, cleo)", at=At(tx=1))
    assert then.nodes[-1].event is not None
    assert then.nodes[-1].event.tx == 1


def test_a_minted_individual_is_named_by_its_id(world: World) -> None:
    world.do("born", "Dora")
    assert shape(told(world, "#1.1.n == 3")) == ["asserted #1.1.n == 3"]
    assert shape(told(world, "Person(#1.1)")) == ["asserted Person(#1.1)"]


def test_a_tree_is_folded_at_its_depth_and_its_ids_are_stable(world: World) -> None:
    world.do("meet", "bob", "cleo")
    deep, shallow = told(world, "linked(ada, cleo)"), told(world, "linked(ada, cleo)", depth=1)
    assert [node.id for node in deep.nodes] == [node.id for node in told(world, "linked(ada, cleo)").nodes]
    assert [line.strip() for line in shape(shallow) if line.endswith("…")] == ["derived linked(bob, cleo) …"]
    by_fact = {node.fact: node.id for node in reversed(deep.nodes)}
    assert all(by_fact[node.fact] == bare(node.id) for node in shallow.nodes)
    world.do("born", "Dora")
    assert told(world, "linked(ada, cleo)").root_id != deep.root_id


def test_a_clause_instance_gives_values_under_the_authors_names(world: World) -> None:
    root = told(world, "linked(ada, bob)").nodes[0]
    assert [each.clause for each in root.derivations] == ["linked"]
    names = {name: value["label"] for name, value in root.derivations[0].substitution.items()}
    assert names == {"a": "ada", "b": "bob"}
    assert root.derivations[0].source is not None
    assert root.derivations[0].source.file == "root.ar"


REFUSED: list[tuple[str, str]] = [
    ("rich", "ARGON_RUNTIME_VALIDATION_FAILED"),
    ("rich(", "ARGON_RUNTIME_VALIDATION_FAILED"),
    ("rich(ada))", "ARGON_RUNTIME_VALIDATION_FAILED"),
    ("rich(ada) poor(ada)", "ARGON_RUNTIME_VALIDATION_FAILED"),
    ("", "ARGON_RUNTIME_VALIDATION_FAILED"),
    ("[" * 100, "ARGON_RUNTIME_VALIDATION_FAILED"),
    ("rich(ada);;", "ok"),
    ("rich(§)", "ARGON_RUNTIME_VALIDATION_FAILED"),
    ("many()", "ARGON_RUNTIME_VALIDATION_FAILED"),
    ("rich(ada, ada)", "ARGON_RUNTIME_SIGNATURE_MISMATCH"),
    ("rich/2(ada)", "ARGON_RUNTIME_SIGNATURE_MISMATCH"),
    ("rich(nobody)", "ARGON_RUNTIME_NOT_FOUND"),
    ("wealthy(ada)", "ARGON_RUNTIME_NOT_FOUND"),
    ("rich(3)", "ARGON_RUNTIME_VALIDATION_FAILED"),
    ("ada.age == 3", "ARGON_RUNTIME_VALIDATION_FAILED"),
    ("ada.n == 1.5", "ARGON_RUNTIME_VALIDATION_FAILED"),
    ('ada.name == "\\u{e9}"', "ARGON_RUNTIME_VALIDATION_FAILED"),
    ("rich(ada).n == 3", "ARGON_RUNTIME_VALIDATION_FAILED"),
    ("ada.n = 3", "ARGON_RUNTIME_VALIDATION_FAILED"),
]


@pytest.mark.parametrize(("fact", "code"), REFUSED)
def test_what_is_no_fact_is_refused(world: World, fact: str, code: str) -> None:
    if code == "ok":
        assert not told(world, fact).derived
        return
    with pytest.raises(ArgonError) as error:
        told(world, fact)
    assert error.value.code == code


def test_a_why_not_tree_may_be_deeper_than_the_stack_of_python() -> None:
    length = 400
    chain = [f"fact P(x{number});" for number in range(length + 1)]
    chain += [f"fact e(x{number}, x{number + 1});" for number in range(length)]
    world = World("type P;\nrel e(a: P, b: P);\nderive q(a: P) :- e(a, b), q(b);\n" + "\n".join(chain))
    nodes = told(world, "q(x0)", depth=5_000).nodes
    assert sum(node.kind == "absent" and node.fact.startswith("q(") for node in nodes) == length + 1


def test_a_proof_larger_than_allowed_is_refused(world: World) -> None:
    small = World(KIN, limits=Limits(max_proof_nodes=2))
    with pytest.raises(ArgonError) as error:
        told(small, "rich(cleo)")
    assert error.value.details["knob"] == "maxProofNodes"
