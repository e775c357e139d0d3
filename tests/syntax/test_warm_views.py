"""What a view's fields were found to be is remembered while its item is looked at, and forgotten after."""

from __future__ import annotations

from argon_lang.syntax import nodes, tree
from argon_lang.syntax.document import Document

TEXT = "pub derive open(x: Lease) :- x: Lease, x.rent > 0;\n"


def shown(view: tree.View) -> list[tuple[str, str]]:
    return [(type(each).__name__, each.text) for each in view.descendants()]


def test_a_node_is_the_same_view_every_time_it_is_asked_for() -> None:
    item = Document.parse(TEXT).items[0]
    root = nodes.decl(item)
    assert isinstance(root, nodes.DeriveDecl)
    assert item.view(3) is item.view(3)
    assert root.body is root.body is item.root.body  # type: ignore[attr-defined]


def test_an_item_that_was_let_go_reads_as_before() -> None:
    item = Document.parse(TEXT).items[0]
    before, root = shown(item.root), item.root
    item.cool()
    assert shown(item.root) == before
    assert item.root == root
    assert item.root is not root


def test_no_more_items_are_kept_warm_than_the_bound() -> None:
    items = Document.parse(TEXT * (tree._MOST_WARM + 10)).items
    for item in items:
        assert item.root.kind == item.kind
    assert sum(item._views is not None for item in items) <= tree._MOST_WARM


def test_while_a_whole_program_is_looked_at_more_items_stay_warm_and_afterwards_as_few_as_ever() -> None:
    items = Document.parse(TEXT * (tree._MOST_WARM + 10)).items
    with tree.warm():
        kept = [item.root for item in items]
        assert all(item.root is root for item, root in zip(items, kept, strict=True))
    other = Document.parse(TEXT).items[0]
    assert other.root.kind == other.kind
    assert sum(item._views is not None for item in items) < tree._MOST_WARM
