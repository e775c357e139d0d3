"""Typed views: fields by name, tokens with places, docs, and parts that a broken tree lacks."""

from __future__ import annotations

from typing import TypeVar

import pytest

from argon_lang.syntax import nodes as N
from argon_lang.syntax.document import Document
from argon_lang.syntax.names import name_word, path_words
from argon_lang.syntax.tree import IncompleteTree, View, need

V = TypeVar("V", bound=View)


def item(text: str, kind: type[V]) -> V:
    root = Document.parse(text).items[0].root
    assert isinstance(root, kind)
    return root


def texts(views: list[View] | list[N.Expr] | list[N.Atom]) -> list[str]:
    return [view.text for view in views]


def test_a_concept_has_its_parts_by_name() -> None:
    text = "/// A lease.\n#[world(open)] pub kind Lease <: Contract, Deed { mut rent: Money = 1.00, }"
    concept = item(text, N.ConceptDecl)
    assert concept.docs == ("A lease.",)
    assert path_words(concept.metatype) == ("kind",)
    assert name_word(concept.name) == "Lease"
    assert texts(need(concept.supers).types) == ["Contract", "Deed"]
    assert concept.visibility is not None
    assert not concept.visibility.package_only
    field = need(concept.body).members[0]
    assert isinstance(field, N.FieldDecl)
    assert field.mutable
    assert need(need(field.default).value).text == "1.00"
    assert concept.refinement is None


def test_both_sides_of_an_operator_are_told_apart() -> None:
    fn = item("fn f(a: Int) -> Int = a.x * 2 + g(a);", N.FnDecl)
    value = need(need(fn.value).value)
    assert isinstance(value, N.Binary)
    assert (need(value.lhs).text, need(value.op).text, need(value.rhs).text) == ("a.x * 2", "+", "g(a)")


def test_a_missing_operand_leaves_the_other_one_in_its_place() -> None:
    fn = item("fn f(a: Int) -> Int = a + ;", N.FnDecl)
    value = need(need(fn.value).value)
    assert isinstance(value, N.Binary)
    assert need(value.lhs).text == "a"
    assert value.rhs is None
    with pytest.raises(IncompleteTree):
        need(value.rhs)


def test_atoms_of_a_body_are_of_many_kinds() -> None:
    rule = item("derive p(a: T, L::A) :- a: T, b = 3, not q(_), exists { r(a) }, a.R*(b), x in xs, a.f;", N.DeriveDecl)
    kinds = [type(atom) for atom in need(rule.body).atoms]
    assert kinds == [N.TypeAtom, N.BindAtom, N.NegatedAtom, N.ExistsAtom, N.StepAtom, N.InExpr, N.FieldExpr]
    assert [type(param) for param in need(rule.head).params] == [N.HeadVar, N.Path]


def test_tokens_have_item_relative_places() -> None:
    path = item("\n  use a::b;", N.UseDecl).path
    assert path is not None
    assert [(token.text, token.start, token.end) for token in path.segments] == [("a", 7, 8), ("b", 10, 11)]
    assert (path.start, path.end, path.text) == (7, 11, "a::b")


def test_parents_and_descendants() -> None:
    rule = item("derive p(a) :- q(f(a));", N.DeriveDecl)
    inner = next(view for view in rule.descendants() if view.text == "f(a)")
    chain = []
    view: View | None = inner
    while view is not None:
        chain.append(type(view).__name__)
        view = view.parent
    assert chain == ["Call", "ArgList", "Call", "Body", "DeriveDecl"]


def test_the_node_at_an_offset_is_the_smallest() -> None:
    text = "derive p(a) :- q(x.y);"
    tree = Document.parse(text).items[0]
    assert tree.node_at(text.index("x")).text == "x"
    assert tree.node_at(text.index("y")).text == "x.y"
    assert tree.node_at(0) == tree.root


def test_views_are_equal_when_they_are_the_same_node() -> None:
    tree = Document.parse("type A;").items[0]
    assert tree.root == tree.root
    assert len({tree.root, tree.root}) == 1
    assert tree.root != tree.root.children[0]


def test_a_struct_literal_has_a_base_and_fields() -> None:
    fn = item("fn f(s: S) -> S = S { ..s, a: 1, b };", N.FnDecl)
    literal = need(need(fn.value).value)
    assert isinstance(literal, N.StructExpr)
    inits = need(literal.fields)
    assert need(need(inits.base).value).text == "s"
    assert [(name_word(init.name), init.has_colon) for init in inits.inits] == [("a", True), ("b", False)]


def test_a_setting_separates_its_axis_from_its_value() -> None:
    metatype = item("abstract metatype kind = { a::rigidity::rigid, sort: 3 };", N.MetatypeDecl)
    settings = need(metatype.settings).settings
    assert [(path_words(each.axis), need(each.value).text) for each in settings] == [
        (("a", "rigidity"), "rigid"), (("sort",), "3")]  # fmt: skip
    assert metatype.abstract
    assert not metatype.fixed


def test_a_query_has_all_its_clauses() -> None:
    query = item(
        "query q() -> [A] across [S] as_of 3 { with w = (select a from P(a)); select distinct { x: a } from P(a) "
        "where a.x > 1 group by a having b union all select b from Q(b) order by a desc limit 3 offset 4 }",
        N.QueryDecl,
    )
    select = need(query.body)
    core = need(select.core)
    assert core.distinct
    assert len(core.withs) == 1
    assert need(core.projection).fields is not None
    assert [operand.all for operand in select.operands] == [True]
    assert need(select.order).keys[0].descending
    assert need(need(need(select.limit).offset).count).text == "4"
