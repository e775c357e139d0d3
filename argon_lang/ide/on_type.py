"""Layout while one types: an item is laid out when the character that ends it is typed, a new line begins indented."""

from __future__ import annotations

from argon_lang.ide.formatting import format_edits
from argon_lang.problems import Location, Replacement
from argon_lang.queries.database import Database
from argon_lang.syntax import kinds as K
from argon_lang.syntax.document import opens
from argon_lang.syntax.layout.printer import STEP
from argon_lang.syntax.tree import Item

TRIGGERS = ("}", ";", "\n")
"""The characters behind which an editor may ask."""

_OPENING = frozenset((K.LBRACE, K.LPAREN, K.LBRACKET))
_CLOSING = frozenset((K.RBRACE, K.RPAREN, K.RBRACKET))


def typed(db: Database, file: str, offset: int, character: str) -> tuple[Replacement, ...]:
    """The edits that follow a character typed in front of `offset`."""
    return _new_line(db, file, offset) if character == "\n" else _ended(db, file, offset)


def _ended(db: Database, file: str, offset: int) -> tuple[Replacement, ...]:
    """The layout of the item that ends at `offset`; nothing while one is in the middle of it, or it is in error."""
    found = db.item_at(file, max(0, offset - 1))
    tree = db.tree(found[0]) if found is not None else None
    if found is None or tree is None or tree.problems or tree.root.end != found[1] + 1:
        return ()
    start, end = offset - found[1] - 1, offset
    edits = format_edits(db, file)
    return tuple(
        each for each in edits if start <= each.location.start and each.location.end <= _line_end(db, file, end)
    )


def _line_end(db: Database, file: str, offset: int) -> int:
    text = db.text(file) or ""
    end = text.find("\n", offset)
    return len(text) if end < 0 else end + 1


def _new_line(db: Database, file: str, offset: int) -> tuple[Replacement, ...]:
    """The blanks that the line at `offset` begins with, as many as what is open around it asks for."""
    text = db.text(file) or ""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    end = start
    while end < len(text) and text[end] in " \t":
        end += 1
    depth = _depth(db, file, start)
    if depth is None:
        return ()
    wanted = " " * (STEP * max(0, depth - text[end : end + 1].count("}")))
    return (Replacement(Location(file, start, end), wanted),) if text[start:end] != wanted else ()


def _depth(db: Database, file: str, offset: int) -> int | None:
    """How many steps a line is indented; None inside of a comment or a text, which are the author's."""
    document = db.documents().get(file)
    found = db.item_at(file, offset)
    if document is None or found is None:
        return None
    outer = left = 0
    for item, start in zip(document.items, document.starts, strict=True):
        if offset < start + len(item.text) or item is document.items[-1]:
            inner, begun = _inside(item, offset - start), item.root.start < offset - start
            return None if inner is None else max(0, outer + (inner if begun else left))
        outer += opens(item) - (item.kind == K.N_CLOSE_BRACE)
        left = 0 if opens(item) else _inside(item, len(item.text)) or 0
    return 0


def _inside(item: Item, offset: int) -> int | None:
    """The steps that what is open in the item adds at an offset of it."""
    at, depth, last, body = 0, 0, 0, False
    for kind, token in zip(item.kinds, item.tokens, strict=True):
        if at + len(token) > offset:
            return None if at < offset and kind not in (K.WHITESPACE, K.NEWLINE) else depth + (body and not depth)
        at += len(token)
        if kind not in _TRIVIA:
            last = kind
            depth += (kind in _OPENING) - (kind in _CLOSING)
            body = (body or kind == K.TURNSTILE) and not (last == K.SEMI and not depth)
    return depth + (body and not depth)


_TRIVIA = frozenset((K.WHITESPACE, K.NEWLINE, K.LINE_COMMENT, K.BLOCK_COMMENT, K.OUTER_DOC, K.INNER_DOC))
