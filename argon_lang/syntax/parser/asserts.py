"""Asserts, which stand in tests alone (language reference §3.12)."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import exprs, stmts
from argon_lang.syntax.parser.clauses import end_stmt
from argon_lang.syntax.parser.cursor import Cursor
from argon_lang.syntax.parser.lists import path


def assertion(p: Cursor) -> int:
    """`assert …;`, its word just read. Outside a test it is OE0007."""
    if not p.in_test:
        first = p.pos - 1
        p.report("OE0007", p.start(first), p.end(first), {"construct": "a mutation", "found": "`assert`"})
    kinds, first = p.kinds, p.pos
    negated = kinds[first] == K.KW_NOT
    if kinds[first + negated] == K.CTX_DERIVABLE and kinds[first + negated + 1] != K.LPAREN:
        return _derivable(p, negated)
    if kinds[first] == K.CTX_REJECTS and _is_rejects(p):
        return _rejects(p)
    exprs.condition(p)
    end_stmt(p, "`assert`")
    return K.N_ASSERT_STMT


def _derivable(p: Cursor, negated: bool) -> int:
    p.pos += 2 if negated else 1
    if path(p):
        if p.kinds[p.pos] == K.LPAREN:
            exprs.arguments(p)
        else:
            p.expect(K.LPAREN)
    end_stmt(p, "`assert`")
    return K.N_ASSERT_DERIVABLE


def _is_rejects(p: Cursor) -> bool:
    """Whether `rejects` is the word of the language: braces follow, perhaps after one name in parentheses."""
    pos = p.pos + 1
    if p.kinds[pos] == K.LPAREN:
        pos += 1
        while p.kinds[pos] >= K.IDENT and p.kinds[pos + 1] == K.COLON_COLON and pos < p.pos + 20:
            pos += 2
        pos += 2
        p.far = max(p.far, pos + 1)
    return p.kinds[pos] == K.LBRACE


def _rejects(p: Cursor) -> int:
    p.pos += 1
    if p.accept(K.LPAREN):
        path(p)
        p.expect(K.RPAREN)
    stmts.stmt_block(p)
    p.accept(K.SEMI)
    return K.N_ASSERT_REJECTS
