"""`match`, `is`, comprehensions, and statements that branch and repeat (language §3.10, §3.11)."""

from __future__ import annotations

from itertools import product

import pytest

from argon_lang.engine.governor import Governor
from argon_lang.program.patterns import ANYTHING, Case, Either, Pattern, uncovered
from argon_lang.program.types import Named
from argon_lang.queries.snippet import database_of
from argon_lang.runtime.testing import run_tests
from tests.ir.lower.programs import rows
from tests.runtime.worlds import World, served

THINGS = """
enum Size { Small, Big(Int), Box { w: Int, h: Int } }
struct Pair { a: Int, b: Size }
type Thing { mut size: Size, name: String }
fact Thing(dot) { size: Size::Small, name: "dot" };
fact Thing(ball) { size: Size::Big(7), name: "ball" };
fact Thing(crate) { size: Size::Box { w: 2, h: 3 }, name: "crate" };
fn area(z: Size) -> Int = match z {
    Size::Small => 1, Size::Big(n) if n > 100 => 100, Size::Big(n) => n, Size::Box { w, h: k } => w * k
};
fn kind(n: Int) -> String = match n { 0 => "zero", 1 | 2 => "few", -1 => "minus", _ => "many" };
fn both(p: Pair) -> Int = match p {
    Pair { a: 0, .. } => 0, Pair { a, b: Size::Big(n) } => a + n, Pair { a, .. } => a
};
fn either(z: Size) -> Int = match z { Size::Big(n) | Size::Box { w: n, .. } => n, _ => 0 };
fn twice(xs: [Int]) -> [Int] = [x * 2 for x in xs where x > 1];
derive sized(t: Thing, n: Int) :- Thing(t), n = area(t.size);
derive inline(t: Thing, n: Int) :- Thing(t), n = match t.size { Size::Big(k) => k, Size::Box { w, .. } => w, _ => 0 };
derive big(t: Thing, n: Int) :- Thing(t), t.size is Size::Big(n);
derive boxed(t: Thing, w: Int) :- Thing(t), t.size is Size::Box { w, h: 3 };
derive not_big(t: Thing) :- Thing(t), not t.size is Size::Big(_);
derive is_small(t: Thing, b: Bool) :- Thing(t), b = t.size is Size::Small;
derive more(xs: [Int]) :- Thing(t), t.name == "dot", xs = [k + 1 for k in [3, 1]];
mutate grow(t: Thing, n: Int) -> Int {
    if n > 100 { return 0; } else if n > 10 { emit warned { n }; }
    match t.size {
        Size::Big(m) => { update t set { size = Size::Big(m + n) }; },
        Size::Small => { update t set { size = Size::Big(n) }; },
        _ => { require false; }
    }
    for k in [1, 2] { emit step { k }; }
    return area(t.size);
}
test "values" {
    assert both(Pair { a: 2, b: Size::Big(3) }) == 5;
    assert both(Pair { a: 0, b: Size::Small }) == 0;
    assert both(Pair { a: 4, b: Size::Small }) == 4;
    assert kind(0) == "zero"; assert kind(2) == "few"; assert kind(-1) == "minus"; assert kind(9) == "many";
    assert either(Size::Box { w: 4, h: 1 }) == 4; assert either(Size::Big(3)) == 3; assert either(Size::Small) == 0;
    assert area(Size::Big(200)) == 100;
    assert twice([1, 2, 3]) == [4, 6];
    assert Size::Big(1) is Size::Big(_); assert !(Size::Small is Size::Big(_));
}
test "statements" {
    for k in [5, 1, 2] { grow(dot, k); }
    assert dot.size == Size::Big(8);
    assert rejects { grow(crate, 1); }
    if area(dot.size) > 7 { grow(dot, 1); }
    assert area(dot.size) == 9;
}
"""


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("sized/2", {("dot", 1), ("ball", 7), ("crate", 6)}),
        ("inline/2", {("dot", 0), ("ball", 7), ("crate", 2)}),
        ("big/2", {("ball", 7)}),
        ("boxed/2", {("crate", 2)}),
        ("not_big/1", {("dot",), ("crate",)}),
        ("is_small/2", {("dot", True), ("ball", False), ("crate", False)}),
        ("more/1", {((4, 2),)}),
    ],
)
def test_rules_take_values_apart(key: str, wanted: set[tuple[object, ...]]) -> None:
    assert rows(THINGS, key) == wanted


def test_functions_and_statements_take_values_apart() -> None:
    report = run_tests(served(THINGS), None, World(THINGS).clock, Governor)
    assert [(each.name, each.outcome, each.failures) for each in report.tests] == [
        ("statements", "passed", []),
        ("values", "passed", []),
    ]


def test_a_receipt_tells_what_was_emitted_in_order() -> None:
    receipt = World(THINGS).do("grow", "dot", 11)
    assert receipt.emitted == [
        {"name": "warned", "value": 11},
        {"name": "step", "value": 1},
        {"name": "step", "value": 2},
    ]
    assert receipt.result == 11


ENUM = """
enum Bit { Zero, One }
enum Two { Both(Bit, Bit), Neither }
"""


def matches(pattern: Pattern, value: tuple[str, ...]) -> bool:
    """Does a pattern match `("Neither",)` or `("Both", bit, bit)`?"""
    match pattern:
        case Either(alternatives):
            return any(matches(each, value) for each in alternatives)
        case Case(name, parts):
            return name == value[0] and all(matches(part, (bit,)) for part, bit in zip(parts, value[1:], strict=True))
        case _:
            return True


BITS: tuple[Pattern, ...] = (ANYTHING, Case("Zero", ()), Case("One", ()), Either((Case("Zero", ()), Case("One", ()))))
PATTERNS: tuple[Pattern, ...] = (
    Case("Neither", ()),
    *(Case("Both", pair) for pair in product(BITS[:3], repeat=2)),
    Case("Both", (BITS[3], BITS[1])),
)
VALUES = [("Neither",), *(("Both", *bits) for bits in product(("Zero", "One"), repeat=2))]


def test_a_list_of_patterns_leaves_something_over_exactly_when_some_value_matches_none() -> None:
    declarations = database_of({"root.ar": ENUM}).declarations
    for chosen in product((False, True), repeat=len(PATTERNS)):
        patterns = [pattern for pattern, taken in zip(PATTERNS, chosen, strict=True) if taken]
        left = uncovered(patterns, Named("enum", "pkg::Two"), declarations)
        some = any(not any(matches(pattern, value) for pattern in patterns) for value in VALUES)
        assert bool(left) == some, (patterns, left)
