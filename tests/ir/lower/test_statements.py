"""Statements of mutations and tests."""

from __future__ import annotations

from argon_lang.ir.expr import Binary, CallQuery, GetField, Holds, Lit, Local
from argon_lang.ir.statements import (
    Assert,
    AssertDerivable,
    AssertRejects,
    CallMutation,
    DeleteMembership,
    DeleteTuple,
    InsertElement,
    InsertEntity,
    InsertMembership,
    InsertTuple,
    Let,
    Require,
    Return,
    Statement,
    Update,
)
from argon_lang.ir.values import Entity
from argon_lang.program.types import BOOL, INT
from tests.ir.lower.programs import lowered

WORLD = """
type Person { name: String, mut age: Int?, mut tags: [String] }
type Worker <: Person { wage: Int }
rel knows(a: Person, b: Person) { mut n: Int = 1 }
fact Person(ann) { name: "Ann" };
derive old(p: Person) :- Person(p), p.age > 60;
query names(p: Person) -> [String] { select q.name from knows(p, q) }
"""
P, AGE = Local("p"), "pkg::Person.age"
ANN = Lit(Entity("pkg::ann"))


def body(statements: str, params: str = "p: Person, q: Person") -> tuple[Statement, ...]:
    (found,) = [m for m in lowered(WORLD + f"mutate go({params}) {{ {statements} }}").mutations if m.path == "pkg::go"]
    return found.body


def test_each_condition_of_a_require_is_one_with_its_text() -> None:
    first, second = body("require { p.age == 3, old(p) }")
    assert first == Require(Binary("==", GetField(P, AGE, True, False), Lit(3), BOOL), "p.age == 3")
    assert second == Require(Holds("pkg::old/1", (P,)), "old(p)")


def test_inserts_mint_grant_and_assert() -> None:
    mint, grant, pair = body(
        'let w = insert Worker { name: "W", wage: 3 }; insert iof(p, Worker) { wage: 4 } at #2026-01-01#;'
        "insert knows(p, w) { n: 2 };"
    )
    assert mint == InsertEntity("pkg::Worker", (("pkg::Person.name", Lit("W")), ("pkg::Worker.wage", Lit(3))), "w")
    assert isinstance(grant, InsertMembership)
    assert (grant.entity, grant.concept, grant.fields) == (P, "pkg::Worker", (("pkg::Worker.wage", Lit(4)),))
    assert grant.at is not None
    assert pair == InsertTuple("pkg::knows", (P, Local("w")), (("pkg::knows.n", Lit(2)),), None, None, None)


def test_an_element_goes_into_a_many_field() -> None:
    assert body('insert "x" into p.tags;') == (InsertElement(Lit("x"), P, "pkg::Person.tags"),)


def test_an_update_touches_the_one_that_is_bound_or_every_instance() -> None:
    one, some = body("update p set { age = 3 } where q == p; update x: Person set { age += 1 } where old(x);")
    assert one == Update("p", P, "pkg::Person", ((AGE, "=", Lit(3)),), Binary("==", Local("q"), P, BOOL), None)
    assert isinstance(some, Update)
    assert (some.target, some.sets) == (None, ((AGE, "+=", Lit(1)),))
    assert some.where == Holds("pkg::old/1", (Local("x"),))


def test_an_update_of_a_declared_individual_touches_that_one() -> None:
    (found,) = body("update ann set { age = 3 };")
    assert isinstance(found, Update)
    assert (found.target, found.concept) == (ANN, "pkg::Person")


def test_deletes_close_memberships_and_tuples() -> None:
    assert body("delete iof(p, Worker); delete Worker(p); delete knows(p, _) at #2026-01-01#;")[:2] == (
        DeleteMembership(P, "pkg::Worker", None),
        DeleteMembership(P, "pkg::Worker", None),
    )
    (found,) = body("delete knows(p, _);")
    assert found == DeleteTuple("pkg::knows", (P, None), None)


def test_values_calls_and_results() -> None:
    text = (
        "mutate sub(n: Int) -> Int { return n + 1; }mutate go(p: Person) { let xs = names(p); let m = sub(2); sub(m); }"
    )
    sub, go = (next(m for m in lowered(WORLD + text).mutations if m.path == f"pkg::{n}") for n in ("sub", "go"))
    assert sub.body == (Return(Binary("+", Local("n"), Lit(1), INT)),)
    assert go.body == (
        Let("xs", CallQuery("pkg::names", (P,))),
        CallMutation("pkg::sub", (Lit(2),), "m"),
        CallMutation("pkg::sub", (Local("m"),), None),
    )


def test_a_test_keeps_its_steps_with_their_text_and_places() -> None:
    module = lowered(
        WORLD
        + """test "it" {
    let w = insert Person { name: "W" };
    assert w.age.is_none();
    assert not derivable knows(ann, _);
    assert rejects(OE0229) { insert knows(w, w); }
}"""
    )
    (case,) = module.tests
    assert (case.module, case.name) == ("pkg", "it")
    _, plain, derivable, rejects = case.steps
    assert isinstance(plain, Assert)
    assert plain.text == "w.age.is_none()"
    assert derivable == AssertDerivable(True, "pkg::knows", (ANN, None), "assert not derivable knows(ann, _);")
    assert isinstance(rejects, AssertRejects)
    assert (rejects.code, len(rejects.body)) == ("OE0229", 1)
    ((_, _, whole, spans),) = module.source.tests
    assert whole.line == 7
    assert [(span.line, span.character) for span in spans] == [(8, 4), (9, 4), (10, 4), (11, 4)]
