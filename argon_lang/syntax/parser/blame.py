"""Which opening bracket is to blame when one is missing its end: the indentation of the closing ones tells."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser.cursor import CLOSER_OF, CLOSERS, OPENERS, Cursor


def closer_of(p: Cursor, opener: int) -> int:
    """The kind of bracket that closes the one at `opener`."""
    return CLOSER_OF.get(p.kinds[opener], K.RBRACKET)


def unclosed(p: Cursor, opener: int) -> tuple[int, int | None]:
    """The guilty bracket of the item up to here, and the token whose indentation betrays it, if one does.

    A `}` that begins its line left of the line where its partner was opened closes something further out, so the
    partner is the one that was forgotten. Without such a line it is the bracket that the parser was in.
    """
    stack: list[int] = []
    for pos in range(p.first, p.pos):
        kind = p.kinds[pos]
        if kind in OPENERS:
            stack.append(pos)
        elif kind in CLOSERS and stack:
            partner = stack.pop()
            column = p.column(pos)
            if kind == K.RBRACE and column is not None and column < _line_indent(p, partner):
                return partner, pos
    return opener, None


def _line_indent(p: Cursor, pos: int) -> int:
    """Width of the blanks that begin the line of the token at `pos`."""
    while pos > p.first:
        column = p.column(pos)
        if column is not None:
            return column
        pos -= 1
    return p.indent
