"""Generic concepts (language §3.2): each choice of types is a concept of its own below the generic one."""

from __future__ import annotations

import pytest

from argon_lang.queries.snippet import check_files
from tests.runtime.suggesting import suggested
from tests.runtime.worlds import World

BOXES = """
trait Sized { fn size(self) -> Int; }
type Person { name: String }
impl Sized for Person { fn size(self) -> Int = 1; }
type Box<T> { mut content: T, label: String? }
type Crate<T> <: Box<T> { heavy: Bool = true }
type Numbered <: Box<Int>;
type Peopled <: Crate<Person>;
type Pair<A, B: Sized> { first: A, second: B, all: [A] }
type NamedPair <: Pair<String, Person>;
type Shelf { boxes: [Box<Int>] }
fact Person(ada) { name: "Ada" };
fact Numbered(n) { content: 3, label: "n" };
fact Numbered(m) { content: 30 };
fact Peopled(pp) { content: ada };
fact NamedPair(np) { first: "x", second: ada, all: ["a", "b"] };
fact Shelf(s) { boxes: [n, m] };
derive big(b: Box<Int>) :- b: Box<Int>, b.content > 5;
derive any(b) :- Box(b);
derive owner(c: Crate<Person>, p: Person) :- c: Crate<Person>, p = c.content;
derive nm(x: String) :- q: Pair<String, Person>, x = q.second.name;
derive bx(b: Box<Person>) :- b: Box<Person>;
derive ins(b) :- s: Shelf, b in s.boxes;
fn open<T>(b: Box<T>) -> T = b.content;
fn twice(b: Box<Int>) -> Int = open(b) * 2;
query ints() -> [Box<Int>];
query contents() -> [Int] { select open(b) from b: Numbered }
mutate make(k: Int) -> Numbered { let b = insert Numbered { content: k }; return b; }
mutate change(b: Box<Int>, k: Int) { update b set { content = k }; }
"""


def rows(world: World, head: str) -> list[list[str]]:
    return [list(map(str, row)) for row in world.rows(head)]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("big", [["m"]]),
        ("any", [["m"], ["n"], ["pp"]]),
        ("owner", [["pp", "ada"]]),
        ("nm", [["Ada"]]),
        ("bx", [["pp"]]),
        ("ins", [["m"], ["n"]]),
    ],
)
def test_a_rule_is_about_the_boxes_of_one_type_or_about_all(head: str, expected: list[list[str]]) -> None:
    assert rows(World(BOXES), head) == expected


def test_functions_and_queries_take_boxes_of_any_type_and_give_what_is_in_them() -> None:
    world = World(BOXES)
    assert world.service.compute("twice", ("n",)).value == 6
    assert [list(map(str, row)) for row in world.ask("contents")] == [["3"], ["30"]]
    assert world.ask("ints") == [["m"], ["n"]]


def test_what_is_in_a_box_is_written_through_its_type() -> None:
    world = World(BOXES)
    world.do("change", "n", 9)
    assert rows(world, "big") == [["m"], ["n"]]
    minted = world.do("make", 40).result
    assert world.service.compute("twice", (minted,)).value == 80


def test_a_proof_names_the_type_as_its_author_does_and_a_suggestion_fits_it() -> None:
    world = World(BOXES)
    facts = [node.fact for node in world.service.explain("bx(pp)").nodes]
    assert {"Box<Person>(pp)", "Crate<Person>(pp)", "Peopled(pp)"} <= set(facts)
    assert "update n set { content = 6 };" in [each.source for each in suggested(world, "big(n)").suggestions]


AROUND = "trait Sized { fn size(self) -> Int; }\ntype A;\ntype B;\nimpl Sized for A { fn size(self) -> Int = 1; }\n"


@pytest.mark.parametrize(
    ("program", "codes"),
    [
        ("type Box<T: Sized> { content: T }\ntype X <: Box<A>;", []),
        ("type Box<T: Sized> { content: T }\ntype X <: Box<B>;", ["OE0202"]),
        ("type Box<T> { content: T }\ntype X <: Box;", ["OE0209"]),
        ("type Box<T> { content: T }\nmutate m() { insert Box { content: 3 }; }", ["OE0234"]),
        ("type Box<T> { content: T }\ntype X <: Box<Int>;\nfact X(x) { content: true };", ["OE0202"]),
        ("type C<T> <: C<T>;", ["OE0221"]),
        ("type Node<T> { value: T, next: Node<T>? }\ntype X <: Node<[Int; 1..3]>;\ntype Y <: Node<Node<Int>>;", []),
        ("type Box<T> { content: T }\nderive big(b) :- Box(b), b.content > 3;", ["OE0202"]),
        ("type Box<T> { content: T }\ntype X <: Box<Map<String, A>>;\npartition Box { X, Y };\ntype Y <: Box<B?>;", []),
    ],
)
def test_types_that_do_not_fit_are_refused(program: str, codes: list[str]) -> None:
    found = check_files({"root.ar": AROUND + program})
    assert [each.code for each in found if each.severity == "error"] == codes
