"""Any text gives a tree whose text is that text, and nothing raises (architecture, invariant 1)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.syntax import kinds as K
from argon_lang.syntax.document import Document
from tests.syntax.test_incremental import PIECES, VALID

DEEP = {
    "parentheses": "fn f() -> Int = " + "(" * 20_000,
    "brackets": "fn f() -> Int = " + "[" * 20_000,
    "calls": "fn f() -> Int = " + "f(" * 20_000,
    "blocks": 'test "t" ' + "{" * 20_000,
    "ifs": 'test "t" {' + "if a {" * 5_000,
    "else ifs": 'test "t" { if a {} ' + "else if b {} " * 5_000,
    "if expressions": "fn f() -> Int = " + "if a {} else " * 5_000,
    "negations": "derive p(a) :- " + "not " * 20_000 + "a;",
    "unary operators": "fn f() -> Int = " + "!" * 20_000 + "a;",
    "binary operators": "fn f() -> Int = " + "a||b&&c==d+e*(" * 3_000,
    "types": "type A { x: " + "[" * 5_000,
    "type arguments": "type A { x: " + "Set<" * 5_000,
    "patterns": "fn f() -> Int = match x { " + "A(" * 5_000,
    "aggregates": "derive p(a) :- " + "count { " * 5_000,
    "selects": "query q() -> A { " + "with a = (" * 5_000,
    "targets": "metaxis a for " + "[" * 5_000,
    "lambdas": "fn f() -> Int = " + "|x| " * 5_000,
    "matches": 'test "t" {' + "match a { b => " * 5_000,
    "loops": 'test "t" { ' + "for a in b { " * 5_000,
}


def check_tree(text: str) -> Document:
    """The document of a text, after its invariants were asserted."""
    document = Document.parse(text)
    assert "".join(item.text for item in document.items) == text
    for item in document.items:
        assert "".join(item.tokens) == item.text
        assert item.count == sum(kind > K.ERROR for kind in item.kinds)
        check_nodes(item.node_starts, item.node_ends, item.node_firsts, item.count)
        for problem in item.problems:
            assert 0 <= problem.start <= problem.end <= len(item.text)
    return document


def check_nodes(starts: list[int], ends: list[int], firsts: list[int], count: int) -> None:
    """Post-order: children lie within their parent, one after the other, and the root covers all."""
    assert (starts[-1], ends[-1], firsts[-1]) == (0, count, 0)
    for node, first in enumerate(firsts):
        limit, child = ends[node], node - 1
        while child >= first:
            assert starts[node] <= starts[child] <= ends[child] <= limit
            limit, child = starts[child], firsts[child] - 1
        assert child == first - 1


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=25))
def test_any_pieces_give_a_lossless_tree(parts: list[str]) -> None:
    check_tree("".join(parts))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(max_size=80))
def test_any_text_gives_a_lossless_tree(text: str) -> None:
    check_tree(text)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, len(VALID)), st.integers(0, 400))
def test_a_valid_text_cut_anywhere_gives_a_lossless_tree(start: int, length: int) -> None:
    check_tree(VALID[start : start + length])


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_deep_nesting_is_one_problem_and_no_recursion_error(text: str) -> None:
    document = check_tree(text + "\ntype After { x: Int }\n")
    assert [problem.code for _, problem in document.problems] == ["OE0017"]
    assert document.labels[1] == ("concept After", 0)


def test_nesting_up_to_the_limit_is_no_problem() -> None:
    assert not check_tree("fn f() -> Int = " + "(" * 250 + "1" + ")" * 250 + ";").problems


def test_a_stack_that_the_caller_used_up_is_reported_not_raised() -> None:
    def deeper(levels: int) -> Document:
        return deeper(levels - 1) if levels else Document.parse("fn f() -> Int = " + "(" * 250 + "1" + ")" * 250 + ";")

    assert {problem.code for _, problem in deeper(500).problems} <= {"OE0017"}


def test_ten_megabytes_of_parentheses_give_one_problem_in_bounded_time() -> None:
    begin = time.process_time()
    document = Document.parse("(" * 10_000_000)
    assert [problem.code for _, problem in document.problems] == ["OE0001"]
    assert time.process_time() - begin < 60


def test_a_block_comment_may_nest_as_deep_as_it_likes() -> None:
    for depth in (1, 4, 5, 24, 25, 26, 200):
        assert not check_tree("/*" * depth + " x " + "*/" * depth + "\ntype A {}\n").problems


def test_many_deep_comments_stay_linear() -> None:
    document = Document.parse(("/*" * 40 + "*/" * 40 + "\n") * 2_000)
    assert "".join(item.text for item in document.items).count("\n") == 2_000


@pytest.mark.parametrize(
    "text",
    ["type A { x: Int, tags: Tеxt", "type A {\n    x: Int,\n\\ type B {}\n", "type A { x: Int,\n\\\ntype B {}\n"],
)
def test_a_broken_item_has_an_error_whatever_stands_beside_the_break(text: str) -> None:
    first = Document.parse(text).items[0]
    assert [problem.code for problem in first.problems if problem.code.startswith("OE")]


def test_optionals_nest_as_deep_as_all_else() -> None:
    document = check_tree("type A { x: Int" + "?" * 5_000 + " }\ntype After { x: Int }\n")
    assert [problem.code for _, problem in document.problems] == ["OE0017"]
