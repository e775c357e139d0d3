"""Queries, predicates and many fields as values in rules (language §3.8, §3.10): read from a lower stratum."""

from __future__ import annotations

import pytest

from argon_lang.queries.snippet import check_files
from tests.runtime.worlds import World

PEOPLE = """
type Person { name: String, age: Int, email: String?, boss: Person?, tags: [String] }
rel owns(p: Person, what: String);
fact Person(ada) { name: "Ada", age: 3, boss: bob, tags: ["a"] };
fact Person(bob) { name: "Bob", age: 2, email: "b" };
fact owns(ada, "cat");
fact owns(ada, "dog");
query names() -> [String] { select p.name from p: Person }
query emails() -> [String?] { select p.email from p: Person }
query old(n: Int) -> [Person] { select p from p: Person where p.age > n }
query oldest() -> Person { select p from p: Person order by p.age desc limit 1 }
query single(n: Int) -> Person { select p from p: Person where p.age > n }
query maybe(n: Int) -> Person? { select p from p: Person where p.age > n }
query kinds() -> Set<String> { select w from owns(_, w) }
query everyone() -> [Person];
query counts() -> [Top] { select { p, n: count(w) } from p: Person, owns(p, w) group by p having count(w) > 1 }
query total() -> Int { select sum(p.age) from p: Person }
query both() -> [String] { select p.name from p: Person union select w from owns(_, w) order by name desc }
query opt() -> [Top] { select { p, w } from p: Person optional from owns(p, w) }
query tab() -> [Int] { with t = (select p.age from p: Person); select n from t(n) }
query is_old(p: Person) -> Bool { select q.age > 2 from q: Person, q == p }
query tagged(t: String) -> [Person] { select p from p: Person, t in p.tags }
derive senior(p: Person) :- p in old(2);
derive senior2(p: Person) :- p: Person, p in old(2);
derive junior(p: Person) :- p: Person, not p in old(2);
derive k(n: Int) :- n = count { p from p: Person, p in old(1) };
derive top(p: Person) :- p = oldest();
derive sing(p: Person) :- p = single(2);
derive nosing(p: Person) :- p = single(1);
derive may(p: Person) :- q = maybe(2), p: Person, q.is_some;
derive maynone(p: Person) :- q = maybe(20), p: Person, q.is_none;
derive kind(k: String) :- k in kinds();
derive all(p: Person) :- p in everyone();
derive nm(s: String) :- s in names();
derive tot(n: Int) :- n = total();
derive bothd(s: String) :- s in both();
derive nb(n: Int) :- n = both().len;
derive ne(n: Int) :- n = emails().len;
derive no(n: Int) :- n = opt().len;
derive nc(n: Int) :- n = counts().len;
derive tb(n: Int) :- n in tab();
derive io(p: Person) :- p: Person, is_old(p);
derive tg(p: Person) :- p in tagged("a");
derive firstb(s: String?) :- s = both().first;
fn elders(n: Int) -> [Person] = old(n);
derive elder(p: Person) :- p in elders(2);
"""

VALUES = """
type Person { name: String, age: Int, tags: [String], boss: Person? }
rel knows(a: Person, b: Person);
query busy(p: Person) -> [Person] { select q from knows(p, q) }
fn boss_age(p: Person) -> Int = if p.age > 3 { boss_age(p) } else { p.age };
fn is_busy(p: Person) -> Bool = !busy(p).is_empty;
derive loud(p: Person) :- knows(p, _);
fact Person(ada) { name: "ada", age: 2, tags: ["a", "b", "a"] };
fact Person(bob) { name: "bob", age: 2, boss: ada };
fact knows(ada, bob);
derive deaf(p: Person) :- Person(p), !loud(p);
derive odd(p: Person) :- Person(p), if loud(p) { true } else { false };
derive tagged(p: Person) :- Person(p), p.tags.length > 1;
derive asked(p: Person) :- Person(p), is_busy(p);
derive counted(p: Person) :- Person(p), busy(p).length > 0;
derive both(p: Person) :- Person(p), loud(p) && p.age > 1;
derive ntags(p: Person, n: Int) :- Person(p), n = p.tags.len;
trait Sized { fn size(self) -> Int; fn over(self, limit: Int) -> Bool; query near(self) -> [Person]; }
type Box { mut size: Int, inside: Bag? }
type Bag { mut size: Int }
disjoint { Box, Bag };
impl Sized for Box {
    fn size(self) -> Int = self.size + extra(self);
    fn over(self, limit: Int) -> Bool = self.size > limit;
    query near(self) -> [Person] { select p from p: Person where p.age < self.size }
}
impl Sized for Bag {
    fn size(self) -> Int = 1;
    fn over(self, limit: Int) -> Bool = false;
    query near(self) -> [Person] { select p from p: Person where p.age > 100 }
}
query extras(b: Box) -> [Int] { select x.size from x: Box, x == b }
fn extra(b: Box) -> Int = extras(b).length;
fact Box(bx) { size: 5 };
fact Bag(bg) { size: 7 };
derive any_big(x) :- implements(meta(x), Sized), over(x, 3);
derive measured(x, n) :- implements(meta(x), Sized), n = size(x);
derive nearby(x, p: Person) :- implements(meta(x), Sized), p in near(x);
derive bnear(x: Box, p: Person) :- x: Box, p in near(x);
"""


