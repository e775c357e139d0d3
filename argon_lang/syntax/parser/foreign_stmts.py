"""Statements as other languages write them: assignments, loops, SQL's writes, blocks behind a colon."""

from __future__ import annotations

from argon_lang.problems import Edit
from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import exprs, words
from argon_lang.syntax.parser.cursor import Cursor
from argon_lang.syntax.parser.habits import line_column, line_end, partner, pass_lines, replacing, source, tell

_LOOPS = frozenset(("while", "loop", "repeat", "do", "until"))
_REFUSALS = frozenset(("raise", "throw", "panic", "abort", "rollback"))
_HANDLERS = frozenset(("try", "with"))
_CHANGES = (K.EQ, K.PLUS_EQ, K.MINUS_EQ)
_STOP = frozenset((K.SEMI,))
_TO_BLOCK = frozenset((K.SEMI, K.LBRACE))


def foreign_statement(p: Cursor) -> bool:
    """A statement by its first word; told and passed over. False when the word is none of another language."""
    first, text = p.pos, p.text(p.pos)
    following = p.kinds[first + 1]
    if following in (K.DOT, K.COLON_COLON, K.EQ) or p.newline_before(first + 1):
        return False
    if text in _LOOPS and following != K.SEMI:
        tell(p, "no_loop", first, first, words.STATEMENT)
    elif (text in _REFUSALS and following != K.SEMI) or (text in _HANDLERS and following == K.LBRACE):
        tell(p, "refusal", first, first, words.STATEMENT)
    else:
        return False
    _skip_statement(p)
    return True


def _skip_statement(p: Cursor) -> None:
    """To the end of the statement: past its `;`, or past its block."""
    first = p.pos
    p.pos += 1
    p.skip(_TO_BLOCK)
    if p.kinds[p.pos] == K.LBRACE:
        p.skip_pair()
    p.accept(K.SEMI)
    p.out.append((K.N_ERROR, first, p.pos, len(p.out)))


def assignment(p: Cursor, first: int) -> bool:
    """`x.f = e`, `x.f += e`, `x = e`, `x.f++` behind the left side that began at `first`; False when it is none."""
    kinds, at = p.kinds, p.pos
    if kinds[at] not in _CHANGES:
        return False
    sign, owner, field = p.text(at), source(p, first, at - 3), p.text(at - 1)
    p.pos += 1
    known = len(p.problems)
    exprs.expr(p)
    if len(p.problems) > known:
        return True
    value = source(p, at + 1, p.pos - 1)
    if kinds[at - 2] == K.DOT and at - first >= 3:
        ours = f"update {owner} set {{ {field} {sign} {value} }}"
        tell(p, "field_write", at, at, "`;`", edits=[replacing(p, first, p.pos - 1, ours)], suggestion=ours)
    elif kinds[at] == K.EQ and at == first + 1:
        start = p.start(first)
        ours = f"let {p.text(first)} = {value}"
        tell(p, "let_form", at, at, "`;`", edits=[Edit(start, start, "let ")], suggestion=ours)
    else:
        tell(p, "field_write", at, at, "`;`", suggestion="update x set { f = … }")
    return True


# -- SQL's writes ------------------------------------------------------------------------------------------------------


def insert_into(p: Cursor) -> None:
    """`insert into T (a, b) values (1, 2)`, its first word read and `into` here."""
    first = p.pos - 1
    name = p.text(p.pos + 1)
    ours = _as_fields(p, p.pos + 1, name)
    last = line_end(p, p.pos)
    if p.kinds[last] == K.SEMI:
        last -= 1
    edits = [replacing(p, first, last, ours)] if ours else []
    tell(p, "insert_form", p.pos, p.pos, "`{`, `(` or `into`", edits=edits,
         suggestion=ours or f"insert {name} {{ field: value, … }}")  # fmt: skip
    p.skip(_STOP)
    p.last = p.pos


def _as_fields(p: Cursor, at: int, name: str) -> str:
    """`insert T { a: 1, b: 2 }` of columns and values, when they pair."""
    if p.kinds[at + 1] != K.LPAREN:
        return ""
    close = partner(p, at + 1)
    if p.text(close + 1).lower() != "values" or p.kinds[close + 2] != K.LPAREN:
        return ""
    columns = _elements(p, at + 1, close)
    values = _elements(p, close + 2, partner(p, close + 2))
    if len(columns) != len(values):
        return ""
    return f"insert {name} {{ {', '.join(f'{a}: {b}' for a, b in zip(columns, values, strict=True))} }}"


def _elements(p: Cursor, opener: int, closer: int) -> list[str]:
    """The texts between the commas of a flat list in brackets."""
    found, start = [], opener + 1
    for at in range(opener + 1, closer + 1):
        if p.kinds[at] == K.COMMA or at == closer:
            found.append(source(p, start, at - 1))
            start = at + 1
    return found


def set_without_braces(p: Cursor, first: int) -> None:
    """`update x set f = e`: the assignments up to `where` or `;`, with braces as the fix."""
    begin = p.pos
    while p.kinds[p.pos] >= K.IDENT and p.kinds[p.pos + 1] in _CHANGES:
        p.pos += 2
        exprs.expr(p)
        if not p.accept(K.COMMA):
            break
    start, end = p.start(begin), p.end(p.pos - 1)
    edits = [Edit(start, start, "{ "), Edit(end, end, " }")]
    ours = f"set {{ {source(p, begin, p.pos - 1)} }}"
    tell(p, "update_form", begin, begin, "`{`", edits=edits, suggestion=ours)
    p.last = p.pos


def delete_from(p: Cursor) -> None:
    """`delete from T where …`, `from` here."""
    name = p.text(p.pos + 1) or "T"
    tell(p, "delete_form", p.pos, p.pos, words.NAME, name=name)
    p.skip(_STOP)
    p.last = p.pos


# -- blocks ------------------------------------------------------------------------------------------------------------


def colon_block(p: Cursor) -> bool:
    """A block behind a colon, by indentation: told and passed over. False when no colon ends the line here."""
    if p.kinds[p.pos] != K.COLON or not p.newline_before(p.pos + 1):
        return False
    p.far = max(p.far, p.pos + 2)
    column = line_column(p, p.pos)
    tell(p, "block", p.pos, p.pos, "`{`")
    pass_lines(p, column)
    while p.text(p.pos) in ("else", "elif", "except", "finally") and p.column(p.pos) == column:
        pass_lines(p, column)
    p.last = p.pos
    return True
