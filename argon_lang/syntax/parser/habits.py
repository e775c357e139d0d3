"""What someone writes who comes from another language: how it is told, in one message with the words of Argon.

The recognisers of one area each (`foreign_items`, `foreign_exprs`, `foreign_stmts`) are asked only where the parser
would report a mistake anyway, so a text without mistakes does not pay for them.
"""

from __future__ import annotations

from collections.abc import Sequence

from argon_lang.problems import Edit, Fix, Note, args
from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser.cursor import CLOSERS, OPENERS, Cursor

FAR = 64
"""How many tokens ahead the shape of a foreign form is looked for."""


def source(p: Cursor, first: int, last: int) -> str:
    """The text of the tokens from `first` to `last`, both included, with what stands between them."""
    if last < first or first >= p.count:
        return ""
    return "".join(p.tokens[p.places[first] : p.places[min(last, p.count - 1)] + 1])


def replacing(p: Cursor, first: int, last: int, text: str) -> Edit:
    """The edit that writes `text` for the tokens from `first` to `last`."""
    return Edit(p.start(first), p.end(last), text)


def tell(
    p: Cursor,
    key: str,
    first: int,
    last: int,
    expected: str,
    *,
    edits: Sequence[Edit] = (),
    suggestion: str = "",
    **values: str,
) -> None:
    """OE0001 at the tokens from `first` to `last`, with the note `key`; `edits` write `suggestion`."""
    if p.bad and any(place in p.bad for place in range(p.places[first], p.places[min(last, p.count - 1)])):
        return
    here, p.pos = p.pos, first
    found = source(p, first, last)
    key_of_fix = "write" if suggestion else "remove"
    fixes = (Fix(key_of_fix, tuple(edits), args(suggestion=suggestion, found=found), safe=False),) if edits else ()
    shown = {"expected": expected, "found": f"`{found}`" if found else p.found()}
    notes = (Note(key, args(suggestion=suggestion, **values)),)
    p.report("OE0001", p.start(first), p.end(last), shown, notes=notes, fixes=fixes)
    p.pos = here


def partner(p: Cursor, opener: int) -> int:
    """The bracket that closes the one at `opener`; where the search was given up, if none does soon."""
    depth = 0
    for pos in range(opener, min(p.count, opener + FAR)):
        depth += (p.kinds[pos] in OPENERS) - (p.kinds[pos] in CLOSERS)
        if depth <= 0:
            p.far = max(p.far, pos + 1)
            return pos
    p.far = max(p.far, min(p.count, opener + FAR))
    return min(p.count, opener + FAR)


def line_end(p: Cursor, pos: int) -> int:
    """The last token of the line that the token at `pos` is on."""
    while pos + 1 < p.count and not p.newline_before(pos + 1):
        pos += 1
    p.far = max(p.far, pos + 2)
    return pos


def pass_lines(p: Cursor, column: int) -> None:
    """Skip a block that indentation alone marks: the rest of the line, and lines further right than `column`."""
    first = p.pos
    p.pos += 1
    while p.kinds[p.pos] != K.EOF:
        here = p.column(p.pos)
        if here is not None and (here <= column or p.kinds[p.pos] in CLOSERS):
            break
        p.pos += 1
    p.out.append((K.N_ERROR, first, p.pos, len(p.out)))


def line_column(p: Cursor, pos: int) -> int:
    """Width of the blanks that begin the line of the token at `pos`."""
    while pos > p.first:
        column = p.column(pos)
        if column is not None:
            return column
        pos -= 1
    return p.indent
