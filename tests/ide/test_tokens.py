"""Colours by meaning."""

from __future__ import annotations

from itertools import pairwise

from argon_lang.ide.tokens import coloured
from tests.ide.packages import marked


def shown(source: str, **others: str) -> list[tuple[str, str, str]]:
    """Text, kind and modifiers of each coloured token of the root."""
    package = marked(source, **others)
    text = package.db.text("root.ar") or ""
    found = coloured(package.db, "root.ar")
    return [(text[each.start : each.end], each.kind, " ".join(sorted(each.modifiers))) for each in found]


def test_each_name_is_coloured_by_what_it_means() -> None:
    assert shown("pub type P { size: Int }\nfact P(ann) { size: 3 };\nderive d(x: P) :- x: P, x.size > 2;") == [
        ("pub", "keyword", ""),
        ("type", "type", "defaultLibrary"),
        ("P", "class", "declaration"),
        ("size", "property", "declaration"),
        ("Int", "type", "defaultLibrary"),
        ("fact", "keyword", ""),
        ("P", "class", ""),
        ("ann", "variable", "readonly"),
        ("size", "property", ""),
        ("3", "number", ""),
        ("derive", "keyword", ""),
        ("d", "function", "declaration"),
        ("x", "parameter", "declaration"),
        ("P", "class", ""),
        ("x", "parameter", ""),
        ("P", "class", ""),
        ("x", "parameter", ""),
        ("size", "property", ""),
        ("2", "number", ""),
    ]


def test_a_contextual_word_is_a_keyword_only_where_it_names_nothing() -> None:
    found = shown(
        "type Order { }\nrel order(a: Order, b: Order);\nquery q() -> [Order] { select x from x: Order order by x };"
    )
    words = [(text, kind) for text, kind, _ in found if text in ("order", "by")]
    assert words == [("order", "interface"), ("order", "keyword"), ("by", "keyword")]


def test_comments_strings_and_docs_are_told_apart() -> None:
    found = shown('/// Docs.\n// words\nfn f() -> String = "a";')
    assert found[0] == ("/// Docs.", "comment", "documentation")
    assert found[1] == ("// words", "comment", "")
    assert ('"a"', "string", "") in found


def test_a_range_has_the_tokens_that_begin_in_it() -> None:
    package = marked("type A { }\ntype $0B { }")
    start = package.at(0)[1]
    whole = coloured(package.db, "root.ar")
    assert coloured(package.db, "root.ar", start, start + 1) == tuple(each for each in whole if each.start == start)


def test_tokens_are_in_order_and_do_not_overlap() -> None:
    source = 'struct S { size: Int }\nfn f(size: Int) -> S = S { size };\ntype A { }\ntest "t" { assert 1 < 2; }'
    package = marked(source)
    found = coloured(package.db, "root.ar")
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_a_broken_file_keeps_the_colours_of_its_words() -> None:
    assert ("type", "keyword", "") not in shown("type A { a: }\nderive")
    assert ("derive", "keyword", "") in shown("type A { a: }\nderive")
