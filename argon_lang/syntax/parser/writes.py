"""Insert, update, delete, refute, forget (language reference §3.11)."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import exprs, foreign_stmts, forms, words
from argon_lang.syntax.parser.clauses import at_clause, end_stmt, no_at, no_until, until_clause
from argon_lang.syntax.parser.cursor import Cursor
from argon_lang.syntax.parser.lists import bracketed, name, path
from argon_lang.syntax.parser.starts import NAME_START
from argon_lang.syntax.parser.type_forms import type_

_ASSIGNMENTS = (K.EQ, K.PLUS_EQ, K.MINUS_EQ)


def insert_stmt(p: Cursor) -> int:
    """`insert …;`, its word just read."""
    p.pos -= 1
    insert(p)
    end_stmt(p, "`insert`")
    return K.N_INSERT_STMT


def insert(p: Cursor) -> None:
    """`insert T { … }`, `insert R(…) …` or `insert e into x.f`; the word is here."""
    first, first_node = p.pos, len(p.out)
    p.pos += 1
    if p.kinds[p.pos] == K.CTX_INTO and p.kinds[p.pos + 1] >= K.IDENT and p.kinds[p.pos + 2] in (K.LPAREN, K.IDENT):
        foreign_stmts.insert_into(p)
        p.close(K.N_INSERT_ENTITY, first, first_node)
        return
    exprs.expr(p)
    made = p.out[-1][0]
    if p.kinds[p.pos] == K.CTX_INTO:
        _into(p)
        p.close(K.N_INSERT_INTO, first, first_node)
    elif made == K.N_STRUCT_EXPR:
        p.out.pop()
        no_at(p, "an insert of a new individual")
        p.close(K.N_INSERT_ENTITY, first, first_node)
    elif made == K.N_CALL:
        p.out.pop()
        _tuple_clauses(p)
        p.close(K.N_INSERT_TUPLE, first, first_node)
    else:
        if made != K.N_MISSING:
            p.expected("`{`", "`(`", "`into`")
        p.close(K.N_INSERT_INTO, first, first_node)


def _tuple_clauses(p: Cursor) -> None:
    if p.kinds[p.pos] == K.LBRACE:
        forms.field_inits(p)
    at_clause(p)
    until_clause(p)


def _into(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    p.pos += 1
    exprs.expr(p)
    if p.out[-1][0] not in (K.N_FIELD_EXPR, K.N_MISSING):
        p.expected(words.FIELD_STEP)
    p.close(K.N_INTO_CLAUSE, first, first_node)


def update(p: Cursor) -> int:
    """`update x: T set { … } where p at d;`, its word just read."""
    name(p, "a variable")
    if p.accept(K.COLON):
        type_(p)
    if p.kinds[p.pos] == K.CTX_SET and p.kinds[p.pos + 1] >= K.IDENT:
        p.pos += 1
        foreign_stmts.set_without_braces(p, p.pos)
    elif p.expect(K.CTX_SET):
        bracketed(p, K.LBRACE, K.RBRACE, _assignment, NAME_START, K.N_ASSIGNMENTS)
    forms.where(p)
    at_clause(p)
    no_until(p, "`update`")
    end_stmt(p, "`update`")
    return K.N_UPDATE_STMT


def _assignment(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    name(p, "a field")
    if p.kinds[p.pos] in _ASSIGNMENTS:
        p.pos += 1
        exprs.expr(p)
    elif p.kinds[p.pos] == K.COLON:
        p.foreign("=", expected="`=`")
        p.pos += 1
        exprs.expr(p)
    elif p.pos > first:
        p.expected("`=`", "`+=`", "`-=`")
    if p.pos > first:
        p.close(K.N_ASSIGNMENT, first, first_node)


def delete(p: Cursor) -> int:
    """`delete P(…) at d;`, its word just read."""
    _target(p)
    at_clause(p)
    no_until(p, "`delete`")
    end_stmt(p, "`delete`")
    return K.N_DELETE_STMT


def refute(p: Cursor) -> int:
    """`refute P(…) at d;`, its word just read."""
    _target(p)
    at_clause(p)
    no_until(p, "`refute`")
    end_stmt(p, "`refute`")
    return K.N_REFUTE_STMT


def forget(p: Cursor) -> int:
    """`forget P(…);`, its word just read."""
    _target(p)
    no_at(p, "`forget`")
    end_stmt(p, "`forget`")
    return K.N_FORGET_STMT


def _target(p: Cursor) -> None:
    if p.kinds[p.pos] == K.KW_FROM and p.kinds[p.pos + 1] >= K.IDENT:
        foreign_stmts.delete_from(p)
    elif path(p):
        if p.kinds[p.pos] == K.LPAREN:
            exprs.arguments(p)
        else:
            p.expect(K.LPAREN)
