"""Blocks, and the statements of mutations and tests (language reference §3.11, §3.12)."""

from __future__ import annotations

from collections.abc import Callable

from argon_lang.problems import Edit, Fix, Note, args
from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import asserts, exprs, foreign_stmts, forms, words, writes
from argon_lang.syntax.parser.clauses import end_stmt, unwanted
from argon_lang.syntax.parser.cursor import Cursor
from argon_lang.syntax.parser.lists import listing, name, unclosed
from argon_lang.syntax.parser.patterns import pattern
from argon_lang.syntax.parser.starts import EXPR_START, PATTERN_START
from argon_lang.syntax.parser.type_forms import type_

_STOP = frozenset((K.SEMI,))


def stmt_block(p: Cursor) -> None:
    """`{ stmt* }`, which must be here."""
    first, first_node = p.pos, len(p.out)
    if foreign_stmts.colon_block(p) or not p.opens():
        return
    if p.enter():
        before, p.no_struct, p.arm = (p.no_struct, p.arm), False, False
        while _more(p):
            here = p.pos
            _statement(p)
            _advance(p, here)
        p.no_struct, p.arm = before
        _close(p, first)
    p.depth -= 1
    p.close(K.N_STMT_BLOCK, first, first_node)


def value_block(p: Cursor) -> None:
    """`{ stmt* expr? }`, which must be here: a block that has a value."""
    first, first_node = p.pos, len(p.out)
    if foreign_stmts.colon_block(p) or not p.opens():
        return
    if p.enter():
        before, p.no_struct, p.arm = (p.no_struct, p.arm), False, False
        while _more(p):
            here = p.pos
            if p.kinds[p.pos] in _VALUES or not _keyword_stmt(p):
                _expression(p, value=True)
            _advance(p, here)
        p.no_struct, p.arm = before
        _close(p, first)
    p.depth -= 1
    p.close(K.N_BLOCK, first, first_node)


def _more(p: Cursor) -> bool:
    kind = p.kinds[p.pos]
    return kind != K.RBRACE and kind != K.EOF and not p.at_item(p.pos)


def _advance(p: Cursor, here: int) -> None:
    """Past a token that no statement consumed, so that every round of a block moves on."""
    if p.pos == here and _more(p):
        p.pos += 1
        p.close(K.N_ERROR, here, len(p.out))


def _close(p: Cursor, opener: int) -> None:
    if p.kinds[p.pos] == K.RBRACE:
        p.pos += 1
    elif not p.mute:
        unclosed(p, opener, K.RBRACE)


def _statement(p: Cursor) -> None:
    if not _keyword_stmt(p):
        _expression(p, value=False)


def _keyword_stmt(p: Cursor) -> bool:
    """A statement with a word of its own; False, nothing consumed, when there is none."""
    kind = p.kinds[p.pos]
    handler = STATEMENTS.get(kind)
    if handler is None or (kind >= K.IDENT and not _is_statement_word(p)):
        return False
    first, first_node = p.pos, len(p.out)
    p.pos += 1
    p.close(handler(p), first, first_node)
    return True


def _is_statement_word(p: Cursor) -> bool:
    """Whether the contextual word here begins a statement rather than names something."""
    following = p.kinds[p.pos + 1]
    if p.kinds[p.pos] == K.CTX_ASSERT:
        return following not in (K.DOT, K.COLON_COLON, K.SEMI, K.EQ)
    return following >= K.IDENT or following in (K.KW_SELF, K.KW_SUPER, K.KW_DELETE)


def _expression(p: Cursor, *, value: bool) -> None:
    """An expression statement, or with `value` the last expression of a block."""
    first, first_node = p.pos, len(p.out)
    kind = p.kinds[first]
    if kind == K.SEMI:
        p.expected(words.STATEMENT)
        p.pos += 1
        return
    if kind not in EXPR_START and kind != K.KW_NOT:
        _no_statement(p)
        return
    if kind == K.IDENT and foreign_stmts.foreign_statement(p):
        return
    exprs.expr(p)
    foreign_stmts.assignment(p, first)
    if value and p.kinds[p.pos] == K.RBRACE:
        return
    if not (value and kind in _VALUES and p.kinds[p.pos] != K.SEMI):
        end_stmt(p, "this expression")
    p.close(K.N_EXPR_STMT, first, first_node)


def _no_statement(p: Cursor) -> None:
    p.expected(words.STATEMENT)
    p.skip(_STOP)
    p.accept(K.SEMI)


def else_word(p: Cursor) -> bool:
    """Step over `else`; `elif` and the like are understood and corrected."""
    if p.accept(K.KW_ELSE):
        return True
    if p.kinds[p.pos] == K.IDENT and p.text(p.pos) in ("elif", "elsif", "elseif"):
        p.foreign("else if", expected="`else`")
        p.kinds[p.pos] = K.KW_IF
        return True
    return False


