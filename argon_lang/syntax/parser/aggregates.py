"""Aggregates: `sum(e for x in xs where p, atom, …)` and `count { e from atom, … where atom, … }`."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import atoms, exprs, forms
from argon_lang.syntax.parser.cursor import Cursor


def call_form(p: Cursor, first: int, first_node: int) -> None:
    """The form in parentheses; the `(` is here, the aggregate's word before it."""
    opener = p.pos
    p.pos += 1
    if p.enter():
        struct, p.no_struct = p.no_struct, False
        exprs.argument(p)
        if p.kinds[p.pos] == K.KW_FOR:
            forms.for_source(p, heads=False)
        forms.where(p, heads=False)
        if p.accept(K.COMMA) and p.kinds[p.pos] != K.RPAREN:
            atoms.body(p)
        if not p.accept(K.RPAREN):
            exprs.close_paren(p, opener)
        p.no_struct = struct
    p.depth -= 1
    p.close(K.N_AGGREGATE_CALL, first, first_node)


def block_form(p: Cursor, first: int, first_node: int) -> None:
    """The form in braces; the `{` is here."""
    opener = p.pos
    p.pos += 1
    if p.enter():
        struct, p.no_struct = p.no_struct, False
        at, node = p.pos, len(p.out)
        atoms.atom(p)
        if p.accept(K.KW_FROM):
            p.close(K.N_AGGREGATE_VALUE, at, node)
            atoms.body(p)
        else:
            atoms.rest_of_body(p, at, node)
        atoms.where_atoms(p)
        atoms.close_brace(p, opener)
        p.no_struct = struct
    p.depth -= 1
    p.close(K.N_AGGREGATE_BLOCK, first, first_node)
