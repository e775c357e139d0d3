"""Attributes `#[…]`, file attributes `#![…]`, and visibility."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import exprs
from argon_lang.syntax.parser.cursor import Cursor
from argon_lang.syntax.parser.lists import bracketed, name, path
from argon_lang.syntax.parser.starts import EXPR_START

_STOP = frozenset((K.RBRACKET,))


def attributes(p: Cursor) -> None:
    """Any number of `#[…]`."""
    while p.kinds[p.pos] == K.HASH_BRACKET:
        first, first_node = p.pos, len(p.out)
        attribute_body(p)
        p.close(K.N_ATTRIBUTE, first, first_node)


def attribute_body(p: Cursor) -> None:
    """The bracket, path and arguments of an attribute; the opening bracket is here."""
    p.pos += 1
    if not p.enter():
        p.depth -= 1
        return
    path(p)
    if p.kinds[p.pos] == K.LPAREN:
        bracketed(p, K.LPAREN, K.RPAREN, _argument, EXPR_START, K.N_ATTRIBUTE_ARGS)
    if not p.accept(K.RBRACKET):
        p.expected("`]`", fixes=p.insertion("]"))
        if not p.newline_before(p.pos):
            p.skip(_STOP)
            p.accept(K.RBRACKET)
    p.depth -= 1


def _argument(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if p.kinds[first] >= K.IDENT and p.kinds[first + 1] == K.COLON:
        name(p)
        p.pos += 1
        exprs.expr(p)
        p.close(K.N_NAMED_ARG, first, first_node)
    else:
        exprs.argument(p)


def visibility(p: Cursor) -> None:
    """`pub` or `pub(pkg)`, if it is here."""
    first, first_node = p.pos, len(p.out)
    if not p.accept(K.KW_PUB):
        return
    if p.accept(K.LPAREN):
        if p.text(p.pos) == "crate":
            p.foreign("pkg", expected="`pkg`")
            p.kinds[p.pos] = K.CTX_PKG
        p.expect(K.CTX_PKG)
        p.expect(K.RPAREN)
    p.close(K.N_VISIBILITY, first, first_node)
