"""Expressions that begin with a token of their own, and what may follow a path: literals of structs, aggregates."""

from __future__ import annotations

from collections.abc import Callable

from argon_lang.problems import Note
from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import aggregates, exprs, foreign_exprs, stmts, words
from argon_lang.syntax.parser.cursor import Cursor
from argon_lang.syntax.parser.lists import bracketed, listing, name
from argon_lang.syntax.parser.patterns import pattern
from argon_lang.syntax.parser.starts import EXPR_START, NAME_START, PATTERN_START
from argon_lang.syntax.parser.type_forms import type_

_INIT_START = NAME_START | {K.DOT_DOT}


def after_path(p: Cursor, kind: int, first: int, first_node: int) -> None:
    """What a `{` or `!` behind a path makes of it: a struct literal, an aggregate, a format; or nothing."""
    if p.kinds[p.pos] == K.BANG:
        if kind == K.CTX_FORMAT and p.kinds[p.pos + 1] == K.LPAREN:
            p.out.pop()
            _format(p, first, first_node)
        elif p.adjacent(p.pos) and p.kinds[p.pos + 1] in (K.LPAREN, K.LBRACKET):
            foreign_exprs.macro(p, first)
    elif not p.no_struct or _struct_in_head(p):
        if kind >= K.CTX_SET and p.pos == first + 1:
            p.out.pop()
            aggregates.block_form(p, first, first_node)
        else:
            field_inits(p)
            p.close(K.N_STRUCT_EXPR, first, first_node)


def _struct_in_head(p: Cursor) -> bool:
    """OE0007 for `{ x: …` in a head, where it can be nothing but a struct literal that lacks its parentheses."""
    if p.kinds[p.pos + 1] < K.IDENT or p.kinds[p.pos + 2] != K.COLON:
        return False
    values = {"construct": words.HEAD, "found": words.BARE_STRUCT}
    p.report("OE0007", p.start(p.pos), p.end(p.pos), values)
    return True


def aggregate_call(p: Cursor, first: int, first_node: int) -> None:
    """`sum(…)` and the like; the `(` is here."""
    aggregates.call_form(p, first, first_node)


def field_inits(p: Cursor) -> None:
    """`{ ..base, a: 1, b }`; the `{` is here."""
    if p.enter():
        bracketed(p, K.LBRACE, K.RBRACE, _init, _INIT_START, K.N_FIELD_INITS)
    p.depth -= 1


