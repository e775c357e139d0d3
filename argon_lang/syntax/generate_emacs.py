"""From the token table to the words that Emacs colours: `argon-tokens.el`."""

from __future__ import annotations

from collections.abc import Sequence

from argon_lang.syntax import generate_editors as words
from argon_lang.syntax.table import TokenKind
from argon_lang.syntax.token_table import KEYWORDS, PRIMITIVE_TYPES


def emacs_tokens() -> str:
    """`argon-tokens.el`: one constant for each kind of word."""
    lists = {
        "declarations": ("Words in front of a name that they declare.", words.DECLARES),
        "keywords": ("Reserved words, but for constants.", [*_reserved(KEYWORDS), "mut"]),
        "constants": ("Words that are values.", words.CONSTANTS),
        "types": ("Types that need no import.", PRIMITIVE_TYPES),
        "aggregates": ("Names of aggregates in front of a bracket.", words.aggregates()),
        "contextual": ("Words that mean something in their places, and are names elsewhere.", words.contextual()),
        "first-words": ("Words that begin a line and are no metatypes.", words.first_words()),
    }
    head = ";;; argon-tokens.el --- The words of Argon -*- lexical-binding: t; -*-"
    parts = [head, f";; {words.NOTICE}", *(_constant(name, doc, found) for name, (doc, found) in lists.items())]
    return "\n\n".join([*parts, "(provide 'argon-tokens)\n;;; argon-tokens.el ends here"]) + "\n"


def _reserved(kinds: tuple[TokenKind, ...]) -> list[str]:
    return [kind.spellings[0] for kind in kinds if kind.spellings[0] not in words.CONSTANTS]


def _constant(name: str, doc: str, found: Sequence[str]) -> str:
    listed = " ".join(f'"{each}"' for each in found)
    return f'(defconst argon-tokens-{name}\n  \'({listed})\n  "{doc}")'
