"""Evaluated states are remembered: what a write left, and the states that queries look back at."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from argon_lang.errors import ArgonError
from argon_lang.runtime import forms
from argon_lang.runtime.options import WriteOptions
from argon_lang.runtime.service import RuntimeService
from tests.runtime.worlds import World

TREE = """
type Node;
type Root <: Node;
rel edge(a: Node, b: Node);
fact Node(a); fact Node(b); fact Node(c);
derive below(x: Node, y: Node) :- x.edge+(y);
derive alone(x: Node) :- x: Node, not below(x, _);
query then(tx: Int) -> [Node] as_of tx { select x from alone(x) }
query now_alone() -> [Node] { select x from alone(x) }
mutate link(x: Node, y: Node) { insert edge(x, y); }
mutate cut(x: Node, y: Node) { delete edge(x, y); }
mutate link_at(x: Node, y: Node, d: Date) { insert edge(x, y) at d; }
check circle(x: Node) :- below(x, x) => Diagnostic { severity: Severity::Error, message: "circle" };
"""


@pytest.fixture
def made() -> Iterator[list[object]]:
    """What is evaluated from the store's facts, in order."""
    calls: list[object] = []
    whole = forms.base_facts

    def counted(*arguments: object) -> object:
        calls.append(arguments[-1])
        return whole(*arguments)  # type: ignore[arg-type]

    with patch.object(forms, "base_facts", counted):
        yield calls


def names(service: RuntimeService, query: str, *given: object) -> list[str]:
    """The labels of a query's rows."""
    return [str(row.values[0]["label"]) for row in service.query(query, given).rows]


def test_a_write_leaves_its_state_to_whoever_reads_or_writes_next(made: list[object]) -> None:
    world = World(TREE)
    world.service.mutate("link", ("a", "b"))
    made.clear()
    assert names(world.service, "now_alone") == ["b", "c"]
    world.service.mutate("link", ("b", "c"))
    world.service.mutate("cut", ("a", "b"))
    assert names(world.service, "now_alone") == ["a", "c"]
    assert made == []


def test_what_is_left_ends_where_something_written_begins_to_hold(made: list[object]) -> None:
    world = World(TREE)
    world.service.mutate("link", ("a", "b"))
    world.service.mutate("link_at", ("b", "c", "2026-03-12"))
    assert names(world.service, "now_alone") == ["b", "c"]
    world.clock.advance(days=3)
    assert names(world.service, "now_alone") == ["c"]


def test_a_refused_write_leaves_nothing(made: list[object]) -> None:
    world = World(TREE)
    world.service.mutate("link", ("a", "b"))
    with pytest.raises(Exception, match="circle"):
        world.service.mutate("link", ("b", "a"))
    made.clear()
    assert names(world.service, "now_alone") == ["b", "c"]
    assert made == []


def test_a_state_that_a_query_looks_back_at_is_evaluated_once(made: list[object]) -> None:
    world = World(TREE)
    world.service.mutate("link", ("a", "b"))
    world.service.mutate("link", ("b", "c"))
    assert names(world.service, "then", 1) == ["b", "c"]
    made.clear()
    assert [names(world.service, "then", 1) for _ in range(3)] == [["b", "c"]] * 3
    assert made == []


def test_a_derived_delta_tells_of_what_an_author_declared() -> None:
    receipt = World(TREE).service.mutate("link", ("a", "b"), WriteOptions(include_delta=True))
    assert receipt.derived_delta is not None
    assert list(receipt.derived_delta) == ["pkg::alone/1", "pkg::below/2"]


BROKEN = """
type Node { size: Int }
fact Node(a) { size: 0 };
fact Node(b) { size: 5 };
derive share(n: Node, s: Int) :- n: Node, s = 10 / n.size;
derive large(n: Node) :- n: Node, n.size > 3;
query shares() -> [Node] { select n from share(n, _) }
query large_ones() -> [Node] { select n from large(n) }
"""


def test_a_query_fails_by_what_it_rests_on_alone_however_often_it_is_asked() -> None:
    service = World(BROKEN).service
    for _ in range(3):
        assert names(service, "large_ones") == ["b"]
        with pytest.raises(ArgonError) as caught:
            service.query("shares")
        assert caught.value.code == "ARGON_RUNTIME_ARITHMETIC"