LISTS = """
type P { n: Int, xs: [Int] }
type Q <: P;
fact P(a) { n: 1, xs: [1, 2] };
fact Q(b) { n: 2, xs: [5] };
derive d12(p: P, l: [Int]) :- p: P, l = [x + p.n for x in p.xs];
derive d17(p: P) :- p: P, p.xs.any(|x| x > p.n);
derive d19(p: P, k: Int) :- p: P, k = p.xs.map(|x| x * p.n).fold(0, |s, x| s + x + p.n);
derive a5(t: TypeRef, x) :- t: TypeRef, x in extent(t);
derive a7(n: Int) :- n = extent(P).len;
derive a8(p: P) :- p: P, extent(P).len > 1;
derive a9(t: TypeRef, n: Int) :- t: TypeRef, n = extent(t).len, n > 0;
fn a10() -> Int = extent(Q).len;
fn a11(t: TypeRef) -> Int = extent(t).len;
"""


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("d12", [["a", "[2, 3]"], ["b", "[7]"]]),
        ("d17", [["a"], ["b"]]),
        ("a7", [["2"]]),
        ("a8", [["a"], ["b"]]),
        ("a9", [["P", "2"], ["Q", "1"]]),
    ],
)
def test_closures_of_a_rule_read_what_is_not_of_their_element_and_extents_are_lists(
    head: str, rows: list[list[str]]
) -> None:
    assert [list(map(str, row)) for row in World(LISTS).rows(head)] == rows


def test_an_extent_is_a_list_in_functions_too() -> None:
    world = World(LISTS)
    assert world.service.compute("a10", ()).value == 1
    assert world.service.compute("a11", ("P",)).value == 2


@pytest.fixture(scope="module")
def people() -> World:
    return World(PEOPLE)


@pytest.fixture(scope="module")
def values() -> World:
    return World(VALUES)


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("senior", [["ada"]]),
        ("senior2", [["ada"]]),
        ("junior", [["bob"]]),
        ("k", [["2"]]),
        ("top", [["ada"]]),
        ("sing", [["ada"]]),
        ("nosing", []),
        ("may", [["ada"], ["bob"]]),
        ("maynone", [["ada"], ["bob"]]),
        ("kind", [["cat"], ["dog"]]),
        ("all", [["ada"], ["bob"]]),
        ("nm", [["Ada"], ["Bob"]]),
        ("tot", [["5"]]),
        ("bothd", [["Ada"], ["Bob"], ["cat"], ["dog"]]),
        ("nb", [["4"]]),
        ("ne", [["2"]]),
        ("no", [["3"]]),
        ("nc", [["1"]]),
        ("tb", [["2"], ["3"]]),
        ("io", [["ada"]]),
        ("tg", [["ada"]]),
        ("firstb", [["dog"]]),
        ("elder", [["ada"]]),
    ],
)
def test_a_rule_reads_what_a_query_answers(people: World, head: str, rows: list[list[str]]) -> None:
    assert [list(map(str, row)) for row in people.rows(head)] == rows


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("deaf", [["bob"]]),
        ("odd", [["ada"]]),
        ("both", [["ada"]]),
        ("tagged", [["ada"]]),
        ("ntags", [["ada", "2"], ["bob", "0"]]),
        ("asked", [["ada"]]),
        ("counted", [["ada"]]),
        ("any_big", [["bx"]]),
        ("measured", [["bg", "1"], ["bx", "6"]]),
        ("nearby", [["bx", "ada"], ["bx", "bob"]]),
        ("bnear", [["bx", "ada"], ["bx", "bob"]]),
    ],
)
def test_a_rule_reads_a_predicate_a_many_field_and_a_member_as_a_value(
    values: World, head: str, rows: list[list[str]]
) -> None:
    assert [list(map(str, row)) for row in values.rows(head)] == rows


def test_what_a_query_answers_in_a_rule_follows_the_writes() -> None:
    world = World(PEOPLE + 'mutate add(n: Int) { insert Person { name: "new", age: n, tags: ["a"] }; }\n')
    world.do("add", 7)
    assert len(world.rows("senior")) == 2
    assert world.rows("top") != [["ada"]]
    assert len(world.rows("tg")) == 2
    assert [list(map(str, row)) for row in world.rows("tot")] == [["12"]]


def test_a_proof_shows_the_rows_that_the_query_read(people: World) -> None:
    proof = people.service.explain("senior(ada)")
    assert {"Person(ada)", "ada.age == 3"} <= {node.fact for node in proof.nodes}


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("query q() -> [P] { select p from p: P, r(p) }\nderive r(p: P) :- p in q();", "OE0503"),
        ("query q() -> [P] as_of 3 { select p from p: P }\nderive r(p: P) :- p in q();", "OE1317"),
        ("query q() -> Truth4Of<P>;\nderive r(n: Int) :- n = q().len;", "OE1317"),
        ("derive r(p: P) :- p: P, !r(p);", "OE0503"),
        ("derive s(p: P) :- p: P;\nderive r(p: P) :- p: P, !s(q);", "OE1303"),
    ],
)
def test_what_a_rule_cannot_ask_is_refused(program: str, code: str) -> None:
    found = check_files({"root.ar": f"type P;\n{program}\n"})
    assert [each.code for each in found if each.severity == "error"] == [code]
