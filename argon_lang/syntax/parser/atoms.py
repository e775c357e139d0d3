"""Atoms of rule bodies (language reference §3.9)."""

from __future__ import annotations

from argon_lang.problems import Note, args
from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import exprs, foreign_exprs, foreign_selects, words
from argon_lang.syntax.parser.cursor import Cursor
from argon_lang.syntax.parser.lists import unclosed
from argon_lang.syntax.parser.starts import ATOM_START, EXPR_START
from argon_lang.syntax.parser.type_forms import type_

_HARD_END = frozenset((K.SEMI, K.FAT_ARROW, K.RBRACE, K.RPAREN, K.RBRACKET, K.EOF, K.KW_WHERE))
_BODY_END = _HARD_END | K.SELECT_CLAUSE
_CLAUSE_WORD = {
    K.CTX_GROUP: K.CTX_BY, K.CTX_ORDER: K.CTX_BY, K.CTX_OPTIONAL: K.KW_FROM, K.CTX_UNION: K.KW_SELECT,
    K.CTX_INTERSECT: K.KW_SELECT, K.CTX_EXCEPT: K.KW_SELECT,
}  # fmt: skip
_STOP = frozenset((K.COMMA, K.SEMI, K.FAT_ARROW))


def body(p: Cursor) -> None:
    """`atom, …` as a Body; at least one is expected."""
    first, first_node = p.pos, len(p.out)
    atom(p)
    rest_of_body(p, first, first_node)


def rest_of_body(p: Cursor, first: int, first_node: int) -> None:
    """The atoms behind the one that was read from token `first` on."""
    kinds = p.kinds
    here = first
    while True:
        kind = kinds[p.pos]
        if kind == K.COMMA:
            p.pos += 1
            if _ends_after_comma(p):
                break
        elif kind in _BODY_END or not _resume(p, kind, here):
            break
        here = p.pos
        atom(p)
    p.close(K.N_BODY, first, first_node)


def begins_clause(p: Cursor) -> bool:
    """Is here a word that begins a clause of a select, with the one that must follow it?"""
    return _CLAUSE_WORD.get(p.kinds[p.pos]) == p.kinds[p.pos + 1]


def _ends_after_comma(p: Cursor) -> bool:
    kind = p.kinds[p.pos]
    if kind in _HARD_END or begins_clause(p):
        return True
    return p.kinds[p.pos + 1] >= K.IDENT and kind >= K.IDENT and p.at_item(p.pos)


def _resume(p: Cursor, kind: int, here: int) -> bool:
    """Behind an atom that neither a comma nor the end of the body follows: whether another atom can begin."""
    if p.ends_here():
        return False
    if kind == K.AND_AND or (kind == K.IDENT and p.text(p.pos).lower() == "and"):
        p.foreign(",", expected="`,`")
        p.pos += 1
        return True
    if foreign_selects.source_form(p, here):
        return p.accept(K.COMMA) and not _ends_after_comma(p)
    if kind in ATOM_START and p.pos > here:
        p.expected("`,`", "`;`", fixes=p.insertion(","))
        return True
    p.expected("`,`", "`;`")
    p.skip(_STOP)
    return p.accept(K.COMMA) and not _ends_after_comma(p)


def atom(p: Cursor) -> None:
    """One atom; a Missing node, reported, when there is none."""
    first, first_node = p.pos, len(p.out)
    kind = p.kinds[first]
    if kind >= K.IDENT and p.kinds[first + 1] >= K.IDENT and p.at_item(first):
        p.expected(words.ATOM)
        p.close(K.N_MISSING, first, first_node)
    elif kind == K.KW_NOT:
        p.pos += 1
        if p.enter():
            atom(p)
        p.depth -= 1
        p.close(K.N_NEGATED_ATOM, first, first_node)
    elif kind == K.KW_EXISTS:
        _exists(p, first, first_node)
    elif kind == K.KW_FORALL:
        _forall(p, first)
    elif kind in EXPR_START:
        _from_expression(p, first, first_node)
    else:
        p.expected(words.ATOM)
        p.close(K.N_MISSING, first, first_node)


def _from_expression(p: Cursor, first: int, first_node: int) -> None:
    p.atom_at = first
    exprs.expr(p)
    kind = p.kinds[p.pos]
    if kind == K.COLON:
        p.pos += 1
        type_(p)
        p.close(K.N_TYPE_ATOM, first, first_node)
    elif kind == K.EQ and foreign_exprs.comparison(p):
        exprs.expr(p, exprs.COMPARISON)
        p.close(K.N_BINARY, first, first_node)
    elif kind == K.EQ:
        if p.out[-1][0] == K.N_PATH and p.pos == first + 1:
            p.pos += 1
            at, node = p.pos, len(p.out)
            exprs.expr(p)
            if p.kinds[p.pos] == K.COLON:
                foreign_exprs.aggregate_colon(p, at, node)
            p.close(K.N_BIND_ATOM, first, first_node)
        else:
            exprs.equals_for_comparison(p)
            p.pos += 1
            exprs.expr(p, exprs.COMPARISON)
            p.close(K.N_BINARY, first, first_node)


def _exists(p: Cursor, first: int, first_node: int) -> None:
    if p.kinds[first + 1] != K.LBRACE:
        _quantifier(p, first, "exists", Note("exists"))
        return
    p.pos += 2
    if p.enter():
        struct, p.no_struct = p.no_struct, False
        body(p)
        close_brace(p, first + 1)
        p.no_struct = struct
    p.depth -= 1
    p.close(K.N_EXISTS_ATOM, first, first_node)


def _forall(p: Cursor, first: int) -> None:
    _quantifier(p, first, "forall", Note("forall", args(suggestion="not exists { …, not … }")))


def _quantifier(p: Cursor, first: int, construct: str, note: Note) -> None:
    """OE1315: a quantifier of logic in a body; skipped to the end of the atom."""
    p.report("OE1315", p.start(first), p.end(first), {"construct": construct}, notes=(note,))
    p.pos += 1
    p.skip(_STOP)


def where_atoms(p: Cursor) -> None:
    """`where atom, …`, if it is here."""
    first, first_node = p.pos, len(p.out)
    if p.accept(K.KW_WHERE):
        body(p)
        p.close(K.N_WHERE_ATOMS, first, first_node)


def close_brace(p: Cursor, opener: int) -> None:
    """The `}` that ends atoms in braces; what stands before it is reported and skipped."""
    if p.accept(K.RBRACE):
        return
    if not p.ends_here():
        p.expected("`,`", "`}`")
        p.skip(frozenset((K.SEMI,)))
        if p.kinds[p.pos] == K.SEMI and p.kinds[p.pos + 1] == K.RBRACE:
            p.pos += 1
        if p.accept(K.RBRACE):
            return
    unclosed(p, opener, K.RBRACE)
