"""Hierarchies of types and of calls, type definitions and implementations."""

from __future__ import annotations

from argon_lang.ide.hierarchy import (
    entry_of,
    implementations,
    incoming,
    outgoing,
    subtypes,
    supertypes,
    symbol_at,
    type_definition,
)
from argon_lang.program.model import Symbol
from tests.ide.packages import Marked, marked


def the(package: Marked, mark: int = 0) -> Symbol:
    """The symbol at a mark."""
    found = symbol_at(package.db, *package.at(mark))
    assert found is not None
    return found


def test_the_types_above_and_below_are_found() -> None:
    package = marked("type A { }\ntype B <: A { }\ntype $0C <: B { }\ntype D <: C { }\ntype E <: C { }")
    assert [each.symbol.name for each in supertypes(package.db, the(package))] == ["B"]
    assert [each.symbol.name for each in subtypes(package.db, the(package))] == ["D", "E"]


def test_relations_have_a_hierarchy_too() -> None:
    package = marked("type A { }\nrel $0r(a: A, b: A);\nrel s(a: A, b: A) <: r;")
    assert [each.symbol.name for each in subtypes(package.db, the(package))] == ["s"]


def test_an_entry_shows_its_item_and_its_name() -> None:
    package = marked("// words\ntype $0A {\n}\n")
    entry = entry_of(package.db, the(package))
    assert entry is not None
    assert (package.text(entry.item), package.text(entry.name)) == ("type A {\n}", "A")


def test_a_rule_lists_what_it_reads_and_who_reads_it() -> None:
    package = marked(
        "type P { }\nrel r(a: P, b: P);\nderive $0near(x: P, y: P) :- r(x, y);\n"
        "derive near(x: P, y: P) :- near(x, z), r(z, y);\nquery q() -> [P] { select x from near(x, _) }"
    )
    out = {call.entry.symbol.name: len(call.places) for call in outgoing(package.db, the(package))}
    assert out == {"P": 4, "r": 2, "near": 1}
    found = {call.entry.symbol.name: len(call.places) for call in incoming(package.db, the(package))}
    assert found == {"near": 1, "q": 1}


def test_the_type_of_a_variable_is_where_its_concept_is_declared() -> None:
    package = marked("type $1P { $2q: Q? }\ntype $3Q { }\nfact P($4ann);\nderive d($0x) :- x: P, x.q == x.q;")
    db = package.db
    assert package.marked(type_definition(db, *package.at(0))) == [1]
    assert package.marked(type_definition(db, *package.at(2))) == [3]
    assert package.marked(type_definition(db, *package.at(4))) == [1]
    assert package.marked(type_definition(db, *package.at(1))) == [1]


def test_implementations_are_the_clauses_of_a_rule_and_all_heirs_of_a_type() -> None:
    package = marked(
        "type $0A { }\ntype $1B <: A { }\ntype $2C <: B { }\nderive $3d(x: A) :- x: A;\nderive $4d(x: A) :- x: B;"
    )
    assert package.marked(implementations(package.db, *package.at(0))) == [1, 2]
    assert package.marked(implementations(package.db, *package.at(4))) == [3, 4]


def test_nothing_stands_for_nothing() -> None:
    package = marked("// $0words\ntype A { }")
    assert symbol_at(package.db, *package.at(0)) is None
    assert type_definition(package.db, *package.at(0)) == ()
    assert implementations(package.db, *package.at(0)) == ()