def _if(p: Cursor) -> int:
    if p.enter():
        exprs.head(p)
        stmt_block(p)
        first, first_node = p.pos, len(p.out)
        if else_word(p):
            if p.kinds[p.pos] == K.KW_IF:
                at, node = p.pos, len(p.out)
                p.pos += 1
                p.close(_if(p), at, node)
            else:
                stmt_block(p)
            p.close(K.N_ELSE_STMT, first, first_node)
    p.depth -= 1
    return K.N_IF_STMT


def _match(p: Cursor) -> int:
    if p.enter():
        exprs.head_value(p)
        if p.opens():
            before, p.no_struct = (p.no_struct, p.arm), False
            listing(p, K.RBRACE, _arm, PATTERN_START)
            p.no_struct, p.arm = before
    p.depth -= 1
    return K.N_MATCH_STMT


def _arm(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    pattern(p)
    if p.kinds[p.pos] == K.KW_IF:
        unwanted(p, "an arm of a match statement", "guard", forms.guard)
    if p.pos > first and forms.fat_arrow(p):
        if p.kinds[p.pos] == K.LBRACE:
            stmt_block(p)
        else:
            p.arm = True
            _statement(p)
            p.arm = False
    p.close(K.N_MATCH_STMT_ARM, first, first_node)


def _for(p: Cursor) -> int:
    p.pos -= 1
    if p.enter():
        forms.for_source(p, heads=True)
        stmt_block(p)
    p.depth -= 1
    return K.N_FOR_STMT


def _require(p: Cursor) -> int:
    if p.kinds[p.pos] == K.LBRACE:
        p.pos += 1
        if p.enter():
            listing(p, K.RBRACE, exprs.condition, EXPR_START)
        p.depth -= 1
        p.accept(K.SEMI)
    else:
        exprs.condition(p)
        end_stmt(p, "`require`")
    return K.N_REQUIRE_STMT


def _let(p: Cursor) -> int:
    if p.kinds[p.pos] == K.CTX_MUT and p.kinds[p.pos + 1] >= K.IDENT:
        unwanted(p, "`let`", "`mut`", _step_over)
    name(p, "a variable")
    if p.accept(K.COLON):
        type_(p)
    if p.expect(K.EQ):
        if p.kinds[p.pos] == K.KW_INSERT:
            writes.insert(p)
        else:
            exprs.expr(p)
    end_stmt(p, "`let`")
    return K.N_LET_STMT


def _step_over(p: Cursor) -> None:
    p.pos += 1


def _emit(p: Cursor) -> int:
    name(p, "an event")
    opener = p.pos
    if p.expect(K.LBRACE):
        exprs.expr(p)
        if not p.accept(K.RBRACE):
            if p.ends_here():
                unclosed(p, opener, K.RBRACE)
            else:
                p.expect(K.RBRACE)
    end_stmt(p, "`emit`")
    return K.N_EMIT_STMT


def _return(p: Cursor) -> int:
    exprs.expr(p)
    end_stmt(p, "`return`")
    return K.N_RETURN_STMT


def _upsert(p: Cursor) -> int:
    """OE1352, then read as an insert."""
    first = p.pos - 1
    target = p.text(p.pos)
    fix = Fix("insert", (Edit(p.start(first), p.end(first), "insert"),), safe=False)
    p.report("OE1352", p.start(first), p.end(first),
             notes=(Note("insert", args(name=target)), Note("update")), fixes=(fix,))  # fmt: skip
    exprs.expr(p)
    end_stmt(p, "`insert`")
    return K.N_EXPR_STMT


def _detach(p: Cursor) -> int:
    """OE1353, then read as a delete."""
    first = p.pos - 1
    fix = Fix("remove", (Edit(p.start(first), p.start(p.pos), ""),), safe=False)
    p.report("OE1353", p.start(first), p.end(p.pos), notes=(Note("first"),), fixes=(fix,))
    p.expect(K.KW_DELETE)
    return writes.delete(p)


Handler = Callable[[Cursor], int]

STATEMENTS: dict[int, Handler] = {
    K.KW_REQUIRE: _require, K.KW_LET: _let, K.KW_INSERT: writes.insert_stmt, K.KW_UPDATE: writes.update,
    K.KW_DELETE: writes.delete, K.CTX_REFUTE: writes.refute, K.CTX_FORGET: writes.forget, K.KW_FOR: _for,
    K.KW_IF: _if, K.KW_MATCH: _match, K.KW_EMIT: _emit, K.KW_RETURN: _return, K.CTX_ASSERT: asserts.assertion,
    K.CTX_UPSERT: _upsert, K.CTX_DETACH: _detach,
}  # fmt: skip
"""How a statement goes on behind its word; returns the node kind."""

_VALUES = frozenset((K.KW_IF, K.KW_MATCH, K.LBRACE))
