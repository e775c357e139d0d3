"""Hover and definition over vocabularies: axes and their values, metatypes, metarels, short lists of subtypes."""

from __future__ import annotations

import pytest

from argon_lang.ide.definition import definition
from argon_lang.ide.hover import hover
from tests.ide.packages import marked

HOVERS = {
    "an axis": ("pub metaxis $0order for [metatype, metarel] { low < high }",
                "pub metaxis order for [metatype, metarel] { low < high }"),
    "a typed axis": ("metaxis $0risk for metatype = Int where _ > 0;", "metaxis risk for metatype = Int"),
    "a metatype": ("metaxis order for metatype { low, high }\nabstract fixed metatype $0k = { order: low };",
                   "abstract fixed metatype k = { order: low }"),
    "a plain metatype": ("metatype $0k = {};", "metatype k = {}"),
    "a metarel": ("metatype k = {};\nmetaxis order for metarel { low }\nmetarel $0r(a: k) { order: low }",
                  "metarel r(k) { order: low }"),
    "a higher-level instance": ("type Kind;\ntype P;\ntype $0Q <: P : Kind;", "type Q <: P : Kind"),
    "a derived type": ("type P { age: Int }\ntype $0Q <: P iff { self.age > 3 };", "type Q <: P iff { … }"),
    "a listed subtype": ("type Pet { Cat, Dog }\ntype Puppy <: $0Dog;", "type Dog <: Pet"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOVERS)
def test_a_hover_shows_the_declaration(name: str) -> None:
    text, expected = HOVERS[name]
    package = marked(text)
    found = hover(package.db, *package.at())
    assert found is not None
    assert expected in str(found)


USES = {
    "the axis of a metatype": "metaxis $1order for metatype { low, high }\nmetatype k = { $0order: low };",
    "the value of a metatype": "metaxis order for metatype { low, $1high }\nmetatype k = { order: $0high };",
    "the axis of a concept": "metaxis $1order for metatype { low, high }\ntype P { $0order::low }",
    "a metarel's end": "metatype $1k = {};\nmetarel r(a: $0k);",
    "a listed subtype": "type Pet { Cat, $1Dog }\ntype Puppy <: $0Dog;",
    "a member of a group": "type $1Cat;\ntype Dog;\ndisjoint { $0Cat, Dog };",
    "the relation of a view": "type P { q: [P2] from $0r.b }\ntype P2;\nrel $1r(a: P, b: P2);",
    "the end of a view": "type P { q: [P2] from r.$0b }\ntype P2;\nrel r(a: P, $1b: P2);",
    "the field of a condition": "type P { $1age: Int }\ntype A <: P iff { self.$0age > 3 };",
    "a higher-level concept": "type $1Kind { legs: Int }\ntype Dog : $0Kind { legs = 4 };",
    "a value of a concept": "type Kind { $1legs: Int }\ntype Dog : Kind { $0legs = 4 };",
    "a concept as an individual": "type Kind;\ntype $1Dog : Kind;\nrel r(k: Kind);\nfact r($0Dog);",
    "the whole of a group": "type $1Pet;\ntype Cat <: Pet;\ncomplete $0Pet { Cat };",
}


@pytest.mark.parametrize("name", USES)
def test_a_use_leads_to_what_declares_it(name: str) -> None:
    package = marked(USES[name])
    assert package.marked(definition(package.db, *package.at(0))) == [1]
