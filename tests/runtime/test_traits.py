"""Traits run: clauses of all impls, members chosen by what an individual is; and generic data crosses the wire."""

from __future__ import annotations

from pathlib import Path

import pytest

from argon_lang.cli.entry import main
from argon_lang.engine.governor import Governor
from argon_lang.errors import ArgonError
from argon_lang.queries.snippet import check_files, module_of
from argon_lang.runtime.testing import run_tests
from tests.runtime.worlds import Clock, World, served, short

CONTRACTS = """
pub trait Billable {
    derive due(Self, Money);
    fn fee(self) -> Money;
    fn over(self, limit: Money) -> Bool;
    check sane(Self);
    query labels(self, last: String) -> [String];
    mutate lift(self, by: Money) -> Self;
    mutate close(self);
}
type Contract { label: String, mut open: Bool = true }
type Lease <: Contract { mut rent: Money }
type Loan <: Contract { mut amount: Money }
type Bond <: Loan;
disjoint { Lease, Loan };
impl Billable for Lease {
    derive due(x, m) :- m = x.rent;
    fn fee(self) -> Money = self.rent * 2;
    fn over(self, limit: Money) -> Bool = fee(self) > limit;
    check sane(x) :- x.rent < 0 => Diagnostic { code: "bad_rent", message: format!("{} has no such rent", x.label) };
    query labels(self, last: String) -> [String] { select self.label from self: Lease, last != self.label }
    mutate lift(self, by: Money) -> Lease { let l = self; update l set { rent += by }; return l; }
    mutate close(self) { let l = self; update l set { open = false }; }
}
impl Billable for Loan {
    derive due(x, m) :- m = x.amount, m > 0;
    derive due(x: Self, m) :- m = x.amount * 2;
    fn fee(self) -> Money { let base: Money = 5; base }
    fn over(self, limit: Money) -> Bool = false;
    check sane(x) :- x.amount < 0 => Diagnostic { message: "below nothing" };
    query labels(self, last: String) -> [String] { select last from self: Loan }
    mutate lift(self, by: Money) -> Self { let l = self; update l set { amount += by }; return l; }
    mutate close(self) { require false; }
}
derive costly(c) :- Contract(c), implements(meta(c), Billable), fee(c) > 8;
derive owed(c, m) :- Billable::due(c, m);
derive plain(c: Contract) :- Contract(c), not implements(meta(c), Billable);
fn any<T: Billable>(x: T) -> Money = fee(x);
fn twice(x: Bond) -> Money = fee(x) * 2;
query fees() -> [Money] { select distinct fee(l) from l: Lease }
fn charge(c: Contract) -> Money = if implements(meta(c), Billable) { fee(c) } else { 0 };
mutate lift_any(c: Contract, by: Money) -> Contract {
    require implements(meta(c), Billable);
    let d = lift(c, by);
    return d;
}
"""
RUN = """
test "what an individual is decides" {
    let a = insert Lease { label: "a", rent: 3 };
    let b = insert Bond { label: "b", amount: 7 };
    let c = insert Contract { label: "c" };
    assert fee(a) == 6;
    assert fee(b) == 5;
    assert any(a) + any(b) == 11.00;
    assert twice(b) == 10.00;
    assert over(a, 5) && !over(b, 0);
    assert labels(a, "z") == ["a"];
    assert labels(b, "z") == ["z"];
    assert derivable owed(a, 3);
    assert derivable owed(b, 7);
    assert derivable owed(b, 14);
    assert not derivable owed(a, 6);
    assert derivable plain(c);
    assert not derivable plain(b);
    assert not derivable costly(a);
    let d = lift(a, 5);
    assert d == a && fee(a) == 16;
    assert derivable costly(a);
    assert not derivable costly(b);
    assert fees() == [16.00];
    assert charge(a) == 16 && charge(c) == 0;
    lift_any(b, 1);
    assert derivable owed(b, 8);
    assert rejects(OE0731) { lift_any(c, 1); }
    assert implements(meta(b), Billable) && !implements(meta(c), Billable);
    assert implements(Bond, Billable) && !implements(Contract, Billable);
}
test "mutations go through the impls" {
    let a = insert Lease { label: "a", rent: 3 };
    let b = insert Loan { label: "b", amount: 7 };
    close(a);
    assert !a.open;
    assert rejects(OE0731) { close(b); }
    assert rejects(bad_rent) { lift(a, -9); }
}
"""


def test_members_are_chosen_by_what_an_individual_is() -> None:
    report = run_tests(served(CONTRACTS + RUN), None, Clock(), Governor)
    assert sorted((each.name, each.outcome, each.failures) for each in report.tests) == [
        ("mutations go through the impls", "passed", []),
        ("what an individual is decides", "passed", []),
    ]


GENERIC = """
pub struct Pair<A, B> { first: A, second: B }
pub enum Maybe<T> { Nothing, Just(T), Named { value: T, why: String } }
pub type Reading { mut span: Pair<Int, Decimal>, mut note: Maybe<Money> }
pub fn swap<A, B>(p: Pair<A, B>) -> Pair<B, A> = Pair { first: p.second, second: p.first };
pub fn price(m: Maybe<Money>) -> Money = match m {
    Maybe::Just(x) => x,
    Maybe::Named { value, .. } => value,
    Maybe::Nothing => 0,
};
pub fn width(p: Pair<Int, Decimal>) -> Decimal = p.first + p.second;
pub mutate read(span: Pair<Int, Decimal>, note: Maybe<Money>) -> Reading {
    let r = insert Reading { span: span, note: note };
    return r;
}
pub derive noted(r, m) :- Reading(r), r.note is Maybe::Just(m);
pub query spans() -> [Pair<Int, Decimal>] { select r.span from r: Reading }
"""


