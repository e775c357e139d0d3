"""Why-not tells the truth: the prefix holds, the named literal fails under the named substitutions, and no more."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.engine.governor import Governor, Limits
from argon_lang.engine.model import Model, compile_program, evaluate
from argon_lang.engine.whynot import ClauseFailure, WhyNot, WhyNotNode, why_not
from argon_lang.errors import ArgonError
from argon_lang.ir.expr import Binary, Lit, Local
from argon_lang.ir.rules import Bind, Const, Each, Match, Not, Rule, Test, Var
from argon_lang.program.types import BOOL, INT
from tests.engine import naive
from tests.engine.programs import ARITY, VALUES, Program, module_of, programs, rule

CLOCK = datetime(2026, 1, 31, tzinfo=UTC)
X, Y, Z = (Var(name) for name in "xyz")


def run(rules: tuple[Rule, ...], facts: dict[str, Any]) -> Model:
    return evaluate(compile_program(module_of(rules)), facts, CLOCK)


def asked(model: Model, key: str, *row: Any, **more: Any) -> WhyNot:
    answer = why_not(model, key, row, **more)
    assert answer is not None
    return answer


def wildcard_unify(clause: Rule, row: tuple[Any, ...]) -> dict[str, Any] | None:
    """The head's bindings for a row in which None stands for any value."""
    pairs = [(term, naive.plain(value)) for term, value in zip(clause.terms, row, strict=True) if value is not None]
    return naive.unify(tuple(term for term, _ in pairs), tuple(value for _, value in pairs), {})


def fits_pattern(row: tuple[Any, ...], wanted: tuple[Any, ...], equal: tuple[tuple[int, ...], ...]) -> bool:
    """Does the row match, None standing for any value and the columns of each group being equal?"""
    matches = all(want is None or want == got for want, got in zip(wanted, row, strict=True))
    return matches and all(len({row[column] for column in group}) == 1 for group in equal)


def check_clause(
    answer: WhyNot, node: WhyNotNode, clause: ClauseFailure, rules: dict[str, Rule], rows: naive.Facts
) -> None:
    body = rules[clause.rule].body
    assert sorted(clause.order) == list(range(len(body)))
    assert clause.order[clause.satisfied] == clause.failing
    start = wildcard_unify(rules[clause.rule], node.row)
    assert start is not None
    prefix, failing = [body[i] for i in clause.order[: clause.satisfied]], body[clause.failing]
    solutions = [tuple(sorted(s.items(), key=repr)) for s in naive.solutions(prefix, start, naive.settled(rows))]
    assert clause.tried == len(set(solutions)) >= len(clause.attempts) > 0
    for known in solutions:
        assert not list(naive.one(failing, dict(known), naive.settled(rows))), (
            "the failing literal fails for every substitution"
        )
    for attempt in clause.attempts:
        known = {name: naive.plain(value) for name, value in attempt.substitution}
        assert tuple(sorted(known.items(), key=repr)) in solutions
        if isinstance(failing, Match):
            assert attempt.missing is not None
            missing = answer.nodes[attempt.missing]
            assert missing.key == failing.key
            assert missing.row == tuple(
                t.value if isinstance(t, Const) else dict(attempt.substitution).get(t.name) for t in failing.terms
            )
        for block in attempt.blocking:
            assert any(
                all(want is None or naive.plain(want) == got for want, got in zip(block.row, row, strict=True))
                for row in rows.get(block.key, ())
            )


@settings(max_examples=60, deadline=None, derandomize=True)
@given(programs(), st.data())
def test_every_named_failure_is_one(program: Program, data: st.DataObject) -> None:
    model = run(program.rules, program.facts)
    rows = naive.evaluate(program.rules, program.facts)
    rules = {r.id: r for r in program.rules}
    for key in sorted(model.program.derived):
        row = data.draw(st.tuples(*[st.one_of(VALUES, st.none())] * ARITY[key]), label=key)
        answer = why_not(model, key, row, 2, 2)
        assert (answer is None) == model.holds(key, row)
        for node in answer.nodes if answer is not None else ():
            assert not any(
                fits_pattern(row, tuple(map(naive.plain_or_any, node.row)), node.equal)
                for row in rows.get(node.key, ())
            )
            for clause in node.clauses:
                check_clause(answer, node, clause, rules, rows)  # type: ignore[arg-type]
            if node.kind == "derived" and not node.folded:
                everyone = len({r.id for r in program.rules if r.key == node.key})
                assert len(node.clauses) + node.other_clauses == everyone


