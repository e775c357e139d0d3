"""What the gates find of the dependency graph is what the engine finds."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.engine.strata import stratify
from argon_lang.gates.recursion import recursion
from argon_lang.ir.rules import Literal, Match, Not, Rule, Var

KEYS = st.sampled_from("abcdefgh")


def rule(head: str, reads: list[tuple[str, bool]]) -> Rule:
    body: list[Literal] = []
    for key, negated in reads:
        match = Match(key, (Var("x"),))
        body.append(Not((match,)) if negated else match)
    return Rule(f"{head} {reads}", head, (Var("x"),), tuple(body))


RULES = st.lists(st.builds(rule, KEYS, st.lists(st.tuples(KEYS, st.booleans()), max_size=3)), max_size=10)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(RULES)
def test_recursive_components_and_negative_cycles_are_those_of_the_engine(rules: list[Rule]) -> None:
    found, expected = recursion(rules), stratify(rules)
    recursive = [part for part in expected.components if part.recursive]
    assert {part.keys for part in found.components} == {part.keys for part in recursive}
    assert all(part.recursive for part in found.components)
    assert found.negative == expected.negative


def test_a_long_chain_needs_no_deep_stack() -> None:
    chain = [rule(f"k{number}", [(f"k{number + 1}", False)]) for number in range(3_000)]
    assert recursion(chain).components == ()
    (part,) = recursion([*chain, rule("k3000", [("k0", False)])]).components
    assert len(part.keys) == 3_001
