"""Small clauses that several statements and items share, and the ends of statements and items."""

from __future__ import annotations

from collections.abc import Callable

from argon_lang.problems import Edit, Fix, Note, args
from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import exprs
from argon_lang.syntax.parser.cursor import Cursor

_SEMI = frozenset((K.SEMI,))


def at_clause(p: Cursor) -> None:
    """`at d`, if it is here."""
    first, first_node = p.pos, len(p.out)
    if p.accept(K.CTX_AT):
        exprs.expr(p)
        p.close(K.N_AT_CLAUSE, first, first_node)


def until_clause(p: Cursor) -> None:
    """`until d`, if it is here."""
    first, first_node = p.pos, len(p.out)
    if p.accept(K.CTX_UNTIL):
        exprs.expr(p)
        p.close(K.N_UNTIL_CLAUSE, first, first_node)


def no_until(p: Cursor, construct: str) -> None:
    """OE0007 for an `until` where only `at` may stand."""
    if p.kinds[p.pos] == K.CTX_UNTIL:
        unwanted(p, construct, "`until`", until_clause)


def no_at(p: Cursor, construct: str) -> None:
    """OE0007 for an `at` or `until` where neither may stand."""
    if p.kinds[p.pos] == K.CTX_AT:
        unwanted(p, construct, "`at`", at_clause)
    no_until(p, construct)


def unwanted(p: Cursor, construct: str, found: str, clause: Callable[[Cursor], None]) -> None:
    """OE0007: read a clause that has no place here, and offer to remove it."""
    first, first_node, known = p.pos, len(p.out), len(p.problems)
    clause(p)
    last, p.pos = p.pos, first
    if last > first and len(p.problems) == known:
        start, end = p.start(first), p.end(last - 1)
        fix = Fix("remove", (Edit(p.after(), end, ""),), args(found=found), safe=False)
        p.report("OE0007", start, end, {"construct": construct, "found": found}, fixes=(fix,))
    p.pos = last
    del p.out[first_node:]
    p.out.append((K.N_ERROR, first, last, first_node))


def end_stmt(p: Cursor, construct: str) -> None:
    """The `;` of a statement, which may be missing before `}`."""
    kind = p.kinds[p.pos]
    if kind == K.SEMI:
        p.pos += 1
    elif kind == K.RBRACE or (p.arm and kind == K.COMMA):
        return
    elif p.newline_before(p.pos) or p.ends_here():
        missing_semicolon(p, construct)
    else:
        p.expected("`;`", fixes=p.insertion(";") if kind >= K.IDENT else ())
        p.skip(_SEMI)
        p.accept(K.SEMI)


def missing_semicolon(p: Cursor, construct: str) -> None:
    """OE0011 behind the last token."""
    place = p.after()
    p.report("OE0011", place, place, {"expected": "`;`", "construct": construct}, notes=(Note("semicolon"),),
             fixes=p.insertion(";"))  # fmt: skip


def end_item(p: Cursor, construct: str, *, expected: str = "`;`") -> None:
    """The `;` of an item; what stands before it is reported and skipped."""
    if p.accept(K.SEMI):
        return
    if p.kinds[p.pos] == K.DOT and p.full_stop(p.pos):
        p.pos += 1
        return
    kind = p.kinds[p.pos]
    if p.ends_here() or kind == K.RBRACE or (p.newline_before(p.pos) and (p.at_item(p.pos) or kind == K.SEMI)):
        place = p.after()
        body = () if expected == "`;`" else (Note("body"),)
        swallowed = _swallowed(p)
        notes = (Note("swallowed"),) if swallowed else (Note("semicolon"), *body)
        p.report("OE0011", place, place, {"expected": expected, "construct": construct}, notes=notes,
                 fixes=() if swallowed else p.insertion(";"))  # fmt: skip
        return
    p.expected(*expected.split(" or "))
    p.skip(_SEMI)
    p.accept(K.SEMI)


def _swallowed(p: Cursor) -> bool:
    """Whether a comment on the same line ends as an item does: then `//` was meant to divide."""
    if not p.first < p.pos <= p.count:
        return False
    behind = p.all_kinds[p.places[p.pos - 1] + 1 :][:3]
    if K.LINE_COMMENT not in behind:
        return False
    at = p.places[p.pos - 1] + 1 + behind.index(K.LINE_COMMENT)
    return p.tokens[at].rstrip().endswith(";")
