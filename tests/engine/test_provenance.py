"""A proof proves: each step's clause derives its fact from its premises, and ranks fall strictly to base facts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings

from argon_lang.engine.governor import Governor, Limits
from argon_lang.engine.model import Model, compile_program, evaluate
from argon_lang.engine.provenance import Proof, ProofNode, explain
from argon_lang.errors import ArgonError
from argon_lang.ir.expr import Binary, Lit, Local
from argon_lang.ir.rules import Aggregate, Bind, Literal, Match, Not, Rule, Test, Var
from argon_lang.program.types import BOOL, INT
from tests.engine import naive
from tests.engine.programs import COMPARED, Program, cyclic_programs, module_of, programs, rule

CLOCK = datetime(2026, 1, 31, tzinfo=UTC)
WIDE = Limits(max_proof_nodes=1_000_000)
X, Y, Z = (Var(name) for name in "xyz")


def run(rules: tuple[Rule, ...], facts: dict[str, Any]) -> Model:
    return evaluate(compile_program(module_of(rules)), facts, CLOCK)


def proof_of(model: Model, key: str, row: tuple[Any, ...], depth: int = 3, width: int = 3, **more: Any) -> Proof:
    proof = explain(model, key, row, depth, width, **more)
    assert proof is not None
    return proof


def plain_row(node: ProofNode) -> tuple[Any, ...]:
    return tuple(map(naive.plain, node.row))


def check_step(proof: Proof, node: ProofNode, rules: dict[str, Rule], rows: naive.Estimate) -> None:
    """Every shown derivation of `node` is an instance of its clause, and its premises are true and lower."""
    for derivation in node.derivations if node.kind == "derived" else ():
        clause = rules[derivation.rule]
        known = {name: naive.plain(value) for name, value in derivation.substitution}
        assert (clause.key, naive.head(clause, known)) == (node.key, plain_row(node))
        assert len(derivation.premises) == len(clause.body)
        for literal, index in zip(clause.body, derivation.premises, strict=True):
            premise = proof.nodes[index]
            assert premise.site == literal.site
            if not is_compared(literal):
                assert known in list(naive.one(literal, known, rows))
            if isinstance(literal, Match):
                assert (premise.key, plain_row(premise)) == (literal.key, naive.head_of(literal, known))
                assert premise.rank < node.rank
            else:
                assert premise.kind == {Not: "negation", Aggregate: "aggregate"}.get(type(literal), "builtin")
            if isinstance(literal, Aggregate) and rows.definite:
                check_witnesses(proof, premise, literal, known, rows)


def is_compared(literal: Literal) -> bool:
    """An aggregate that is only compared, or the comparison: the reference keeps all values that it might have."""
    return COMPARED in naive.variables(literal)


def check_witnesses(
    proof: Proof, node: ProofNode, literal: Aggregate, known: dict[str, Any], rows: naive.Estimate
) -> None:
    """The witnesses are solutions of the aggregate's body; their number is that of the rows that it ranges over."""
    group = {name: value for name, value in known.items() if name in naive.variables(literal) - {literal.var}}
    found = list(naive.solutions(list(literal.body), group, rows))
    ranged = {tuple(naive.term_value(term, each) for term in (*literal.own, literal.value)) for each in found}
    assert node.alternatives == len(ranged)
    assert len(node.derivations) == min(len(ranged), 2)
    reads = [each for each in literal.body if isinstance(each, Match)]
    for witness in node.derivations:
        solution = {name: naive.plain(value) for name, value in witness.substitution}
        assert any(solution.items() <= each.items() for each in found)
        facts = [(proof.nodes[i].key, plain_row(proof.nodes[i])) for i in witness.premises]
        assert facts == [(each.key, naive.head_of(each, solution)) for each in reads]


def true_alternatives(model: Model, node: ProofNode, program: Program, rows: naive.Facts) -> tuple[int, int]:
    """How many instances have only lower premises, and how many have not, by the reference evaluator."""
    founded = later = 0
    for clause in {r.id: r for r in program.rules if r.key == node.key}.values():
        start = naive.unify(clause.terms, plain_row(node), {})
        for known in naive.solutions(list(clause.body), start, naive.settled(rows)) if start is not None else ():
            premises = [m for m in clause.body if isinstance(m, Match)]
            ranks = [rank_by_plain_row(model, m.key)[naive.head_of(m, known)] for m in premises]
            founded += all(rank < node.rank for rank in ranks)
            later += not all(rank < node.rank for rank in ranks)
    return founded, later


def rank_by_plain_row(model: Model, key: str) -> dict[tuple[Any, ...], int]:
    return {tuple(map(naive.plain, row)): model.rank(key, row) for row in model.rows(key)}


@settings(max_examples=40, deadline=None, derandomize=True)
@given(programs())
def test_every_step_of_every_proof_is_valid_and_well_founded(program: Program) -> None:
    model = run(program.rules, program.facts)
    rows = naive.evaluate(program.rules, program.facts)
    rules = {r.id: r for r in program.rules}
    for key in sorted(model.program.derived):
        for row in model.rows(key)[:4]:
            proof = proof_of(model, key, row, 3, 2, governor=Governor(WIDE))
            for node in proof.nodes:
                check_step(proof, node, rules, naive.settled(rows))
                if node.kind == "asserted":
                    assert plain_row(node) in {tuple(map(naive.plain, r)) for r in program.facts.get(node.key, ())}
            root = proof.root
            if root.kind == "derived":
                assert (root.alternatives, root.later) == true_alternatives(model, root, program, rows)
                assert len(root.derivations) == min(root.alternatives or 0, 2) > 0


