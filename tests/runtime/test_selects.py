"""The select grammar: groups, and selects that are joined (language §3.8)."""

from __future__ import annotations

import pytest

from tests.runtime.worlds import World

SALES = """
enum Zone { North, South }
type Shop { zone: Zone, name: String }
rel sale(of: Shop, no: Int) { amount: Money, discount: Int? }
fact Shop(a) { zone: Zone::North, name: "a" };
fact Shop(b) { zone: Zone::North, name: "b" };
fact Shop(c) { zone: Zone::South, name: "c" };
fact sale(a, 1) { amount: 5, discount: 3 };
fact sale(a, 2) { amount: 5 };
fact sale(b, 3) { amount: 20 };
fact sale(c, 4) { amount: 1 };
struct PerZone { zone: Zone, total: Money, sales: Int }
query per_zone() -> [PerZone] {
    select { zone: s.zone, total: sum(e.amount), sales: count(e) }
    from e: sale, s = e.of group by s.zone order by sum(e.amount) desc
}
query large(limit: Money) -> [Shop] {
    select s from e: sale, s = e.of group by s having sum(e.amount) > limit
}
query discounts() -> [Int] { select sum(e.discount) from e: sale, s = e.of group by s.name order by s.name }
query north() -> [Shop] { select s from s: Shop where s.zone == Zone::North }
query either() -> [String] {
    select s.name from s: Shop where s.zone == Zone::North
    union select t.name from e: sale, t = e.of where e.amount == 5
    order by name desc
}
query every() -> [String] {
    select s.name from s: Shop where s.zone == Zone::North
    union all select t.name from e: sale, t = e.of where e.amount == 5
}
query both(n: Money) -> [Shop] {
    select s from s: Shop where s.zone == Zone::North intersect select t from e: sale, t = e.of where e.amount > n
}
query none() -> [Shop] {
    select s from s: Shop where s.zone == Zone::North
    except select t from e: sale, t = e.of where e.amount > 10 except select u from u: Shop where u.name == "x"
    limit 5
}

query sold_least(least: Money) -> [String] {
    with totals = (
        select { shop: s, total: sum(e.amount) } from e: sale, s = e.of group by s having sum(e.amount) >= least
    );
    select s.name from totals(s, m), m < 15
    union select t.name from t: Shop, not totals(t, _)
}
query best() -> [String] {
    with ranked = (
        select { s: s, m: sum(e.amount) } from e: sale, s = e.of group by s order by sum(e.amount) desc limit 1
    );
    with others = (select s from s: Shop, not ranked(s, _));
    select s.name from ranked(s, _) union all select s.name from others(s) where s.zone == Zone::South
}
query in_groups() -> [PerZone] {
    select { zone: s.zone, total: sum(e.amount), sales: count(e) } from e: sale, s = e.of group by s.zone
    except select { zone: s.zone, total: sum(e.amount), sales: count(e) } from e: sale, s = e.of
        where s.zone == Zone::South group by s.zone
}
query joined() -> [Int?] {
    select e.no from s: Shop optional from e: sale, e.of == s, e.amount > 4
    union select 9 from s: Shop optional from e: sale, e.of == s, e.amount > 100
}
query all_sales() -> [Money] { select sum(e.amount) from e: sale }
query dearest(n: Money) -> [Money?] { select max(e.amount) from e: sale where e.amount > n }
struct Own { s: Shop, own: Int, all: Int }
query own_counts() -> [Own] {
    select { s: s, own: count { sale(s, _) }, all: count(t) } from s: Shop, t: Shop group by s
}
query pairs() -> [Int] { with few = (select s from s: Shop limit 2); select count(r for r in few) from few(_) }
"""


@pytest.fixture
def world() -> World:
    return World(SALES)


def test_a_group_has_one_row_with_aggregates_over_its_rows(world: World) -> None:
    assert world.ask("per_zone") == [
        [{"zone": "North", "total": "30.00", "sales": 3}],
        [{"zone": "South", "total": "1.00", "sales": 1}],
    ]
    assert world.ask("large", "9") == [["a"], ["b"]]
    assert world.ask("large", "15") == [["b"]]


def test_an_absent_field_counts_for_nothing_in_a_group(world: World) -> None:
    assert world.ask("discounts") == [[3], [0], [0]]


def test_selects_are_joined_from_the_left_and_ordered_by_their_columns(world: World) -> None:
    assert world.ask("either") == [["b"], ["a"]]
    assert world.ask("every") == [["a"], ["a"], ["a"], ["b"]]
    assert world.ask("both", "10") == [["b"]]
    assert world.ask("both", "30") == []
    assert world.ask("none") == [["a"]]


