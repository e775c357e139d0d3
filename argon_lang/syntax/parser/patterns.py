"""Patterns of `match` and `is` (language reference §3.10)."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import words
from argon_lang.syntax.parser.cursor import SEGMENT_KEYWORDS, Cursor
from argon_lang.syntax.parser.lists import listing, name, path
from argon_lang.syntax.parser.starts import NAME_START, PATTERN_START


def pattern(p: Cursor) -> None:
    """A pattern with its alternatives; reported, and no node, when there is none."""
    first, first_node = p.pos, len(p.out)
    if p.enter():
        _single(p)
        if p.kinds[p.pos] == K.PIPE:
            while p.accept(K.PIPE):
                _single(p)
            p.close(K.N_OR_PATTERN, first, first_node)
    p.depth -= 1


def _single(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    kind = p.kinds[first]
    if kind == K.UNDERSCORE:
        p.pos += 1
        p.close(K.N_WILDCARD_PATTERN, first, first_node)
    elif kind in K.LITERAL or kind == K.MINUS:
        _literal(p, first, first_node)
    elif kind >= K.IDENT or kind in SEGMENT_KEYWORDS:
        _path_pattern(p, first, first_node)
    else:
        p.expected(words.PATTERN)


def _literal(p: Cursor, first: int, first_node: int) -> None:
    p.accept(K.MINUS)
    if p.kinds[p.pos] in K.LITERAL:
        p.pos += 1
        p.close(K.N_LITERAL, p.pos - 1, len(p.out))
    else:
        p.expected(words.NUMBER)
    p.close(K.N_LITERAL_PATTERN, first, first_node)


def _path_pattern(p: Cursor, first: int, first_node: int) -> None:
    following = p.kinds[first + 1]
    if following not in (K.COLON_COLON, K.LPAREN, K.LBRACE) and p.kinds[first] >= K.IDENT:
        name(p)
        p.close(K.N_BINDING_PATTERN, first, first_node)
        return
    path(p)
    if p.accept(K.LPAREN):
        listing(p, K.RPAREN, pattern, PATTERN_START)
        p.close(K.N_TUPLE_PATTERN, first, first_node)
    elif p.accept(K.LBRACE):
        listing(p, K.RBRACE, _field, NAME_START | {K.DOT_DOT})
        p.close(K.N_RECORD_PATTERN, first, first_node)
    else:
        p.close(K.N_PATH_PATTERN, first, first_node)


def _field(p: Cursor) -> None:
    if p.accept(K.DOT_DOT):
        return
    first, first_node = p.pos, len(p.out)
    name(p, "a field")
    if p.accept(K.COLON):
        pattern(p)
    p.close(K.N_FIELD_PATTERN, first, first_node)
