"""The meta-calculus (language reference §3.1): metaxis, metatype, metarel."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import forms
from argon_lang.syntax.parser.clauses import end_item
from argon_lang.syntax.parser.cursor import Cursor
from argon_lang.syntax.parser.data import axis_setting
from argon_lang.syntax.parser.lists import bracketed, name, name_element, path
from argon_lang.syntax.parser.starts import NAME_START, PATH_START
from argon_lang.syntax.parser.type_forms import type_

_TARGET_START = frozenset((K.KW_METATYPE, K.KW_METAREL, K.LBRACKET))


def metaxis(p: Cursor) -> int:
    """`metaxis A for metatype { a < b }`."""
    p.pos += 1
    name(p, "an axis")
    if p.expect(K.KW_FOR):
        _target(p)
    kind = p.kinds[p.pos]
    if kind == K.LBRACE:
        _values(p)
        p.accept(K.SEMI)
    elif kind == K.EQ:
        _typed(p)
        end_item(p, "the axis")
    else:
        end_item(p, "the axis", expected="`{` or `;`")
    return K.N_METAXIS_DECL


def _target(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if p.kinds[first] in (K.KW_METATYPE, K.KW_METAREL):
        p.pos += 1
    elif p.kinds[first] == K.LBRACKET:
        p.pos += 1
        if p.enter():
            _targets(p)
        p.depth -= 1
    else:
        p.expected("`metatype`", "`metarel`", "`[`")
        return
    p.close(K.N_META_TARGET, first, first_node)


def _targets(p: Cursor) -> None:
    """The list in brackets: no `listing`, which would take `metatype` for the next item."""
    while p.kinds[p.pos] in _TARGET_START:
        _target(p)
        if not p.accept(K.COMMA):
            break
    if not p.accept(K.RBRACKET):
        p.expected("`,`", "`]`")


def _values(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if p.kinds[first + 2] == K.LT:
        p.pos += 1
        name(p, "an axis value")
        while p.accept(K.LT):
            name(p, "an axis value")
        p.expect(K.RBRACE)
        p.close(K.N_AXIS_VALUES, first, first_node)
    else:
        bracketed(p, K.LBRACE, K.RBRACE, name_element, NAME_START, K.N_AXIS_VALUES)


def _typed(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    p.pos += 1
    type_(p)
    p.wildcard = True
    forms.where(p)
    p.wildcard = False
    p.close(K.N_AXIS_TYPE, first, first_node)


def metatype(p: Cursor) -> int:
    """`metatype M = { … }`."""
    p.pos += 1
    name(p, "a metatype")
    p.expect(K.EQ)
    bracketed(p, K.LBRACE, K.RBRACE, axis_setting, PATH_START, K.N_AXIS_SETTINGS)
    p.accept(K.SEMI)
    return K.N_METATYPE_DECL


def metarel(p: Cursor) -> int:
    """`metarel R(…) { … }`."""
    p.pos += 1
    name(p, "a metarel")
    if p.kinds[p.pos] == K.LPAREN:
        bracketed(p, K.LPAREN, K.RPAREN, _end, NAME_START, K.N_METAREL_ENDS)
    else:
        p.expect(K.LPAREN)
    if p.kinds[p.pos] == K.LBRACE:
        bracketed(p, K.LBRACE, K.RBRACE, axis_setting, PATH_START, K.N_AXIS_SETTINGS)
        p.accept(K.SEMI)
    else:
        end_item(p, "the metarel", expected="`{` or `;`")
    return K.N_METAREL_DECL


def _end(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    name(p, "an endpoint")
    if p.pos > first:
        if p.expect(K.COLON):
            path(p)
        p.close(K.N_METAREL_END, first, first_node)