def test_what_a_with_names_is_an_atom_of_its_columns(world: World) -> None:
    assert world.ask("sold_least", "2") == [["a"], ["c"]]
    assert world.ask("sold_least", "30") == [["a"], ["b"], ["c"]]
    assert world.ask("best") == [["b"], ["c"]]
    assert world.ask("pairs") == [[2], [2]]


def test_groups_and_optional_rows_are_joined_like_any_others(world: World) -> None:
    assert world.ask("in_groups") == [[{"zone": "North", "total": "30.00", "sales": 3}]]
    assert world.ask("joined") == [[None], [1], [2], [3], [9]]


def test_without_keys_all_rows_are_one_group_even_when_there_are_none(world: World) -> None:
    assert world.ask("all_sales") == [["31.00"]]
    assert world.ask("dearest", "6") == [["20.00"]]
    assert world.ask("dearest", "600") == [[None]]


def test_an_aggregate_with_atoms_of_its_own_is_asked_for_each_group(world: World) -> None:
    assert world.ask("own_counts") == [
        [{"s": "a", "own": 2, "all": 3}], [{"s": "b", "own": 1, "all": 3}], [{"s": "c", "own": 1, "all": 3}],
    ]  # fmt: skip


CHAIN = """
type Node { next: Node?, label: String?, spot: Spot? }
struct Spot { x: Int, far: Spot? }
rel link(a: Node, b: Node) { weight: Int? }
fact Node(one) { next: two, spot: Spot { x: 1, far: Spot { x: 7 } } };
fact Node(two) { next: three, label: "2" };
fact Node(three);
query after() -> [String?] { select n.next.next.label from n: Node order by n.label }
query labels() -> [String?] { select n.next.label from n: Node }
query far() -> [Int?] { select n.next.spot.far.x from n: Node union all select n.spot.far.x from n: Node }
query ends() -> [Node?] { select l.b from n: Node optional from l: link, l.a == n }
"""


def test_a_projection_reads_through_what_may_be_absent_and_keeps_the_row() -> None:
    world = World(CHAIN)
    assert world.ask("after") == [[None], [None], [None]]
    assert world.ask("labels") == [[None], [None], ["2"]]
    assert world.ask("far") == [[None], [None], [None], [None], [None], [7]]
    assert world.ask("ends") == [[None], [None], [None]]


TIMES = """
type Person { name: String }
rel visit(who: Person, day: Date);
fact Person(ann) { name: "Ann" };
fact visit(ann, #2026-01-01#) at #2026-01-01# until #2026-02-01#;
query now_() -> [Date] { select d from visit(_, d) }
query then(day: Date) -> [Date] as_of day { select d from visit(_, d) }
query before(n: Int) -> [Date] as_of n { select d from visit(_, d) }
query both(n: Int, day: Date) -> [Date] as_of n as_of day { select d from visit(_, d) }
query people(n: Int) -> Person as_of n;
mutate visited(p: Person, d: Date) { insert visit(p, d) at d; }
mutate add(name: String) { insert Person { name: name }; }
"""


def test_a_query_reads_at_the_point_that_it_names() -> None:
    world = World(TIMES)
    world.do("visited", "ann", "2026-03-01")
    world.do("add", "Ben")
    assert world.ask("now_") == [["2026-03-01"]]
    assert world.ask("then", "2026-01-15") == [["2026-01-01"]]
    assert world.ask("before", 0) == []
    assert world.ask("before", 1) == [["2026-03-01"]]
    assert world.ask("both", 0, "2026-01-15") == [["2026-01-01"]]
    assert len(world.ask("people", 1)) == 1
    assert len(world.ask("people", 2)) == 2


JOINED = """
type Person { name: String, age: Int? }
rel owns(who: Person, what: Person);
fact Person(ann) { name: "Ann", age: 3 };
fact Person(ben) { name: "Ben" };
fact Person(cy) { name: "Cy" };
fact owns(ann, ben); fact owns(ann, cy); fact owns(ben, ann);
struct Pair { name: String, what: Person?, age: Int? }
query pairs() -> [Pair] {
    select { name: p.name, what: q, age: a } from Person(p) optional from owns(p, q), a = q.age
    where p.name != "Cy" order by p.name
}
query chain(n: String) -> [Pair] {
    select { name: p.name, what: q, age: a } from Person(p)
    optional from owns(p, q), q.name != n optional from a = q.age
    where p.name == "Ben"
}
"""


def test_an_optional_part_joins_each_row_with_its_own_or_leaves_it_alone() -> None:
    world = World(JOINED)
    assert world.ask("pairs") == [
        [{"name": "Ann", "what": None, "age": None}],
        [{"name": "Ben", "what": "ann", "age": 3}],
    ]
    assert world.ask("chain", "Bob") == [[{"name": "Ben", "what": "ann", "age": 3}]]
    assert world.ask("chain", "Ann") == [[{"name": "Ben", "what": None, "age": None}]]
