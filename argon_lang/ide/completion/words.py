"""Words of the language and snippets, by where they may stand."""

from __future__ import annotations

from collections.abc import Iterator

from argon_lang.ide.completion.model import Candidate
from argon_lang.syntax.templates import AGGREGATES, ASSERTIONS, ATOMS, ITEMS, STATEMENTS, VALUES
from argon_lang.syntax.token_table import PRIMITIVE_TYPES


def item_words() -> Iterator[Candidate]:
    """What begins an item."""
    return _words(ITEMS)


def statement_words(*, in_test: bool) -> Iterator[Candidate]:
    """What begins a statement; tests have assertions, too."""
    yield from _words(STATEMENTS)
    if in_test:
        yield from _words(ASSERTIONS)


def atom_words() -> Iterator[Candidate]:
    """What begins an atom, beside names."""
    return _words(ATOMS)


def value_words() -> Iterator[Candidate]:
    """What begins an expression, beside names."""
    yield from _words(VALUES)
    yield from _words(AGGREGATES)


def type_words() -> Iterator[Candidate]:
    """The built-in types."""
    return (Candidate(name, "type", "built-in type", rank=4) for name in PRIMITIVE_TYPES)


def _words(table: dict[str, str]) -> Iterator[Candidate]:
    for word, text in table.items():
        yield Candidate(word, "snippet" if "$" in text else "keyword", insert=text, snippet="$" in text, rank=6)
