"""Colours by meaning."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import pairwise

import pytest

from argon_lang.ide.tokens import KINDS, MODIFIERS, coloured, packed
from argon_lang.queries.database import Database
from argon_lang.queries.snippet import database_of
from argon_lang.session.editor.colouring import difference
from argon_lang.text import Encoding, LineIndex, units
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


def unpacked(numbers: Iterable[int]) -> list[tuple[int, ...]]:
    """Line, column, length, kind and modifiers of each packed token."""
    found, line, column = [], 0, 0
    for down, across, *rest in zip(*[iter(numbers)] * 5, strict=True):
        line, column = line + down, across if down else column + across
        found.append((line, column, *rest))
    return found


def plainly(db: Database, file: str, encoding: Encoding) -> list[tuple[int, ...]]:
    """The same, from the tokens by offset and nothing that is remembered."""
    index = LineIndex(db.text(file) or "")
    found = []
    for each in coloured(db, file):
        bits = sum(1 << MODIFIERS.index(modifier) for modifier in each.modifiers)
        for line in range(index.line_of(each.start), index.line_of(each.end) + 1):
            low, high = index.line_span(line)
            if max(low, each.start) < min(high, each.end):
                length = units(index.text[max(low, each.start) : min(high, each.end)], encoding)
                column = units(index.text[low : max(low, each.start)], encoding)
                found.append((line, column, length, KINDS.index(each.kind), bits))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_after_any_edits_packed_colours_are_those_of_a_fresh_program_and_differences_lead_to_them(seed: int) -> None:
    chance = random.Random(seed)
    encoding: Encoding = ("utf-8", "utf-16", "utf-32")[seed % 3]
    text = (
        "//! 😀 one\r\npub type P { size: Int }  /* two\n   lines é */ pub type Q <: P;\n"
        "fact P(ann) { size: 3 };\nderive d(x: P) :- x: P, x.size > 2;\nderive d(x: Q) :- x: Q;\n"
        "fn f(n: Int) -> Int = n;\n"
    )
    files = {"root.ar": text + "mod other;\n", "other.ar": "use super::{P, d};\nderive e(x: P) :- d(x);\n"}
    db, before = database_of(files), {file: packed(database_of(files), file, encoding) for file in files}
    pieces = ("x", " ", "\n", "\r", "\r\n", "/*", "*/", "P", "Q", "d", "😀", "\u2028", ";", "Int", "")
    for _ in range(25):
        file = chance.choice(sorted(files))
        start = chance.randint(0, len(files[file]))
        end = min(len(files[file]), start + chance.choice((0, 0, 1, 3)))
        files[file] = files[file][:start] + chance.choice(pieces) + files[file][end:]
        db.set_file(file, files[file])
        for name in files:
            now = packed(db, name, encoding)
            assert unpacked(now) == plainly(database_of(files), name, encoding)
            (edit,) = difference(before[name], now)
            row = before[name].tolist()
            row[edit["start"] : edit["start"] + edit["deleteCount"]] = edit["data"]
            assert row == now.tolist()
            before[name] = now
