"""Closures, collections and postfix forms (language §3.10) in functions, rules, queries, mutations and tests."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.engine.governor import Governor
from argon_lang.errors import ArgonError
from argon_lang.ir.codec import dumps, loads
from argon_lang.ir.module import Module
from argon_lang.queries.snippet import module_of
from argon_lang.runtime.testing import run_tests
from tests.ir.lower.programs import rows
from tests.runtime.worlds import World, served

PEOPLE = """
type Person { name: String, boss: Person?, scores: [Int], mut ages: Map<String, Int>?, mut away: Range<Date>? }
fact Person(ann) { name: "Ann", scores: [3, 10] };
fact Person(bob) { name: "Bob", boss: ann, scores: [4] };
enum Wrong { Odd, Small(Int) }

fn twice(f: fn(Int) -> Int, x: Int) -> Int = f(f(x));
fn double(x: Int) -> Int = x * 2;
fn adder(n: Int) -> fn(Int) -> Int = |x| x + n;
fn total(xs: [Decimal]) -> Decimal = xs.fold(0, |sum, x| sum + x);
fn boss_name(p: Person) -> String? = p.boss?.name;
fn half(n: Int) -> Result<Int, Wrong> = if n % 2 == 0 { Result::Ok((n / 2).to_int()) } else { Result::Err(Wrong::Odd) };
fn quarter(n: Int) -> Result<Int, Wrong> = half(half(n)?);
fn told(n: Int) -> String = match quarter(n) { Result::Ok(x) => format!("{}", x), Result::Err(e) => "odd" };
fn bosses(people: [Person]) -> [String?] = people.map(|p| p.boss?.name);
fn squares(xs: [Int]) -> [Int] = xs.map(|x| x * x);
fn fallen(xs: [Int]) -> Int = xs.sort_by(|x| -x).fold(0, |a, x| a * 10 + x);
fn chosen(xs: [Int], least: Int) -> [Int] = xs.filter(|x| x >= least);
fn letters(s: String) -> String = s[1..3];
fn deep(n: Int) -> Int = if n == 0 { 0 } else { [n].map(|x| deep(x - 1))[0] + 1 };
fn spread(xs: [[Int]]) -> [Int] = xs.flat_map(|ys| ys.map(|y| y + xs.len));

