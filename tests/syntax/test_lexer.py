"""Tokens: kinds, spellings, identifiers, literals."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.syntax import kinds as K
from argon_lang.syntax.lexer import lex
from argon_lang.syntax.lexical import lexical_problems
from argon_lang.syntax.literals import bad_date, bad_number, datetime_value, number_value, string_value
from argon_lang.syntax.names import word
from argon_lang.syntax.table import TokenKind
from argon_lang.syntax.token_table import TOKENS

CHARACTERS = st.sampled_from(list('aé∈€_09 \n\r\t"#/*.:<-=>!|&[](){}\\u\u0301\u2118\u2028\ufeff'))


def significant(text: str) -> list[tuple[str, str]]:
    tokens, kinds, _ = lex(text)
    return [(K.TOKEN_NAMES[kind], token) for kind, token in zip(kinds, tokens, strict=True) if kind > K.ERROR]


def codes(text: str) -> list[str]:
    return [problem.code for problem in lexical_problems(*lex(text))]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(alphabet=CHARACTERS, max_size=30))
def test_tokens_are_the_text_and_every_one_has_a_kind(text: str) -> None:
    tokens, kinds, bad = lex(text)
    assert "".join(tokens) == text
    assert all(0 < kind < len(K.TOKEN_NAMES) for kind in kinds)
    assert all(kinds[place] == K.ERROR or tokens[place] for place in bad)
    assert bool(bad) == bool(lexical_problems(tokens, kinds, bad))


@pytest.mark.parametrize("kind", [kind for kind in TOKENS if kind.spellings], ids=lambda kind: kind.name)
def test_every_spelling_of_a_token_is_that_token(kind: TokenKind) -> None:
    assert [significant(spelling) for spelling in kind.spellings] == [[(kind.name, each)] for each in kind.spellings]


def test_operators_take_the_longest_spelling() -> None:
    text = ":- :: <: <= >= => == != -> .. ..= += -= && || #[ #!["
    assert [token for _, token in significant(text)] == text.split()
    assert [token for _, token in significant(text.replace(" ", "\n"))] == text.split()


def test_a_unicode_operator_ends_an_identifier() -> None:
    assert [token for _, token in significant("x∈xs⊑y")] == ["x", "∈", "xs", "⊑", "y"]


@pytest.mark.parametrize("name", ["_x1", "größe", "名前", "mu\u0301", "\u2118x", "Δt"])
def test_identifiers_are_those_of_the_unicode_annex(name: str) -> None:
    assert significant(name) == [("IDENT", name)]


def test_names_are_compared_after_normalization() -> None:
    assert word("e\u0301") == word("\u00e9") == "\u00e9"
    assert word("¬") == "not"


def test_a_range_of_numbers_is_no_decimal_and_a_method_of_one_no_fraction() -> None:
    assert [token for _, token in significant("1..3 30.days 1.5 0..=9")] == [
        "1", "..", "3", "30", ".", "days", "1.5", "0", "..=", "9"]  # fmt: skip


@pytest.mark.parametrize(("token", "wrong"), [
    ("0", False), ("1_000", False), ("12.50", False), ("1_", True), ("1__0", True), ("0x1F", True), ("1e3", True),
    ("12abc", True), ("1.5_0", False),
])  # fmt: skip
def test_numbers(token: str, wrong: bool) -> None:
    assert bad_number(token) is wrong
    assert (codes(token) == ["OE0010"]) is wrong


@pytest.mark.parametrize(("token", "wrong"), [
    ("#2026-01-31#", False), ("#2024-02-29#", False), ("#2026-02-29#", True), ("#2026-00-01#", True),
    ("#26-01-01#", True), ("#2026-01-31T12:00:00Z#", False), ("#2026-01-31T12:00:00.5+05:30#", False),
    ("#2026-01-31T12:00:00#", True), ("#2026-01-31T24:00:00Z#", True), ("#2026-01-31T12:00:00+25:00#", True),
    ("#0000-01-01#", True),
])  # fmt: skip
def test_dates_are_those_of_the_calendar_and_times_have_an_offset(token: str, wrong: bool) -> None:
    assert bad_date(token) is wrong
    assert (codes(token) == ["OE0013"]) is wrong


def test_a_date_time_has_a_value() -> None:
    assert datetime_value("#2026-01-31T12:00:00Z#").isoformat() == "2026-01-31T12:00:00+00:00"


def test_literals_have_values() -> None:
    assert string_value(r'"a\n\u{e9}\"\\"') == 'a\né"\\'
    assert number_value("1_000.5_0") == "1000.50"


@pytest.mark.parametrize("text", ['"abc', '"abc\n', '"a\\', '"a\\\n"', "#2026-01-31", "/* a", "/* /* */"])
def test_a_literal_without_end_is_one_problem(text: str) -> None:
    assert codes(text)[0] == "OE0003"


def test_an_unterminated_string_ends_with_its_line() -> None:
    assert significant('"abc\nx')[1] == ("IDENT", "x")


@pytest.mark.parametrize("character", ["$", "“", "\u00a0", "\u2028", "\ud800", "²"])
def test_a_character_that_starts_no_token_is_named(character: str) -> None:
    problem = lexical_problems(*lex(f"a {character} b"))[0]
    assert (problem.code, problem.start) == ("OE0004", 2)
    assert dict(problem.args)["codepoint"] == f"U+{ord(character):04X}"


def test_a_run_of_wrong_characters_is_one_problem() -> None:
    assert codes("a $$$ b") == ["OE0004"]


def test_letters_of_two_scripts_in_one_name_are_a_warning() -> None:
    assert codes("p\u0430y") == ["OW0006"]
    assert codes("日本語の名前 日本x größe") == []


def test_the_kinds_of_comments() -> None:
    tokens, kinds, _ = lex("// a\n/// b\n//! c\n//// d\n/* e */")
    found = [K.TOKEN_NAMES[kind] for kind in kinds if kind != K.NEWLINE]
    assert found == ["LINE_COMMENT", "OUTER_DOC", "INNER_DOC", "LINE_COMMENT", "BLOCK_COMMENT"]
    assert len(tokens) == 9
