"""Suggestions (semantics S6.5): small, typed, tried, told as text that works, with the checks that they break."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.engine.governor import Limits
from argon_lang.engine.model import evaluate
from argon_lang.errors import ArgonError
from argon_lang.ir.values import Entity, Row
from argon_lang.runtime.base import Base
from tests.runtime.suggesting import apply, suggested
from tests.runtime.worlds import World

WORLD = """
enum Size { Small, Big }
type Person { name: String, mut nick: String?, mut n: Int = 3, mut tags: [String; 0..3], mut size: Size = Size::Small }
type Boss <: Person;
type Thing;
type Car <: Thing { owner: Person, mut sold: Bool = false }
rel knows(a: Person, b: Person) { since: Int }
rel likes(a: Person, b: Person);
fact Person(ada) { name: "Ada", n: 3, size: Size::Small, tags: ["x"] };
fact Boss(bob) { name: "Bob", n: 3, size: Size::Small };
fact Person(cleo) { name: "Cleo", n: 12, size: Size::Big };
fact Car(car) { owner: ada, sold: true };
fact knows(ada, bob) { since: 7 };
fact likes(ada, cleo);
fact likes(cleo, ada);
derive rich(p: Person) :- p: Person, p.n > 10;
derive poor(p: Person) :- p: Person, not rich(p);
derive big(p: Person) :- p: Person, p.size == Size::Big;
derive tagged(p: Person) :- p: Person, "y" in p.tags;
derive linked(a: Person, b: Person) :- knows(a, b);
derive linked(a: Person, b: Person) :- knows(a, m), linked(m, b);
derive mutual(a: Person, b: Person) :- likes(a, b), likes(b, a);
derive lonely(p: Person) :- p: Person, not exists { likes(p, q), likes(q, p) };
derive driver(p: Person) :- c: Car, p = c.owner, c.sold == false;
derive adult(p: Person) :- p: Person, p.name == "Grown";
derive popular(p: Person) :- p: Person, c = count(q, likes(q, p)), c >= 2;
derive boss_of(b: Boss, p: Person) :- b: Boss, likes(b, p);
mutate born(name: String) { insert Person { name: name }; }
check two(p: Person) :- p: Person, p.n > 20 => Diagnostic { severity: Severity::Error, message: p.name };
derive close(a: Person, b: Person) :- knows(a, b), likes(a, b), linked(a, b);
derive huge(p: Person) :- p: Person, p.n > 30;
"""

WANTED: list[tuple[str, str]] = [
    ("rich(ada)", "update ada set { n = 11 };"),
    ("poor(cleo)", "update cleo set { n = 3 };"),
    ("big(ada)", "update ada set { size = Size::Big };"),
    ("tagged(ada)", 'insert "y" into ada.tags;'),
    ("linked(bob, cleo)", "insert knows(bob, cleo) { since: 7 };"),
    ("mutual(ada, bob)", "insert likes(ada, bob); insert likes(bob, ada);"),
    ("close(bob, cleo)", "insert knows(bob, cleo) { since: 7 }; insert likes(bob, cleo);"),
    ("lonely(ada)", "delete likes(ada, cleo);"),
    ("driver(ada)", "update car set { sold = false };"),
    ("Boss(ada)", "insert iof(ada, Boss);"),
    ('ada.nick == "A"', 'update ada set { nick = "A" };'),
    ("popular(ada)", "insert likes(ada, ada);"),
    ("boss_of(ada, cleo)", "insert iof(ada, Boss);"),
]


@pytest.fixture
def world() -> World:
    return World(WORLD)


@pytest.mark.parametrize(("fact", "text"), WANTED)
def test_the_smallest_change_is_told_as_text_that_works(world: World, fact: str, text: str) -> None:
    assert not world.service.explain(fact).derived
    found = suggested(world, fact)
    assert text in [each.source for each in found.suggestions]
    assert [each.size for each in found.suggestions] == sorted(each.size for each in found.suggestions)
    for each in found.suggestions:
        fresh = World(WORLD)
        apply(fresh, each)
        assert fresh.service.explain(fact).derived, each.source


@pytest.mark.parametrize("fact", ["adult(ada)", 'ada.name == "Eva"', "rich(cleo)"])
def test_nothing_is_suggested_where_nothing_works_or_is_needed(world: World, fact: str) -> None:
    assert suggested(world, fact).suggestions == []


def test_an_individual_without_a_name_of_its_own_is_handed_in(world: World) -> None:
    world.do("born", "Dora")
    first = suggested(world, "rich(#1.1)").suggestions[0]
    assert first.source == "mutate suggested(person_1: Person) { update person_1 set { n = 11 }; }"
    assert first.args == {"person_1": "#1.1"}
    apply(world, first)
    assert world.service.explain("rich(#1.1)").derived


def test_a_suggestion_says_which_checks_it_would_break_and_why(world: World) -> None:
    (first, *_) = suggested(world, "huge(ada)").suggestions
    assert (first.source, first.accepted) == ("update ada set { n = 31 };", False)
    (broken,) = first.breaks
    assert broken.check == "pkg::two"
    assert [node.fact for node in broken.nodes] == ["two(ada)", "Person(ada)", "ada.n == 31", "p.n > 20"]
    with pytest.raises(ArgonError) as error:
        apply(world, first)
    assert error.value.code == "ARGON_RUNTIME_CHECK_VIOLATION"


def test_values_that_an_insert_must_supply_are_named_as_assumed(world: World) -> None:
    assert suggested(world, "linked(bob, cleo)").suggestions[0].assumed == ["since: 7"]


def test_trying_leaves_the_store_as_it_was(world: World) -> None:
    world.do("born", "Dora")
    before = world.state()
    suggested(world, "mutual(ada, bob)")
    assert world.state() == before


def test_suggesting_twice_gives_the_same_bytes(world: World) -> None:
    first, second = (suggested(World(WORLD), "mutual(ada, bob)") for _ in range(2))
    assert first.suggestions == second.suggestions


def test_the_search_asks_the_governor() -> None:
    with pytest.raises(ArgonError) as error:
        suggested(World(WORLD, limits=Limits(timeout_ms=-1)), "mutual(ada, bob)")
    assert error.value.code == "ARGON_RUNTIME_TIMEOUT"


VIEWS = """
standpoint church {}
type Person;
fact Person(ada);
derive usual(p: Person) :- p: Person, glad(p);
derive glad(p: Person) :- happy(p);
rel happy(p: Person);
"""


def test_a_suggestion_for_a_standpoint_is_written_there() -> None:
    world = World(VIEWS)
    (only,) = suggested(world, "usual(ada)", standpoint="church").suggestions
    assert only.source == "insert happy(ada);"


# -- against brute force -----------------------------------------------------------------------------------------------

HEAD = """
type P { mut on: Bool = false, mut k: Int = 0 }
rel e(a: P, b: P);
rel f(a: P, b: P);
fact P(x) { on: true, k: 1 };
fact P(y) { on: false, k: 2 };
fact P(z) { on: false, k: 0 };
"""
LITERALS = (
    "e(a, b)",
    "f(a, b)",
    "e(b, a)",
    "a.on == true",
    "b.on == false",
    "not e(a, a)",
    "not exists { f(b, w) }",
    "not low(b)",
    "low(a)",
    "reach(a, b)",
    "not reach(b, a)",
    "a.k == 2",
    "b.k > 1",
    "a != b",
    "1 <= count(w, f(a, w))",
)
PAIRS = tuple(product("xyz", repeat=2))
RULES = """
derive low(a: P) :- a: P, e(a, b), not f(b, a);
derive low(a: P) :- a: P, a.on == true, not exists { e(a, w) };
derive reach(a: P, b: P) :- e(a, b);
derive reach(a: P, b: P) :- e(a, m), reach(m, b);
"""


def entity(name: str) -> Entity:
    return Entity(f"pkg::{name}")


Toggle = tuple[str, tuple[Row, ...], tuple[Row, ...]]


def toggles(base: Base) -> Iterator[Toggle]:
    """Every single change of the little world: key, rows to remove, rows to add."""
    for relation, (left, right) in product("ef", PAIRS):
        row = (entity(left), entity(right))
        key = f"pkg::{relation}^"
        yield (key, (row,), ()) if base.holds(key, row) else (key, (), (row,))
    for name in "xyz":
        for key, values in (("pkg::P.on", (True, False)), ("pkg::P.k", (0, 1, 2, 3))):
            held = base.about(key, entity(name))
            for value in values:
                if (entity(name), value) not in held:
                    yield key, held, ((entity(name), value),)


def smallest(world: World) -> int | None:
    """The least number of changes after which the goal holds, up to two; by trying all of them."""
    _, reading = world.service.read()

    def holds(changes: tuple[Toggle, ...]) -> bool:
        base = reading.base.copy()
        for key, gone, come in changes:
            base.remove(key, gone)
            base.add(key, come)
        model = evaluate(reading.served.program, base.rows, reading.clock, after=reading.model)
        return model.holds("pkg::goal/2", (entity("x"), entity("y")))

    every = list(toggles(reading.base))
    return next((size for size in (0, 1, 2) if any(map(holds, combinations(every, size)))), None)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(
    st.lists(st.lists(st.sampled_from(LITERALS), min_size=1, max_size=4, unique=True), min_size=1, max_size=2),
    st.sets(st.tuples(st.sampled_from("ef"), st.sampled_from(PAIRS)), max_size=6),
)
def test_every_suggestion_works_and_none_is_larger_than_need_be(
    bodies: list[list[str]], edges: set[tuple[str, tuple[str, str]]]
) -> None:
    rules = [f"derive goal(a: P, b: P) :- a: P, b: P, {', '.join(body)};" for body in bodies]
    facts = [f"fact {name}({left}, {right});" for name, (left, right) in sorted(edges)]
    source = "\n".join([HEAD, *facts, RULES, *rules])
    world = World(source)
    found = suggested(world, "goal(x, y)", most=6)
    least = smallest(world)
    assert found.derived == (least == 0)
    if least in (1, 2):
        assert found.suggestions, source
        assert found.suggestions[0].size == least, source
    for each in found.suggestions:
        fresh = World(source)
        apply(fresh, each)
        assert fresh.service.explain("goal(x, y)").derived, each.source


def test_a_goal_with_many_ways_to_it_is_reached_by_the_direct_one_first() -> None:
    many = 100
    nodes = "".join(f"fact Node(n{number});\n" for number in range(many))
    edges = "".join(f"fact edge(n{number}, n{number + 1});\n" for number in range(many - 1))
    world = World(
        "type Node;\nrel edge(a: Node, b: Node);\n"
        "derive reach(a: Node, c: Node) :- reach(a, b), edge(b, c);\n"
        "derive reach(a: Node, b: Node) :- edge(a, b);\n" + nodes + edges + "fact Node(lone);\n"
    )
    found = suggested(world, "reach(n0, lone)")
    assert found.suggestions[0].source == "insert edge(n0, lone);"
    assert all(each.size == 1 and each.accepted for each in found.suggestions)
    assert not found.complete