@pytest.fixture
def world() -> World:
    return World(GENERIC)


def test_what_stands_for_a_type_parameter_decides_how_a_value_is_read(world: World) -> None:
    pair = {"first": 1, "second": "2.50"}
    assert short(world.service.compute("width", (pair,)).value) == "3.5"
    assert short(world.service.compute("price", ({"enum": "Maybe::Just", "payload": ["12.50"]},)).value) == "12.50"
    named = {"enum": "Maybe::Named", "payload": {"value": "3.00", "why": "x"}}
    assert short(world.service.compute("price", (named,)).value) == "3.00"
    with pytest.raises(ArgonError) as wrong:
        world.service.compute("width", ({"first": "x", "second": "2.50"},))
    assert wrong.value.code == "ARGON_RUNTIME_VALIDATION_FAILED"


def test_generic_data_is_stored_matched_and_answered(world: World) -> None:
    world.do("read", {"first": 4, "second": "0.5"}, {"enum": "Maybe::Just", "payload": ["7.00"]})
    world.do("read", {"first": 5, "second": "1"}, "Nothing")
    assert [row[1] for row in world.rows("noted")] == ["7.00"]
    assert sorted(world.ask("spans"), key=str) == [[{"first": 4, "second": "0.5"}], [{"first": 5, "second": "1"}]]


def test_the_trait_of_a_mutation_refuses_who_does_not_implement_it() -> None:
    world = World(CONTRACTS + 'mutate add() -> Contract { let c = insert Contract { label: "c" }; return c; }\n')
    minted = world.do("add").result
    with pytest.raises(ArgonError) as refused:
        world.do("Billable::lift", minted, "1")
    assert refused.value.details["code"] == "OE0731"
    with pytest.raises(ArgonError) as valueless:
        world.service.compute("Billable::fee", (minted,))
    assert valueless.value.code == "ARGON_RUNTIME_DERIVE_FAILED"


TWO = """
trait Sized { fn size(self) -> Int; fn over(self, limit: Int) -> Bool; }
type Box { mut size: Int, inside: Bag? }
type Bag { mut size: Int }
disjoint { Box, Bag };
impl Sized for Box {
    fn size(self) -> Int = self.size + extra(self);
    fn over(self, limit: Int) -> Bool = self.size > limit;
}
impl Sized for Bag { fn size(self) -> Int = 1; fn over(self, limit: Int) -> Bool = false; }
query extras(b: Box) -> [Int] { select x.size from x: Box, x == b }
fn extra(b: Box) -> Int = extras(b).length;
"""
RULES = {
    "derive big(b: Box) :- Box(b), over(b, 3);": [],
    "derive any_big(x) :- implements(meta(x), Sized), over(x, 3);": [],
    "derive measured(x, n) :- implements(meta(x), Sized), n = size(x);": [],
    "derive size_of(b: Bag, size) :- Bag(b), size = b.size;": [],
    "fn total(b: Box) -> Int = size(b);": [],
    "derive through(b: Bag) :- Bag(b), size(b) > 0;": [],
}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_that_no_impl_can_be_chosen_for_is_refused_and_no_other(rule: str) -> None:
    found = check_files({"root.ar": TWO + rule})
    assert [each.code for each in found if each.severity == "error"] == RULES[rule]


def test_values_that_no_rule_reads_are_not_kept() -> None:
    quiet = module_of({"root.ar": CONTRACTS.replace("fee(c) > 8", 'c.label == ""')})
    asked = module_of({"root.ar": CONTRACTS})
    assert quiet is not None
    assert asked is not None
    assert [each.key for each in quiet.rules if each.key.endswith("fee/2")] == []
    assert [each.key for each in asked.rules if each.key.endswith("fee/2")] == ["pkg::Billable::fee/2"] * 2


PACKAGES = {
    "ox.toml": """
[package]
name = "rates"
prelude = ["std::core::type"]

[dependencies]
billing = { path = "billing" }
""",
    "billing/ox.toml": '[package]\nname = "billing"\nprelude = ["std::core::type"]\n',
    "billing/root.ar": """
pub trait Billable { fn fee(self) -> Money; derive due(Self, Money); }
pub type Thing;
pub fn total<T: Billable>(x: T) -> Money = fee(x);
pub derive dear(x) :- Billable::due(x, m), m > 5;
pub struct Bill<T: Billable> { of: T }
impl Billable for Thing { fn fee(self) -> Money = 1; derive due(x, 1) :- Thing(x); }
""",
    "root.ar": """
use billing::Billable;
type Lease { rent: Money }
disjoint { Lease, billing::Thing };
impl Billable for Lease { fn fee(self) -> Money = self.rent; derive due(x, m) :- m = x.rent; }
fn twice(l: Lease) -> Money = billing::total(l) + fee(l);
derive both(x) :- billing::dear(x), Lease(x), fee(x) > 3;
fn bill(l: Lease) -> billing::Bill<Lease> = billing::Bill { of: l };
fact Lease(a) { rent: 9 };
test "x" { assert derivable both(a); assert twice(a) == 18; assert bill(a).of == a; }
""",
}


def test_a_dependency_s_trait_is_given_by_the_package_that_uses_it(tmp_path: Path) -> None:
    for name, text in PACKAGES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert main(["check", "--project", str(tmp_path)]) == 0
    assert main(["build", "--project", str(tmp_path)]) == 0
    assert main(["test", "--project", str(tmp_path)]) == 0