@settings(max_examples=40, deadline=None, derandomize=True)
@given(cyclic_programs())
def test_proofs_are_valid_in_either_estimate_where_rows_are_in_doubt(program: Program) -> None:
    model = run(program.rules, program.facts)
    definite, possible = naive.well_founded(program.rules, program.facts)
    rules = {r.id: r for r in program.rules}
    for estimate, read in (
        (model, naive.Estimate(definite, possible, True)),
        (model.upper(), naive.Estimate(possible, definite, False)),
    ):
        for key in sorted(model.program.derived):
            for row in estimate.rows(key)[:4]:
                proof = proof_of(estimate, key, row, 3, 2, governor=Governor(WIDE))
                assert proof.root.kind == "asserted" or proof.root.derivations
                for node in proof.nodes:
                    check_step(proof, node, rules, read)


CLOSURE = (
    rule("p", (X, Y), (Match("e", (X, Y), 0),)),
    rule("p", (X, Z), (Match("e", (X, Y), 1), Match("p", (Y, Z), 2))),
)


def test_the_shortest_alternative_comes_first_and_the_true_number_is_told() -> None:
    edges = [("a", "z"), *(("a", f"m{i}") for i in range(5)), *((f"m{i}", "z") for i in range(5)), ("z", "q")]
    model = run(CLOSURE, {"e": edges})
    proof = proof_of(model, "p", ("a", "q"), 2, 2)
    assert proof.root.rank == 2
    assert (proof.root.alternatives, len(proof.root.derivations)) == (1, 1)
    assert proof.root.later == 5
    direct = proof_of(model, "p", ("a", "z"), 2, 2)
    assert direct.root.alternatives == 1
    assert [direct.nodes[i].row for i in direct.root.derivations[0].premises] == [("a", "z")]
    both = (rule("q", (X,), (Match("e", (X, Y)),)),)
    many = proof_of(run(both, {"e": edges}), "q", ("a",), 2, 3)
    assert (many.root.alternatives, len(many.root.derivations)) == (6, 3)


def test_a_cycle_never_proves_itself() -> None:
    model = run(CLOSURE, {"e": [(1, 2), (2, 1)]})
    proof = proof_of(model, "p", (1, 1), 50, 10)
    for node in proof.nodes:
        for derivation in node.derivations:
            assert all(proof.nodes[i].rank < node.rank for i in derivation.premises)


def test_depth_folds_and_ids_stay_the_same_for_one_context() -> None:
    model = run(CLOSURE, {"e": [(i, i + 1) for i in range(10)]})
    shallow = proof_of(model, "p", (0, 10), 1, context="state 1")
    assert [node.kind for node in shallow.nodes] == ["derived", "asserted", "derived"]
    folded = shallow.nodes[2]
    assert (folded.folded, folded.alternatives, folded.derivations) == (True, 1, ())
    again = proof_of(model, folded.key, folded.row, 1, context="state 1")
    assert again.root.id == folded.id
    assert proof_of(model, folded.key, folded.row, 1, context="state 2").root.id != folded.id


def test_a_long_chain_is_proved_without_recursion() -> None:
    model = run(CLOSURE, {"e": [(i, i + 1) for i in range(400)]})
    proof = proof_of(model, "p", (0, 400), 10_000)
    assert sum(node.kind == "asserted" for node in proof.nodes) == 400
    assert not any(node.folded for node in proof.nodes)


def test_a_proof_over_the_limit_is_refused_with_the_knob() -> None:
    model = run(CLOSURE, {"e": [(i, i + 1) for i in range(100)]})
    with pytest.raises(ArgonError) as caught:
        explain(model, "p", (0, 100), 1_000, governor=Governor(Limits(max_proof_nodes=50)))
    assert caught.value.code == "ARGON_RUNTIME_BUDGET_EXCEEDED"
    assert caught.value.details == {"reached": 51, "limit": 50, "knob": "maxProofNodes"}


def test_negations_record_the_absence_and_computations_their_values() -> None:
    body = (
        Match("a", (X,), 0),
        Not((Match("e", (X, Y)),), 1),
        Bind("z", Binary("+", Local("x"), Lit(1), INT), 2),
        Test(Binary("<", Local("z"), Lit(9), BOOL), 3),
    )
    proof = proof_of(run((rule("p", (X, Z), body),), {"a": [(1,)], "e": [(2, 2)]}), "p", (1, 2))
    fact, absent, bound, tested = (proof.nodes[i] for i in proof.root.derivations[0].premises)
    assert (fact.kind, fact.row) == ("asserted", (1,))
    assert (absent.kind, absent.key, absent.row, absent.site) == ("negation", "e", (1, None), 1)
    assert (bound.kind, bound.values, bound.site) == ("builtin", (("x", 1), ("z", 2)), 2)
    assert (tested.kind, tested.values, tested.site) == ("builtin", (("z", 2),), 3)
    assert proof.root.derivations[0].substitution == (("x", 1), ("z", 2))


def test_a_subsumption_step_is_shown_and_costs_no_depth() -> None:
    rules = (
        rule("u", (X,), (Match("a", (X,)),), origin="subsumption"),
        rule("q", (X,), (Match("u", (X,)),), origin="subsumption"),
        rule("w", (X, X), (Match("q", (X,)),)),
    )
    proof = proof_of(run(rules, {"a": [(1,)]}), "w", (1, 1), 1)
    assert [(node.kind, node.key) for node in proof.nodes] == [
        ("derived", "w"),
        ("derived", "q"),
        ("derived", "u"),
        ("asserted", "a"),
    ]


def test_what_does_not_hold_has_no_proof() -> None:
    assert explain(run(CLOSURE, {"e": [(1, 2)]}), "p", (2, 1)) is None
    assert explain(run(CLOSURE, {"e": [(1, 2)]}), "unknown", (2, 1)) is None