derive doubled(p: Person, y: Int) :- p: Person, x in p.scores, y = twice(|z| z * 2, x);
derive high(p: Person, x: Int) :- p: Person, x in p.scores, x in 3.to(10);
derive small(x: Int) :- x in 0.to(3);
derive some_big(p: Person) :- p: Person, n = count(x for x in p.scores), [n, 5].any(|y| y > 5 - n);
derive of_boss(p: Person, n: String) :- p: Person, n = p.boss?.name;
derive second(p: Person, n: Int) :- p: Person, k = count(x for x in p.scores), n = [1, 2].get(k - 1)?;
derive third(p: Person, n: Int) :- p: Person, k = count(x for x in p.scores), n = [1].get(k - 1)? + 1;
derive in_block(p: Person, y: Int) :- p: Person, x in p.scores, y = { let k = [0, 1, 2, 5].get(x)?; k + 1 };
derive denied(p: Person, x: Int) :- p: Person, x in p.scores, not [0, 1, 2, 5].get(x)? > 2;
query looked_up(ages: Map<String, Int>, name: String) -> Int {
    select ages.get(name).unwrap_or(-1) from Person(p), p.name == "Ann"
}
query in_span(span: Range<Date>) -> [Date] { select d from d in span }
fn along(n: Int) -> Int = if n == 0 { 0 } else { [along(x - 1) for x in [n]][0] + 1 };
query down(n: Int) -> Int { select deep(n) + along(n) from Person(p), p.name == "Ann" }
query squared(xs: [Int], least: Int) -> [[Int]] { select squares(chosen(xs, least)) from Person(p), p.name == "Ann" }
query ordered(xs: [Int], n: Int) -> [Int] { select fallen(xs[0..n]) from Person(p), p.name == "Ann" }
mutate learn(p: Person, ages: Map<String, Int>) -> Int {
    update p set { ages = ages.map_values(|n| n + 1).put("new", 0) };
    for name in ages.keys { emit name { name }; }
    return ages.values.fold(0, |a, n| a + n);
}
struct Kept { n: Int, start: Date }
query stored(p: Person) -> [Kept] { select { n: m["b"] - 3, start: r.start } from p: Person, m = p.ages, r = p.away }
mutate leave(p: Person, away: Range<Date>) { update p set { away = away }; }
test "values" {
    assert twice(|x| x + 1, 5) == 7;
    assert twice(double, 3) == 12; assert [1, 2].map(double) == [2, 4];
    assert adder(3)(4) == 7;
    assert total([1.5, 2.25]) == 3.75;
    assert boss_name(bob) == "Ann"; assert boss_name(ann).is_none;
    assert told(8) == "2"; assert told(6) == "odd"; assert quarter(7) == Result::Err(Wrong::Odd);
    assert fallen([1, 3, 2]) == 321;
    assert letters("naïve") == "aï";
    assert ["a", "bcd"].to_map(|s| s, |s| s.len)["bcd"] == 3;
    assert [1, 2, 3].group_by(|n| n % 2).get(1).unwrap_or([]) == [1, 3];
    assert #2026-01-30#.to(#2026-02-02#).to_list() == [#2026-01-30#, #2026-01-31#, #2026-02-01#];
    assert spread([[1], [2, 3]]) == [3, 4, 5];
    let f = |x: Int| x + 1;
    assert f(2) == 3;
    let all: Set<Int> = [f(1), f(2), 2];
    assert all.len == 2;
    assert rejects(ARGON_RUNTIME_ARITHMETIC) { let x = [1][3]; }
}
"""
PEOPLE = PEOPLE.replace("    assert adder(3)(4) == 7;\n", "    let add = adder(3); assert add(4) == 7;\n")
PEOPLE = PEOPLE.replace("    assert rejects(ARGON_RUNTIME_ARITHMETIC) { let x = [1][3]; }\n", "")


def test_a_program_with_closures_comes_back_from_its_bytes() -> None:
    module = module_of({"root.ar": PEOPLE})
    assert module is not None
    assert loads(dumps(module), Module) == module


def test_closures_collections_and_early_ends_have_their_values() -> None:
    report = run_tests(served(PEOPLE), None, World(PEOPLE).clock, Governor)
    assert [(each.outcome, each.failures) for each in report.tests] == [("passed", [])]


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("doubled/2", {("ann", 12), ("ann", 40), ("bob", 16)}),
        ("high/2", {("ann", 3), ("bob", 4)}),
        ("small/1", {(0,), (1,), (2,)}),
        ("some_big/1", {("ann",), ("bob",)}),
        ("of_boss/2", {("bob", "Ann")}),
        ("second/2", {("ann", 2), ("bob", 1)}),
        ("third/2", {("bob", 2)}),
        ("in_block/2", {("ann", 6)}),
        ("denied/2", {("ann", 10), ("bob", 4)}),
    ],
)
def test_a_rule_calls_closures_and_an_absent_value_fails_its_atom(key: str, wanted: set[tuple[object, ...]]) -> None:
    assert rows(PEOPLE, key) == wanted


def test_maps_and_ranges_come_in_and_go_out_by_their_declared_types() -> None:
    world = World(PEOPLE)
    assert world.ask("looked_up", {"a": 1}, "a") == [[1]]
    assert world.ask("looked_up", {"map": [["a", 1]]}, "b") == [[-1]]
    assert world.ask("in_span", ["2026-01-30", "2026-02-01"]) == [["2026-01-30"], ["2026-01-31"]]
    receipt = world.do("learn", "pkg::ann", [["x", 2], ["b", 5]])
    assert receipt.result == 7
    assert receipt.emitted == [{"name": "name", "value": "b"}, {"name": "name", "value": "x"}]
    world.do("leave", "pkg::ann", ["2026-03-01", "2026-03-05"])
    assert world.ask("stored", "pkg::ann") == [[{"n": 3, "start": "2026-03-01"}]]


def test_a_map_of_another_type_is_refused_at_its_key() -> None:
    with pytest.raises(ArgonError) as caught:
        World(PEOPLE).do("learn", "pkg::ann", [[1, 2]])
    assert dict(caught.value.args_)["name"] == "ages[0][0]"


def test_recursion_through_a_closure_is_bounded_like_any_other() -> None:
    world = World(PEOPLE)
    assert world.ask("down", 200) == [[400]]
    with pytest.raises(ArgonError) as caught:
        world.ask("down", 100_000)
    assert caught.value.code == "ARGON_RUNTIME_BUDGET_EXCEEDED"
    assert caught.value.details["limit"] == world.limits.fn_depth


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(st.integers(-9, 9), max_size=6), st.integers(-2, 9))
def test_functions_over_lists_do_what_they_do_elsewhere(xs: list[int], n: int) -> None:
    world = World(PEOPLE)
    fallen = 0
    for x in sorted(xs[: max(n, 0)], reverse=True):
        fallen = fallen * 10 + x
    assert world.ask("ordered", xs, n) == [[fallen]]
    assert world.ask("squared", xs, n) == [[[x * x for x in xs if x >= n]]]