ARREARS = (
    rule("q", (X,), (Match("u", (Y,), 0), Match("e", (Y, X), 1))),
    rule("u", (X,), (Match("a", (X,), 0), Not((Match("f", (X, Z)),), 1))),
)


def test_the_first_failing_atom_is_asked_about_in_turn() -> None:
    answer = asked(run(ARREARS, {"a": [(1,)], "f": [(1, "paid")], "e": [(1, "ada")]}), "q", "ada")
    (clause,) = answer.root.clauses
    assert (clause.order, clause.satisfied, clause.failing, clause.kind) == ((0, 1), 0, 0, "atom")
    (attempt,) = clause.attempts
    assert attempt.missing == 1
    below = answer.nodes[1]
    assert (below.key, below.row, below.kind) == ("u", (None,), "derived")
    (inner,) = below.clauses
    assert (inner.kind, inner.satisfied, inner.tried) == ("negation", 1, 1)
    assert inner.attempts[0].substitution == (("x", 1),)
    assert [(b.key, b.row) for b in inner.attempts[0].blocking] == [("f", (1, "paid"))]


def test_a_failing_comparison_shows_both_sides() -> None:
    late = Test(Binary(">", Binary("+", Local("x"), Lit(1), INT), Lit(10), BOOL), 1)
    answer = asked(run((rule("q", (X,), (Match("a", (X,)), late)),), {"a": [(5,)]}), "q", 5)
    assert answer.root.clauses[0].attempts[0].sides == (6, 10)


def test_a_failing_equality_and_a_failing_element_show_both_sides() -> None:
    equals = (rule("q", (Y,), (Match("a", (X,)), Bind("y", Binary("*", Local("x"), Lit(2), INT), 1))),)
    answer = asked(run(equals, {"a": [(5,)]}), "q", 7)
    assert answer.root.clauses[0].attempts[0].sides == (7, 10)
    element = (rule("q", (Y,), (Match("a", (X,)), Each("y", Lit((1, 2)), 1))),)
    answer = asked(run(element, {"a": [(5,)]}), "q", 7)
    assert answer.root.clauses[0].kind == "element"
    assert answer.root.clauses[0].attempts[0].sides == (7, (1, 2))


def test_a_recursive_question_ends_where_it_meets_itself() -> None:
    closure = (
        rule("p", (X, Y), (Match("e", (X, Y)),)),
        rule("p", (X, Z), (Match("e", (X, Y)), Match("p", (Y, Z)))),
    )
    answer = asked(run(closure, {"e": [(1, 2), (2, 1)]}), "p", 1, 9, max_depth=100)
    folded = [node for node in answer.nodes if node.folded]
    assert [(node.key, node.row) for node in folded] == [("p", (1, 9))]
    assert folded[0].id == answer.root.id


def test_an_atom_that_no_rule_concludes_is_a_base_one() -> None:
    root = asked(run(ARREARS, {}), "a", 3).root
    assert (root.kind, root.clauses, root.folded) == ("base", (), False)


def test_clauses_for_other_rows_are_counted() -> None:
    rules = (rule("q", (Const(1),), (Match("a", (X,)),)), rule("q", (Const(2),), (Match("u", (X,)),)))
    root = asked(run(rules, {}), "q", 2).root
    assert (len(root.clauses), root.other_clauses) == (1, 1)


def test_what_holds_has_no_why_not() -> None:
    model = run(ARREARS, {"a": [(1,)]})
    assert why_not(model, "u", (1,)) is None
    assert why_not(model, "u", (None,)) is None


def test_too_many_nodes_are_refused_with_the_knob() -> None:
    wide = (rule("q", (X,), (Match("a", (Y,)), Match("e", (Y, X)))),)
    with pytest.raises(ArgonError) as caught:
        why_not(
            run(wide, {"a": [(i,) for i in range(50)]}),
            "q",
            (1,),
            max_bindings=40,
            governor=Governor(Limits(max_proof_nodes=20)),
        )
    assert caught.value.details["knob"] == "maxProofNodes"


def test_an_atom_with_one_unknown_in_two_columns_says_so() -> None:
    rules = (rule("q", (X,), (Match("a", (X,)), Match("p", (Y, Y)))), rule("p", (X, Y), (Match("e", (X, Y)),)))
    answer = asked(run(rules, {"a": [(1,)], "e": [(1, 2)]}), "q", 1)
    below = answer.nodes[1]
    assert (below.key, below.row, below.equal, below.folded) == ("p", (None, None), ((0, 1),), True)
