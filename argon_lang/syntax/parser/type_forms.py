"""Types (language reference §4) and multiplicities."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import words
from argon_lang.syntax.parser.cursor import SEGMENT_KEYWORDS, Cursor
from argon_lang.syntax.parser.habits import tell
from argon_lang.syntax.parser.lists import bracketed, name, path, without_brackets
from argon_lang.syntax.parser.starts import NAME_START, TYPE_START


def type_(p: Cursor) -> None:
    """A type; reported, and no node, when there is none."""
    first, first_node = p.pos, len(p.out)
    kind = p.kinds[first]
    if (kind >= K.IDENT and not p.declares()) or kind in SEGMENT_KEYWORDS:
        _named(p, first, first_node)
    elif kind == K.LBRACKET:
        _list(p, first, first_node)
    elif kind == K.KW_FN:
        _function(p, first, first_node)
    else:
        p.expected(words.TYPE)
        return
    depth = p.depth
    while p.kinds[p.pos] == K.QUESTION and p.enter():
        p.pos += 1
        p.close(K.N_OPTIONAL_TYPE, first, first_node)
    p.depth = depth


def _named(p: Cursor, first: int, first_node: int) -> None:
    path(p)
    if p.kinds[p.pos] == K.LT:
        if p.enter():
            bracketed(p, K.LT, K.GT, type_, TYPE_START, K.N_TYPE_ARGS)
        p.depth -= 1
    p.close(K.N_NAMED_TYPE, first, first_node)


def _list(p: Cursor, first: int, first_node: int) -> None:
    p.pos += 1
    if p.enter():
        type_(p)
        if p.accept(K.SEMI):
            bounds(p)
        if not p.accept(K.RBRACKET):
            p.expected("`]`", "`;`")
            p.skip(frozenset((K.COMMA, K.SEMI, K.EQ)))
            p.accept(K.RBRACKET)
    p.depth -= 1
    p.close(K.N_LIST_TYPE, first, first_node)


def _function(p: Cursor, first: int, first_node: int) -> None:
    p.pos += 1
    if p.enter():
        bracketed(p, K.LPAREN, K.RPAREN, type_, TYPE_START, K.N_FN_TYPE_PARAMS)
        return_type(p)
    p.depth -= 1
    p.close(K.N_FN_TYPE, first, first_node)


def return_type(p: Cursor) -> None:
    """`-> T`, which must be here. `: T` is understood and corrected."""
    first, first_node = p.pos, len(p.out)
    if p.kinds[first] == K.COLON:
        p.foreign("->", expected="`->`")
        p.pos += 1
    elif not p.expect(K.ARROW):
        return
    type_(p)
    p.close(K.N_RETURN_TYPE, first, first_node)


_BEHIND_SUPERS = frozenset((K.SEMI, K.LBRACE, K.COLON, K.KW_WHERE, K.KW_IFF))


def supers(p: Cursor, opener: int, node: int) -> None:
    """`<: T, …` or `: T, …`, if the opener is here."""
    first, first_node = p.pos, len(p.out)
    if not p.accept(opener):
        return
    without_brackets(p, type_, behind_supers)
    p.close(node, first, first_node)


def behind_supers(p: Cursor) -> bool:
    """Is here what may follow the list of a declaration's types or standpoints?"""
    return p.kinds[p.pos] in _BEHIND_SUPERS


def type_annotation(p: Cursor) -> None:
    """`: T`, which must be here. A list of names that all lack one is told of once."""
    if p.kinds[p.pos] in (K.COMMA, K.RPAREN) and p.pos > p.first:
        if p.last < p.pos - 2:
            tell(p, "untyped", p.pos, p.pos, "`:`", name=p.text(p.pos - 1))
        p.last = p.pos
        return
    if p.expect(K.COLON) or (p.kinds[p.pos] in TYPE_START and not p.newline_before(p.pos)):
        type_(p)


def bounds(p: Cursor) -> None:
    """`n`, `n..m`, `n..=m` or `n..*`, as one or two Bound nodes."""
    _bound(p)
    if p.kinds[p.pos] in (K.DOT_DOT, K.DOT_DOT_EQ):
        p.pos += 1
        _bound(p)


def _bound(p: Cursor) -> None:
    if p.kinds[p.pos] in (K.INT, K.STAR):
        p.pos += 1
        p.close(K.N_BOUND, p.pos - 1, len(p.out))
    else:
        p.expected(words.NUMBER, "`*`")


def cardinality(p: Cursor) -> None:
    """`[n..m]` behind the endpoints of a relation."""
    first, first_node = p.pos, len(p.out)
    p.pos += 1
    bounds(p)
    p.expect(K.RBRACKET)
    p.close(K.N_CARDINALITY, first, first_node)


def generics(p: Cursor) -> None:
    """`<T: Bound, …>`, if it is here."""
    if p.kinds[p.pos] == K.LT:
        bracketed(p, K.LT, K.GT, _generic_param, NAME_START, K.N_GENERICS)


def _generic_param(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    name(p, "a type parameter")
    if p.accept(K.COLON):
        path(p)
    p.close(K.N_GENERIC_PARAM, first, first_node)
