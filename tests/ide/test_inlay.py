"""Hints: the types that were not written."""

from __future__ import annotations

from argon_lang.ide.inlay import hints
from tests.ide.packages import marked


def shown(source: str) -> list[tuple[int | str, str, str]]:
    """Mark, text and what accepting the hint writes."""
    package = marked(source)
    found = hints(package.db, "root.ar", 0, len(package.db.text("root.ar") or ""))
    return [(package.marked([each.location])[0], each.text, each.insert) for each in found]


def test_a_rule_variable_shows_its_type_where_it_first_occurs() -> None:
    source = "type P { size: Int }\nrel r(a: P, b: P);\nderive d($0x) :- r(x, $1y), $2n = y.size, n > 1;"
    assert shown(source) == [(0, ": P", ": P"), (1, ": P", ""), (2, ": Int", "")]


def test_what_is_written_is_not_said_again() -> None:
    assert shown("type P { }\nrel r(a: P, b: P);\nderive d(x: P) :- x: P, r(x, x);\nfn f(a: Int) -> Int = a;") == []


def test_a_let_shows_its_type_and_can_be_given_it() -> None:
    source = 'type P { }\nmutate m() {\n    let $0n = 1 + 1;\n    let s: String = "a";\n    require n > 0;\n}'
    assert shown(source) == [(0, ": Int", ": Int")]


def test_only_the_hints_of_the_range_are_given() -> None:
    package = marked("type P { }\nrel r(a: P, b: P);\nderive d(x) :- r(x, _);\nderive $0e(x) :- r(_, x);")
    start = package.at(0)[1]
    found = hints(package.db, "root.ar", start, start + 100)
    assert [each.location.start - start for each in found] == [2]


def test_accepting_every_hint_leaves_a_program_without_hints_there() -> None:
    source = "type P { }\nrel r(a: P, b: P);\nderive d(x) :- r(x, _);"
    package = marked(source)
    (hint,) = hints(package.db, "root.ar", 0, len(source))
    text = source[: hint.location.end] + hint.insert + source[hint.location.end :]
    assert shown(text) == []
    assert marked(text).db.diagnostics() == package.db.diagnostics()
