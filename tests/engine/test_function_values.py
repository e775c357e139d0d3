"""Closures in rules: the engine's compiled functions against the reference evaluator's plain ones."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.ir.expr import Apply, Binary, Builtin, Closure, Expr, Lit, Local
from argon_lang.ir.rules import Bind, Each, Match, Test, Var
from argon_lang.program.types import BOOL, INT, UNKNOWN
from tests.engine import naive
from tests.engine.programs import rule
from tests.engine.test_fixpoint import derived, run

NUMBERS = st.integers(-3, 5)


def numbers(names: tuple[str, ...], depth: int) -> st.SearchStrategy[Expr]:
    """Expressions of numbers over these locals."""
    leaves = st.one_of(NUMBERS.map(Lit), st.sampled_from(names).map(Local))
    if depth == 0:
        return leaves
    inner = numbers(names, depth - 1)
    return st.one_of(
        leaves,
        st.builds(lambda a, b: Binary("+", a, b, INT), inner, inner),
        lists(names, depth - 1).map(lambda xs: Builtin("length", (xs,), INT)),
        st.builds(
            lambda xs, start, body: Builtin("fold", (xs, start, Closure((f"a{depth}", f"b{depth}"), body)), INT),
            lists(names, depth - 1), inner, numbers((*names, f"a{depth}", f"b{depth}"), depth - 1),
        ),
        st.builds(
            lambda body, arg: Apply(Closure((f"c{depth}",), body), (arg,)),
            numbers((*names, f"c{depth}"), depth - 1), inner,
        ),
    )  # fmt: skip


def lists(names: tuple[str, ...], depth: int) -> st.SearchStrategy[Expr]:
    """Expressions of lists of numbers over these locals."""
    leaves = st.lists(NUMBERS, max_size=4).map(lambda found: Lit(tuple(found)))
    if depth == 0:
        return leaves
    inner, own = lists(names, depth - 1), (*names, f"x{depth}")
    return st.one_of(
        leaves,
        st.builds(
            lambda xs, body: Builtin("map", (xs, Closure((f"x{depth}",), body)), UNKNOWN),
            inner, numbers(own, depth - 1),
        ),
        st.builds(
            lambda xs, body: Builtin("filter", (xs, Closure((f"x{depth}",), body)), UNKNOWN),
            inner, truths(own, depth - 1),
        ),
        st.builds(
            lambda xs, low, high: Builtin("slice", (xs, Lit(low), Lit(high)), UNKNOWN),
            inner, st.integers(-1, 3), st.integers(-1, 5),
        ),
    )  # fmt: skip


def truths(names: tuple[str, ...], depth: int) -> st.SearchStrategy[Expr]:
    """Conditions over these locals."""
    compared = st.builds(
        lambda op, a, b: Binary(op, a, b, BOOL),
        st.sampled_from(["<", "<=", "==", "!="]), numbers(names, depth), numbers(names, depth),
    )  # fmt: skip
    if depth == 0:
        return compared
    own = (*names, f"y{depth}")
    return st.one_of(
        compared,
        st.builds(
            lambda op, xs, body: Builtin(op, (xs, Closure((f"y{depth}",), body)), BOOL),
            st.sampled_from(["any", "all"]), lists(names, depth - 1), truths(own, depth - 1),
        ),
    )  # fmt: skip


@settings(max_examples=120, deadline=None, derandomize=True)
@given(numbers(("v",), 3), truths(("v", "w"), 2), lists(("v", "w"), 2), st.sets(NUMBERS, max_size=4))
def test_rules_with_closures_derive_what_the_reference_evaluator_does(
    made: Expr, condition: Expr, elements: Expr, items: set[int]
) -> None:
    v, w, z = Var("v"), Var("w"), Var("z")
    body = (Match("item", (v,)), Bind("w", made), Test(condition), Each("z", elements))
    rules = (rule("found", (v, w, z), body), rule("kept", (w,), body[:-1]))
    facts: dict[str, Any] = {"item": [(item,) for item in sorted(items)]}
    wanted = {key: rows for key, rows in naive.evaluate(rules, facts).items() if rows}
    assert derived(run(rules, facts)) == wanted
