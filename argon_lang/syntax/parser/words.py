"""The classes of things that a message may say were expected, and how tokens are named in messages."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax.token_table import TOKENS

EXPRESSION = "an expression"
NAME = "a name"
TYPE = "a type"
PATTERN = "a pattern"
ATOM = "a condition"
ITEM = "an item"
STATEMENT = "a statement"
STRING = "a string"
NUMBER = "a number"
BLOCK = "a block in braces"
FIELD = "a field"
VARIANT = "a variant"
PARAMETER = "a parameter"
FIELD_STEP = "a field `x.f`"
BODY = "a body in braces"
MEMBER = "a member (`fn`, `derive`, `query`, `check`, `mutate`)"
HEAD = "the head of a block"
BARE_STRUCT = "struct literal outside parentheses"
END_OF_FILE = "end of file"

_LONGEST = 40


def quoted(kind: int) -> str:
    """A token kind as its spelling in backquotes."""
    return f"`{TOKENS[kind].spellings[0]}`"


def described(kind: int, text: str) -> str:
    """A token that was found, in backquotes; long ones are cut."""
    if kind == K.EOF:
        return END_OF_FILE
    return f"`{text}`" if len(text) <= _LONGEST else f"`{text[:_LONGEST]}…`"


def one_of(names: tuple[str, ...]) -> str:
    """`a, b or c`, of at most four."""
    names = names[:4]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
