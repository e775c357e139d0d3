"""Names that conditions introduce, `return` in functions, assertions inside statements (language §3.10 to §3.12)."""

from __future__ import annotations

import pytest

from argon_lang.engine.governor import Governor
from argon_lang.runtime.testing import run_tests
from tests.ir.lower.programs import rows
from tests.runtime.worlds import World, refusal, served

THINGS = """
enum Size { Small, Big(Int), Box { w: Int, h: Int } }
type Thing { mut size: Size, mut n: Int? }
fact Thing(ball) { size: Size::Big(7) };
fact Thing(dot) { size: Size::Small };
fn area(z: Size) -> Int = if z is Size::Box { w, h } && w > 0 { w * h } else { 0 };
fn both(a: Size, b: Size) -> Int = if a is Size::Big(n) && b is Size::Big(m) && n < m { m - n } else { -1 };
fn large(z: Size) -> Bool = z is Size::Big(n) && n > 3;
fn clamp(n: Int) -> Int {
    if n < 0 { return 0; } else if n > 9 { return 9; }
    let m = n + 1;
    m - 1
}
fn index_of(xs: [Int], x: Int) -> Int {
    for i in 0.to(xs.len) { if xs[i] == x { return i; } }
    return -1;
}
fn told(z: Size) -> String {
    match z { Size::Big(n) if n > 5 => { return "big"; }, Size::Small => { return "small"; }, _ => {} }
    "other"
}
fn firsts(xs: [[Int]]) -> [Int] = xs.map(|ys| { for y in ys { if y > 2 { return y; } } 0 });
derive clamped(t: Thing, n: Int) :- t: Thing, n = clamp(area(t.size) - 5) + index_of([1, 2], 2);
mutate grow(t: Thing) -> Int {
    if t.size is Size::Big(n) { update t set { n = n }; return n; }
    require t.size is Size::Box { w, .. };
    return w;
}
test "values" {
    assert area(Size::Box { w: 2, h: 3 }) == 6; assert area(Size::Big(2)) == 0;
    assert both(Size::Big(2), Size::Big(5)) == 3; assert both(Size::Big(6), Size::Big(5)) == -1;
    assert both(Size::Small, Size::Big(5)) == -1;
    assert large(Size::Big(4)); assert !large(Size::Big(3)); assert !large(Size::Small);
    assert clamp(-3) == 0; assert clamp(30) == 9; assert clamp(4) == 4;
    assert index_of([5, 6, 7], 7) == 2; assert index_of([], 7) == -1;
    assert told(Size::Big(9)) == "big"; assert told(Size::Big(1)) == "other"; assert told(Size::Small) == "small";
    assert firsts([[1], [5, 6], [1, 4]]) == [0, 5, 4];
}
test "on the way" {
    if ball.size is Size::Big(k) {
        assert k == 7;
        update ball set { n = k + 1 };
        assert ball.n == 8;
        for x in [1, 2] { assert x == 1; }
        match k { 7 => { assert not derivable Thing(ball); }, _ => { assert false; } }
    }
    assert ball.n == 8;
}
test "kept though refused" {
    if true { assert 1 == 2; require false; }
}
"""


def test_functions_return_early_and_conditions_name_the_parts_of_what_they_match() -> None:
    outcome = run_tests(served(THINGS), "values", World(THINGS).clock, Governor).tests[0]
    assert (outcome.outcome, outcome.failures) == ("passed", [])


def test_what_is_asserted_inside_a_statement_is_judged_in_the_state_it_has_made() -> None:
    report = run_tests(served(THINGS), None, World(THINGS).clock, Governor)
    told = {each.name: (each.outcome, [failure.message for failure in each.failures]) for each in report.tests}
    assert told["on the way"] == ("failed", ["assert x == 1: 2 against 1", "assert not derivable Thing(ball)"])
    assert told["kept though refused"][0] == "error"
    assert told["kept though refused"][1][0] == "assert 1 == 2: 1 against 2"


def test_a_rule_calls_a_function_that_returns_early() -> None:
    assert rows(THINGS, "clamped/2") == {("ball", 1), ("dot", 1)}


def test_a_mutation_goes_on_with_what_its_condition_named() -> None:
    world = World(THINGS)
    assert world.do("grow", "pkg::ball").result == 7
    with pytest.raises(Exception) as caught:
        world.do("grow", "pkg::dot")
    assert refusal(caught) == "OE0731"
