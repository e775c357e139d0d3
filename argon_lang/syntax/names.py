"""What a written name means as a word: NFC, and the ASCII spelling of a Unicode operator word (UAX #31)."""

from __future__ import annotations

from unicodedata import normalize

from argon_lang.syntax.nodes import Name, Path
from argon_lang.syntax.token_table import TOKENS
from argon_lang.syntax.tree import IncompleteTree, Token, need

_WORDS = {kind.spellings[1]: kind.spellings[0] for kind in TOKENS if len(kind.spellings) > 1}


def word(text: str) -> str:
    """The canonical form of an identifier or word as written: what two names are compared by."""
    return text if text.isascii() else _WORDS.get(text) or normalize("NFC", text)


def name_word(name: Name | Token | None) -> str:
    """The word of a name node or name token. Raises IncompleteTree when it is missing."""
    if name is None:
        raise IncompleteTree
    return word(name.text)


def path_words(path: Path | None) -> tuple[str, ...]:
    """The words of a path's segments. Raises IncompleteTree when the path is missing."""
    return tuple(word(token.text) for token in need(path).segments)
