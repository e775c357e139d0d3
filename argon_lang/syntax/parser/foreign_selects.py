"""Selects in the words and order of SQL: aliases, joins, capital letters."""

from __future__ import annotations

from argon_lang.problems import Edit
from argon_lang.syntax import kinds as K
from argon_lang.syntax.lexer import kind_of
from argon_lang.syntax.parser.cursor import Cursor
from argon_lang.syntax.parser.habits import replacing, source, tell

_JOINS = frozenset(("join", "inner", "left", "right", "outer", "cross", "natural"))
_AFTER_ALIAS = frozenset((K.COMMA, K.SEMI, K.RBRACE, K.KW_WHERE, K.EOF)) | K.SELECT_CLAUSE
_TO_CLAUSE = frozenset((K.SEMI, K.KW_WHERE)) | K.SELECT_CLAUSE


def source_form(p: Cursor, here: int) -> bool:
    """Behind the atom that began at `here`: an alias, or a join. False when it is neither."""
    at = p.pos
    if p.kinds[at] < K.IDENT or p.newline_before(at):
        return False
    if p.text(at).lower() in _JOINS:
        tell(p, "join", at, at, "`,`")
        p.skip(_TO_CLAUSE)
        p.last = p.pos
        return True
    named = at + (p.kinds[at] == K.CTX_AS)
    alone = at == here + 1 and p.kinds[named] >= K.IDENT and p.kinds[named + 1] in _AFTER_ALIAS
    p.far = max(p.far, named + 2)
    if not alone or not p.text(here)[:1].isupper():
        return False
    ours = f"{p.text(named)}: {p.text(here)}"
    tell(p, "alias", here, named, "a condition", edits=[replacing(p, here, named, ours)], suggestion=ours)
    p.pos = named + 1
    return True


def lower_case(p: Cursor) -> None:
    """`SELECT x FROM …`: the words of the clause read as ours, told once with all of them in the fix."""
    first, depth, edits, at = p.pos, 0, list[Edit](), p.pos
    while at < p.count and depth >= 0 and p.kinds[at] != K.SEMI:
        kind = p.kinds[at]
        depth += (kind == K.LBRACE) - (kind == K.RBRACE)
        text = p.text(at)
        if kind == K.IDENT and text.isupper() and (ours := kind_of(text.lower())) != K.IDENT:
            edits.append(replacing(p, at, at, text.lower()))
            p.kinds[at] = ours
        at += 1
    p.far = max(p.far, at + 1)
    if p.kinds[first] == K.KW_SELECT and edits:
        tell(p, "lower_case", first, first, "`select`", edits=edits, suggestion=source(p, first, first).lower())


def bare_source(p: Cursor) -> None:
    """`from T` without a variable: told, where nothing of ours can be meant."""
    at = p.pos
    if p.stopped != at - 2 and p.kinds[at] == K.IDENT and p.kinds[at + 1] in _AFTER_ALIAS and p.text(at)[:1].isupper():
        ours = f"x: {p.text(at)}"
        tell(p, "alias", at, at, "a condition", edits=[replacing(p, at, at, ours)], suggestion=ours)
