"""The formatter: idempotent, tokens and comments kept, broken items left alone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.syntax import kinds as K
from argon_lang.syntax.document import Document
from argon_lang.syntax.format import format_changes, format_document, format_text
from argon_lang.syntax.lexer import lex
from benchmarks.generate_source import source
from tests.syntax.test_incremental import random_edit

FIXTURES = Path(__file__).parent / "fixtures"
VALID = (FIXTURES / "valid.ar").read_text(encoding="utf-8")
COMMENTS = frozenset((K.LINE_COMMENT, K.BLOCK_COMMENT, K.OUTER_DOC, K.INNER_DOC))
BEFORE_WHICH_A_COMMA_IS_FREE = frozenset((
    K.RPAREN, K.RBRACKET, K.RBRACE, K.GT, K.PIPE, K.SEMI, K.FAT_ARROW, K.KW_WHERE, K.CTX_ORDER, K.CTX_GROUP,
    K.CTX_OPTIONAL, K.CTX_UNION, K.CTX_INTERSECT, K.CTX_EXCEPT,
))  # fmt: skip
GAPS = (" ", " ", " ", " ", "\n", "\n", "\n\n", "\n\n\n", " // c\n", "\n// own\n", "\n\n// far\n\n", " /* b */ ",
        "\n/* own b */\n", "\t", " /* two\n   lines */ ")  # fmt: skip


def meaning(text: str) -> list[str]:
    """The significant tokens without free commas and the semicolons that may stand behind `}`."""
    tokens, kinds, _ = lex(text)
    pairs = [(kind, token) for kind, token in zip(kinds, tokens, strict=True) if kind > K.ERROR]
    kept: list[str] = []
    around = [K.EOF, *(kind for kind, _ in pairs), K.EOF]
    for place, (kind, token) in enumerate(pairs):
        before, following = around[place], around[place + 2]
        if kind == K.COMMA and following in BEFORE_WHICH_A_COMMA_IS_FREE:
            continue
        if kind == K.SEMI and before == K.RBRACE:
            continue
        kept.append(token)
    return kept


def comments(text: str) -> list[str]:
    """All comments, without trailing blanks, in a canonical order."""
    tokens, kinds, _ = lex(text)
    return sorted(token.rstrip() for kind, token in zip(kinds, tokens, strict=True) if kind in COMMENTS)


def shaken(text: str, seed: int) -> str:
    """The tokens of a text with random blanks, line ends and comments where it has blanks."""
    chooser = random.Random(seed)
    tokens, kinds, _ = lex(text)
    parts: list[str] = []
    fresh = False
    for token, kind in zip(tokens, kinds, strict=True):
        if kind in COMMENTS:
            continue
        if kind > K.ERROR:
            parts.append(token)
            fresh = True
        elif fresh:
            parts.append(chooser.choice(GAPS))
            fresh = False
    return "".join(parts)


def trees(text: str) -> list[list[int]]:
    """The node kinds of each item."""
    return [item.node_kinds for item in Document.parse(text).items if item.count]


def assert_well_formatted(text: str) -> str:
    formatted = format_text(text)
    assert format_text(formatted) == formatted
    assert meaning(formatted) == meaning(text)
    assert comments(formatted) == comments(text)
    assert not any(line != line.rstrip() for line in formatted.split("\n") if "/*" not in line)
    return formatted


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.ar")), ids=lambda path: path.stem)
def test_every_fixture_is_formatted_once_and_for_all(path: Path) -> None:
    assert_well_formatted(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("seed", range(25))
def test_a_valid_text_in_any_layout_keeps_tokens_comments_and_trees(seed: int) -> None:
    text = shaken(VALID, seed)
    assert Document.parse(text).problems == []
    assert trees(assert_well_formatted(text)) == trees(text)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_many_layouts_keep_tokens_comments_and_trees(seed: int) -> None:
    assert_well_formatted(shaken(VALID + source(200, seed), seed))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.integers(1, 6))
def test_a_broken_text_keeps_its_tokens_and_settles_at_once(seed: int, count: int) -> None:
    chooser, document = random.Random(seed), Document.parse(VALID)
    for _ in range(count):
        document = document.edit(*random_edit(chooser, len(document.text)))
    formatted = format_document(document)
    assert format_text(formatted) == formatted
    assert meaning(formatted) == meaning(document.text)
    assert comments(formatted) == comments(document.text)


def test_an_item_with_errors_is_left_as_it_is() -> None:
    broken = "type  A {\n  x:   ,\n}\n"
    assert format_text(f"type  B {{ x : Int }}\n{broken}type   C ;\n") == f"type B {{ x: Int }}\n{broken}type C;\n"


def test_a_formatted_text_ends_in_one_line_end_and_an_empty_one_stays_empty() -> None:
    assert format_text("type A;") == "type A;\n"
    assert format_text("type A;\n\n\n\n") == "type A;\n"
    assert format_text("\n \n") == ""


def test_items_on_one_line_are_parted_and_blank_lines_are_at_most_one() -> None:
    assert format_text("type A; type B;\n\n\n\ntype C;") == "type A;\ntype B;\n\ntype C;\n"


def test_bodies_of_inline_modules_are_indented() -> None:
    assert format_text("mod m {\ntype A;\nmod n {\n  type B;\n}\n}\n") == (
        "mod m {\n    type A;\n    mod n {\n        type B;\n    }\n}\n"
    )


def test_a_semicolon_behind_the_brace_of_a_module_goes() -> None:
    document = Document.parse("mod m { type A; } ; // done\nstandpoint S { };\n")
    assert document.problems == []
    assert format_document(document) == "mod m {\n    type A;\n} // done\nstandpoint S {\n}\n"


def test_a_list_that_does_not_fit_is_broken_and_ends_in_a_comma() -> None:
    names = ", ".join(f"a_long_name_{number}" for number in range(10))
    formatted = format_text(f"derive p(a) :- q({names});")
    assert "    a_long_name_9,\n" in formatted
    assert max(map(len, formatted.split("\n"))) <= 100


def test_a_list_that_the_author_broke_stays_broken() -> None:
    assert format_text("type A {\n x: Int }") == "type A {\n    x: Int,\n}\n"
    assert format_text("type A { x: Int, }") == "type A { x: Int }\n"


def test_a_line_comment_behind_the_last_element_stays_behind_its_comma() -> None:
    assert format_text("type A { x: Int // how many\n}") == "type A {\n    x: Int, // how many\n}\n"


def test_unicode_spellings_are_kept() -> None:
    assert format_text("derive p(x) ←\n ¬ q(x),x ∈ xs;") == "derive p(x) ←\n    ¬ q(x),\n    x ∈ xs;\n"


def test_line_ends_of_the_source_are_kept() -> None:
    assert format_text("type  A;\r\ntype B;\r\n") == "type A;\r\ntype B;\r\n"


def test_a_range_changes_only_the_items_that_it_touches() -> None:
    text = "type  A;\ntype  B;\ntype  C;\n"
    changes = format_changes(Document.parse(text), 10, 12)
    assert [(change.start, change.end, change.text) for change in changes] == [(9, 18, "type B;\n")]


def test_changes_applied_give_the_formatted_text() -> None:
    text = shaken(VALID, 3)
    document, result = Document.parse(text), text
    for change in reversed(format_changes(document)):
        result = result[: change.start] + change.text + result[change.end :]
    assert result == format_document(document)


def test_a_long_chain_of_operators_needs_no_deep_stack() -> None:
    formatted = format_text("fn f(a: Int) -> Int = " + " + ".join(["a"] * 5_000) + ";")
    assert formatted.count("+") == 4_999


def test_the_generated_source_is_in_canonical_layout() -> None:
    text = source(600)
    assert format_text(text) == text
