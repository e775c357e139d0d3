"""The select grammar of queries (language reference §3.8)."""

from __future__ import annotations

from argon_lang.problems import Note
from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import atoms, exprs, foreign_selects, forms
from argon_lang.syntax.parser.cursor import Cursor
from argon_lang.syntax.parser.lists import name, without_brackets
from argon_lang.syntax.parser.starts import EXPR_START

_SET_OPERATORS = frozenset((K.CTX_UNION, K.CTX_INTERSECT, K.CTX_EXCEPT))
_TO_FROM = frozenset((K.KW_FROM, K.KW_WHERE, K.SEMI))


def select(p: Cursor) -> None:
    """A whole select: cores joined by set operators, then one order and one limit."""
    first, first_node = p.pos, len(p.out)
    if p.enter():
        _core(p)
        while p.kinds[p.pos] in _SET_OPERATORS:
            _operand(p)
        _order(p)
        _limit(p)
    p.depth -= 1
    p.close(K.N_SELECT, first, first_node)


def _operand(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    p.pos += 1
    if p.kinds[first] == K.CTX_UNION:
        p.accept(K.CTX_ALL)
    _core(p)
    p.close(K.N_SET_OPERAND, first, first_node)


def _core(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    while p.kinds[p.pos] == K.CTX_WITH:
        _with(p)
    if p.kinds[p.pos] == K.IDENT and p.text(p.pos) == "SELECT":
        foreign_selects.lower_case(p)
    if p.expect(K.KW_SELECT):
        p.accept(K.CTX_DISTINCT)
        _projection(p)
        _sources(p)
        atoms.where_atoms(p)
        _group(p)
    p.close(K.N_SELECT_CORE, first, first_node)


def _with(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    p.pos += 1
    name(p, "a with clause")
    p.expect(K.EQ)
    if p.expect(K.LPAREN):
        select(p)
        p.expect(K.RPAREN)
    p.expect(K.SEMI)
    p.close(K.N_WITH_CLAUSE, first, first_node)


def _projection(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    kind = p.kinds[first]
    if kind == K.LBRACE:
        forms.field_inits(p)
    elif kind in (K.CTX_PATH, K.CTX_SHORTEST) and p.kinds[first + 1] >= K.IDENT:
        _path_projection(p)
    else:
        exprs.expr(p)
    p.close(K.N_PROJECTION, first, first_node)


def _path_projection(p: Cursor) -> None:
    """OE1345: `select path p`, `select shortest path p`."""
    first = p.pos
    while p.kinds[p.pos] >= K.IDENT:
        p.pos += 1
    last, p.pos = p.pos - 1, first
    p.report("OE1345", p.start(first), p.end(last), {"construct": f"select {p.text(first)}"}, notes=(Note("steps"),))
    p.skip(_TO_FROM)


def _sources(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if not p.accept(K.KW_FROM):
        p.expected("`from`")
        p.skip(_TO_FROM)
        if not p.accept(K.KW_FROM):
            return
    foreign_selects.bare_source(p)
    atoms.body(p)
    p.close(K.N_FROM_CLAUSE, first, first_node)
    while p.kinds[p.pos] == K.CTX_OPTIONAL and p.kinds[p.pos + 1] == K.KW_FROM:
        first, first_node = p.pos, len(p.out)
        p.pos += 2
        atoms.body(p)
        p.close(K.N_OPTIONAL_FROM, first, first_node)


def _group(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if not p.accept(K.CTX_GROUP):
        return
    p.expect(K.CTX_BY)
    without_brackets(p, exprs.expr, _behind_keys)
    p.close(K.N_GROUP_BY, first, first_node)
    first, first_node = p.pos, len(p.out)
    if p.accept(K.CTX_HAVING):
        exprs.condition(p)
        p.close(K.N_HAVING, first, first_node)


def _order(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if not p.accept(K.CTX_ORDER):
        return
    p.expect(K.CTX_BY)
    without_brackets(p, _key, _behind_keys)
    p.close(K.N_ORDER_BY, first, first_node)


def _behind_keys(p: Cursor) -> bool:
    """Is here the end of the select, or a clause behind `group by` or `order by`? Its word may be a name elsewhere."""
    kind, after = p.kinds[p.pos], p.kinds[p.pos + 1]
    if kind in (K.CTX_LIMIT, K.CTX_HAVING):
        return after in EXPR_START and after not in (K.LPAREN, K.LBRACKET)
    return kind in (K.RBRACE, K.RPAREN, K.EOF) or atoms.begins_clause(p)


def _key(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    exprs.expr(p)
    if p.kinds[p.pos] in (K.CTX_ASC, K.CTX_DESC):
        p.pos += 1
    p.close(K.N_ORDER_KEY, first, first_node)


def _limit(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if not p.accept(K.CTX_LIMIT):
        return
    exprs.expr(p)
    at, node = p.pos, len(p.out)
    if p.accept(K.CTX_OFFSET):
        exprs.expr(p)
        p.close(K.N_OFFSET_CLAUSE, at, node)
    p.close(K.N_LIMIT_CLAUSE, first, first_node)
