"""Trees in prose and pictures: equal bytes every time, well formed whatever the names are, bounded (semantics S6)."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.runtime.drawings.dot import dot
from argon_lang.runtime.drawings.page import page
from argon_lang.runtime.drawings.prose import prose
from argon_lang.runtime.drawings.svg import svg
from argon_lang.runtime.drawings.tree import Drawn, boxes, drawn, together
from argon_lang.runtime.envelopes import Explanation, ProofNode
from argon_lang.runtime.options import Depth
from tests.runtime.test_explain import KIN
from tests.runtime.worlds import World

SVG = "{http://www.w3.org/2000/svg}"


def explained(fact: str) -> Explanation:
    world = World(KIN)
    world.do("meet", "bob", "cleo")
    return world.service.explain(fact, depth=Depth(6))


PROSE = [
    (
        "rich(cleo)",
        "`rich(cleo)` holds by root.ar:11, because `Person(cleo)` (declared), `cleo.n == 12` (declared) "
        "and `p.n > 10`.",
    ),
    (
        "poor(ada)",
        "`poor(ada)` holds by root.ar:12, because `Person(ada)` (declared) and nothing makes `rich(ada)` hold.",
    ),
    (
        "knows(bob, cleo)",
        "`knows(bob, cleo)` holds: it is asserted by user:eve in transaction 1.",
    ),
    (
        "rich(ada)",
        "`rich(ada)` does not hold: the one clause that could conclude it fails. "
        "The clause at root.ar:11 needs `p.n > 10`: with p = ada, p.n = 3 it is 3 against 10.",
    ),
    (
        "poor(cleo)",
        "`poor(cleo)` does not hold: the one clause that could conclude it fails. "
        "The clause at root.ar:12 needs `not rich(p)`: with p = cleo `rich(cleo)` stands in the way, because "
        "`Person(cleo)` (declared), `cleo.n == 12` (declared) and `p.n > 10`.",
    ),
    ("knows(bob, ada)", "`knows(bob, ada)` does not hold: nothing states it, nor `loves(bob, ada)`."),
    ('ada.name == "Bob"', '`ada.name == "Bob"` does not hold: `ada.name == "Ada"` does.'),
]


@pytest.mark.parametrize(("fact", "paragraph"), PROSE)
def test_a_tree_is_told_in_one_paragraph(fact: str, paragraph: str) -> None:
    found = explained(fact).prose
    assert sorted(found.replace(",", "").split()) == sorted(paragraph.replace(",", "").split())


def test_a_graph_in_dot_names_every_node_and_edge() -> None:
    found = explained("rich(cleo)")
    assert dot(drawn(found.nodes, found.root_id)) == (
        "digraph proof {\n"
        "  rankdir=LR;\n"
        '  node [shape=box, style="rounded,filled", fontname="monospace", fontsize=11];\n'
        '  edge [arrowhead=none, color="#888888"];\n'
        '  n0 [label="rich(cleo)\\nroot.ar:11", fillcolor="#e8f5e9", color="#2e7d32"];\n'
        '  n1 [label="Person(cleo)\\ndeclared", fillcolor="#f1f8e9", color="#7cb342"];\n'
        '  n2 [label="cleo.n == 12\\ndeclared", fillcolor="#f1f8e9", color="#7cb342"];\n'
        '  n3 [label="p.n > 10\\nroot.ar:11", fillcolor="#e3f2fd", color="#1976d2"];\n'
        "  n0 -> n1;\n  n0 -> n2;\n  n0 -> n3;\n}\n"
    )


def test_an_svg_shows_every_node_once_and_no_two_boxes_overlap() -> None:
    found = explained("linked(ada, cleo)")
    top = drawn(found.nodes, found.root_id)
    root = ElementTree.fromstring(svg(top, found.fact))
    texts = [text.text for text in root.iter(f"{SVG}text") if "class" not in text.attrib]
    assert texts == [box.label for _, box in boxes(top)]
    placed = [
        tuple(float(box.attrib[name]) for name in ("x", "y", "width", "height"))
        for box in root.iter(f"{SVG}rect")
        if "rx" in box.attrib
    ]
    for number, (x, y, width, height) in enumerate(placed):
        for x2, y2, width2, height2 in placed[number + 1 :]:
            assert x + width <= x2 or x2 + width2 <= x or y + height <= y2 or y2 + height2 <= y
    assert max(x + width for x, _, width, _ in placed) < float(root.attrib["width"])
    assert max(y + height for _, y, _, height in placed) < float(root.attrib["height"])
    assert "prefers-color-scheme: dark" in svg(top, found.fact)


def test_a_page_opens_and_closes_without_a_script() -> None:
    found = explained("linked(ada, cleo)")
    text = page(drawn(found.nodes, found.root_id), found.fact, found.prose)
    root = ElementTree.fromstring(text)
    (paragraph,) = root.iter("p")
    assert "".join(paragraph.itertext()) == found.prose.replace("`", "")
    assert [each.text for each in paragraph.iter("code")] == found.prose.split("`")[1::2]
    assert len(list(root.iter("details"))) == 4
    assert "<script" not in text
    assert "http" not in text


def test_several_ways_stand_under_the_fact_as_alternatives() -> None:
    world = World(KIN + "fact knows(ada, cleo) { since: 1 };\nderive known(p: Person) :- knows(q, p);\n")
    world.do("meet", "bob", "cleo")
    found = world.service.explain("known(cleo)")
    top = drawn(found.nodes, found.root_id)
    assert [box.kind for box in top.children] == ["way", "way"]
    assert [box.label.split()[0] for box in top.children] == ["either", "or"]


def test_equal_trees_are_equal_bytes() -> None:
    for draw in (dot, lambda top: svg(top, "t"), lambda top: page(top, "t", "p")):
        first, second = (explained("linked(ada, cleo)") for _ in range(2))
        assert draw(drawn(first.nodes, first.root_id)) == draw(drawn(second.nodes, second.root_id))


def test_a_large_tree_is_cut_and_says_by_how_much() -> None:
    root = ProofNode(id="r", kind="derived", fact="r")
    nodes = [
        root,
        *(ProofNode(id=str(number), parent="r", kind="declared", fact=f"f{number}") for number in range(900)),
    ]
    top = drawn(nodes, "r", most=100)
    assert (len(top.children), top.missing) == (99, 801)
    assert "801 more, not drawn" in svg(top, "r")
    assert "801 more, not drawn" in page(top, "r", "")
    assert "801 more, not drawn" in dot(top)


def test_a_deep_tree_needs_no_stack() -> None:
    chain = [ProofNode(id="0", kind="derived", fact="f0")]
    chain += [ProofNode(id=str(n), parent=str(n - 1), kind="derived", fact=f"f{n}") for n in range(1, 400)]
    top = drawn(chain, "0")
    assert sum(1 for _ in boxes(top)) == 400
    assert svg(top, "t").count("<g>") == 400
    assert page(top, "t", "p").count("<li") == 400


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.text(max_size=80), st.text(max_size=40))
def test_any_name_makes_a_well_formed_picture(label: str, note: str) -> None:
    top = Drawn("derived", label, (note,), children=[Drawn("way", note, folded=True), Drawn("absent", label)])
    ElementTree.fromstring(svg(top, label).encode("utf-8", "surrogatepass"))
    ElementTree.fromstring(page(top, label, note).encode("utf-8", "surrogatepass"))
    assert dot(top).count("\n") == 10


def test_violations_are_drawn_together() -> None:
    found = World(KIN).service.checks(proof=Depth(6))
    top = together(found.violations)
    assert top.label == f"{len(found.violations)} violations" or len(found.violations) == 1
    assert [child.label for child in top.children] == [each.fact for each in found.violations]


def test_a_long_paragraph_says_that_there_is_more() -> None:
    length = 40
    chain = [f"fact P(x{number});" for number in range(length + 1)]
    chain += [f"fact e(x{number}, x{number + 1});" for number in range(length)]
    rules = "derive p(a: P, b: P) :- e(a, b);\nderive p(a: P, b: P) :- e(a, m), p(m, b);"
    world = World("\n".join(["type P;", "rel e(a: P, b: P);", rules, *chain]))
    found = world.service.explain(f"p(x0, x{length})", depth=Depth(100))
    assert found.prose.endswith("The rest is in the tree.")
    assert prose(found.nodes, found.root_id) == found.prose
