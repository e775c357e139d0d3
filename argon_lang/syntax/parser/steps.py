"""`a.R+(b)`, `a.R*(b)`, `a.R{n,m}(b)`: steps over a relation, only as a complete atom and written without spaces."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import exprs
from argon_lang.syntax.parser.cursor import CLOSERS, OPENERS, Cursor
from argon_lang.syntax.parser.lists import path

REPEATS = frozenset((K.PLUS, K.STAR, K.LBRACE, K.COLON_COLON))
_LOOK = 24
"""How far the end of the argument is looked for; a longer argument makes it arithmetic."""

_AFTER_ATOM = K.SELECT_CLAUSE | {K.COMMA, K.SEMI, K.RBRACE, K.RPAREN, K.FAT_ARROW, K.EOF}


def step(p: Cursor, first: int, first_node: int) -> bool:
    """A step atom whose `.` was just read; False, nothing consumed, when this is an ordinary field."""
    if p.atom_at != first or p.kinds[p.pos] < K.IDENT:
        return False
    repeat = p.pos + 1
    while p.kinds[repeat] == K.COLON_COLON and p.kinds[repeat + 1] >= K.IDENT:
        repeat += 2
    if not _is_step(p, repeat):
        return False
    node, relation = len(p.out), p.pos
    path(p)
    p.close(K.N_STEP_RELATION, relation, node)
    _repetition(p)
    exprs.arguments(p)
    p.close(K.N_STEP_ATOM, first, first_node)
    return True


def _is_step(p: Cursor, repeat: int) -> bool:
    kind = p.kinds[repeat]
    if not p.adjacent(repeat):
        return False
    if kind == K.LBRACE:
        return p.kinds[repeat + 1] == K.INT
    if kind not in (K.PLUS, K.STAR) or p.kinds[repeat + 1] != K.LPAREN or not p.adjacent(repeat + 1):
        return False
    return _ends_atom(p, repeat + 1)


def _ends_atom(p: Cursor, opener: int) -> bool:
    """Whether the bracket that opens here closes soon and nothing of the atom follows it."""
    depth = 0
    for pos in range(opener, min(opener + _LOOK, p.count)):
        p.far = max(p.far, pos + 1)
        kind = p.kinds[pos]
        if kind in OPENERS:
            depth += 1
        elif kind in CLOSERS:
            depth -= 1
            if depth == 0:
                return p.kinds[pos + 1] in _AFTER_ATOM or p.at_item(pos + 1)
        elif kind == K.SEMI:
            return False
    return False


def _repetition(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    p.pos += 1
    if p.kinds[first] == K.LBRACE:
        _bound(p, K.N_LOW)
        if p.accept(K.COMMA):
            _bound(p, K.N_HIGH)
        p.expect(K.RBRACE)
    p.close(K.N_REPETITION, first, first_node)
    if p.kinds[p.pos] != K.LPAREN:
        p.expect(K.LPAREN)


def _bound(p: Cursor, node: int) -> None:
    first, first_node = p.pos, len(p.out)
    exprs.expr(p)
    p.close(node, first, first_node)