def _init(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if p.accept(K.DOT_DOT):
        exprs.expr(p)
        p.close(K.N_STRUCT_BASE, first, first_node)
        return
    name(p, "a field")
    if p.accept(K.COLON):
        exprs.expr(p)
    elif p.kinds[p.pos] == K.EQ:
        p.foreign(":", expected="`:`")
        p.pos += 1
        exprs.expr(p)
    if p.pos > first:
        p.close(K.N_FIELD_INIT, first, first_node)


def _format(p: Cursor, first: int, first_node: int) -> None:
    p.pos += 2
    if p.enter():
        struct, p.no_struct = p.no_struct, False
        opener = p.pos - 1
        if not p.accept(K.STRING):
            p.expected(words.STRING)
        if p.accept(K.COMMA) or p.kinds[p.pos] == K.RPAREN:
            listing(p, K.RPAREN, exprs.expr_element, EXPR_START, opener)
        else:
            p.expected("`,`", "`)`")
            listing(p, K.RPAREN, exprs.expr_element, EXPR_START, opener)
        p.no_struct = struct
    p.depth -= 1
    p.close(K.N_FORMAT_EXPR, first, first_node)


def _paren(p: Cursor, first: int, first_node: int) -> None:
    p.pos += 1
    if p.enter():
        struct, p.no_struct = p.no_struct, False
        exprs.expr(p)
        p.no_struct = struct
        if not p.accept(K.RPAREN):
            exprs.close_paren(p, first)
    p.depth -= 1
    p.out.append((K.N_PAREN_EXPR, first, p.pos, first_node))


def _list(p: Cursor, first: int, first_node: int) -> None:
    p.pos += 1
    node = K.N_LIST_EXPR
    if p.enter():
        struct, p.no_struct = p.no_struct, False
        node = _list_body(p, first)
        p.no_struct = struct
    p.depth -= 1
    p.close(node, first, first_node)


def _list_body(p: Cursor, opener: int) -> int:
    if p.accept(K.RBRACKET):
        return K.N_LIST_EXPR
    exprs.expr(p)
    if p.kinds[p.pos] == K.KW_FOR:
        for_source(p, heads=False)
        if p.kinds[p.pos] == K.KW_IF:
            p.foreign("where", expected="`where`")
            p.kinds[p.pos] = K.KW_WHERE
        where(p, heads=False)
        p.expect(K.RBRACKET)
        return K.N_COMPREHENSION
    if not p.accept(K.COMMA) and p.kinds[p.pos] != K.RBRACKET:
        exprs.rest(p, opener, K.RBRACKET)
    else:
        listing(p, K.RBRACKET, exprs.expr_element, EXPR_START, opener)
    return K.N_LIST_EXPR


def for_source(p: Cursor, *, heads: bool) -> None:
    """`for x in xs`; `heads`: a block follows, so no struct literal outside brackets."""
    first, first_node = p.pos, len(p.out)
    p.pos += 1
    name(p, "a variable")
    p.expect(K.KW_IN)
    struct, p.no_struct = p.no_struct, heads or p.no_struct
    exprs.expr(p)
    p.no_struct = struct
    p.close(K.N_FOR_SOURCE, first, first_node)


def where(p: Cursor, *, heads: bool = True) -> None:
    """`where p`, if it is here."""
    first, first_node = p.pos, len(p.out)
    if not p.accept(K.KW_WHERE):
        return
    if heads:
        exprs.head(p)
    else:
        exprs.condition(p)
    p.close(K.N_WHERE_CLAUSE, first, first_node)


def _unary(p: Cursor, first: int, first_node: int) -> None:
    p.pos += 1
    if p.kinds[first] == K.BANG and p.kinds[p.pos] in (K.COMMA, K.SEMI):
        foreign_exprs.cut(p, first)
    else:
        if p.enter():
            exprs.expr(p, exprs.UNARY)
        p.depth -= 1
    p.close(K.N_UNARY, first, first_node)


def _if(p: Cursor, first: int, first_node: int) -> None:
    p.pos += 1
    if p.enter():
        at, node = p.pos, len(p.out)
        exprs.head(p)
        p.close(K.N_CONDITION, at, node)
        stmts.value_block(p)
        _else(p)
    p.depth -= 1
    p.close(K.N_IF_EXPR, first, first_node)


def _else(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if not stmts.else_word(p):
        return
    if p.kinds[p.pos] == K.KW_IF:
        _if(p, p.pos, len(p.out))
    else:
        stmts.value_block(p)
    p.close(K.N_ELSE_CLAUSE, first, first_node)


def _match(p: Cursor, first: int, first_node: int) -> None:
    p.pos += 1
    if p.enter():
        exprs.head_value(p)
        if p.opens():
            struct, p.no_struct = p.no_struct, False
            listing(p, K.RBRACE, _arm, PATTERN_START)
            p.no_struct = struct
    p.depth -= 1
    p.close(K.N_MATCH_EXPR, first, first_node)


def _arm(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    pattern(p)
    guard(p)
    if p.pos > first and fat_arrow(p):
        exprs.expr(p)
    p.close(K.N_MATCH_ARM, first, first_node)


def fat_arrow(p: Cursor) -> bool:
    """The `=>` of an arm, which must be here; `->` and `:` are understood and corrected."""
    if p.kinds[p.pos] in (K.ARROW, K.COLON):
        p.foreign("=>", expected="`=>`")
        p.pos += 1
        return True
    return p.expect(K.FAT_ARROW)


def guard(p: Cursor) -> None:
    """`if p` of a match arm, if it is here."""
    first, first_node = p.pos, len(p.out)
    if p.accept(K.KW_IF):
        exprs.condition(p)
        p.close(K.N_GUARD, first, first_node)


def _block(p: Cursor, first: int, first_node: int) -> None:
    stmts.value_block(p)


def _lambda(p: Cursor, first: int, first_node: int) -> None:
    p.pos += 1
    if p.enter():
        if p.kinds[first] == K.PIPE:
            listing(p, K.PIPE, _lambda_param, NAME_START)
        p.close(K.N_PARAMS, first, len(p.out) if p.kinds[first] == K.OR_OR else first_node)
        exprs.expr(p)
    p.depth -= 1
    p.close(K.N_LAMBDA, first, first_node)


def _lambda_param(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    name(p, "a parameter")
    if p.accept(K.COLON):
        type_(p)
    p.close(K.N_PARAM, first, first_node)


def _wildcard(p: Cursor, first: int, first_node: int) -> None:
    if not p.wildcard:
        p.expected(
            words.NAME if p.kinds[p.pos + 1] in (K.COMMA, K.RPAREN) else words.EXPRESSION, notes=(Note("wildcard"),)
        )
    p.pos += 1
    p.close(K.N_WILDCARD, first, first_node)


Prefix = Callable[[Cursor, int, int], None]

PREFIX: dict[int, Prefix] = {
    K.LPAREN: _paren, K.LBRACKET: _list, K.MINUS: _unary, K.BANG: _unary, K.KW_IF: _if, K.KW_MATCH: _match,
    K.LBRACE: _block, K.PIPE: _lambda, K.OR_OR: _lambda, K.UNDERSCORE: _wildcard,
}  # fmt: skip
"""How an expression goes on that begins with this token: called with its first token and first node."""
