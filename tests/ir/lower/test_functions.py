"""Functions: as they are where the state is at hand, in place of their calls in rules when they read it."""

from __future__ import annotations

from argon_lang.ir.expr import Binary, Builtin, CallFn, GetField, LetIn, Local
from argon_lang.ir.lower.walk import parts
from argon_lang.ir.module import Function, Module
from argon_lang.program.types import INT
from tests.ir.lower.programs import lowered, rows, rule

WORLD = """
type Person { age: Int, boss: Person? }
fact Person(ann) { age: 50 };
fact Person(bob) { age: 20, boss: ann };
fn double(n: Int) -> Int { let m = n + n; m }
fn age_of(p: Person) -> Int = p.age;
fn older(p: Person, q: Person) -> Bool { let gap = age_of(p) - age_of(q); gap > 0 }
fn band(p: Person) -> Int = if p.age > 30 { 1 } else { 0 };
"""


def function(module: Module, name: str) -> Function:
    return {each.path: each for each in module.functions}[name]


def called(module: Module, key: str) -> set[str]:
    return {part.path for part in parts(rule(module, key).body) if isinstance(part, CallFn)}


def test_a_block_is_nested_lets() -> None:
    body = function(lowered(WORLD), "pkg::double").body
    assert body == LetIn("m", Binary("+", Local("n"), Local("n"), INT), Local("m"))


def test_a_function_reads_the_state_itself_or_through_those_it_calls() -> None:
    module = lowered(WORLD)
    reading = {each.path.removeprefix("pkg::"): each.reads_state for each in module.functions if "pkg" in each.path}
    assert reading == {"age_of": True, "band": True, "double": False, "older": True}
    assert function(module, "pkg::age_of").body == GetField(Local("p"), "pkg::Person.age", False, False)


def test_a_function_of_values_is_called_in_a_rule() -> None:
    text = WORLD + "derive d(n) :- Person(p), n = double(p.age);"
    assert called(lowered(text), "d/1") == {"pkg::double"}
    assert rows(text, "d/1") == {(100,), (40,)}


def test_a_function_that_reads_the_state_is_put_in_place_of_its_call() -> None:
    text = WORLD + "derive o(p, q) :- Person(p), Person(q), older(p, q);"
    assert called(lowered(text), "o/2") == set()
    assert rows(text, "o/2") == {("ann", "bob")}


def test_what_is_put_in_place_is_read_from_the_argument() -> None:
    text = WORLD + "derive b(p, n) :- Person(p), n = band(p.boss);"
    assert rows(text, "b/2") == {("bob", 1)}


def test_a_local_of_a_function_captures_nothing_of_the_rule() -> None:
    text = WORLD + "derive c(gap) :- Person(p), Person(q), gap = p.age, older(p, q);"
    assert rows(text, "c/1") == {(50,)}


def test_an_intrinsic_of_std_is_that_intrinsic() -> None:
    module = lowered("use std::time::today; type T { d: Date } derive p(x) :- T(x), x.d < today();")
    assert isinstance(function(module, "std::time::today").body, Builtin)
    assert any(isinstance(part, Builtin) for part in parts(rule(module, "p/1").body))
