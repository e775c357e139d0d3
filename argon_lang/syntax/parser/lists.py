"""Lists in brackets, names and paths: what every area of the grammar is made of."""

from __future__ import annotations

from collections.abc import Callable

from argon_lang.problems import Edit, Fix, Note, Related, args
from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import blame, words
from argon_lang.syntax.parser.cursor import CLOSERS, OPENERS, SEGMENT_KEYWORDS, Cursor
from argon_lang.syntax.parser.habits import partner, replacing, tell

Element = Callable[[Cursor], None]

_COMMA = frozenset((K.COMMA,))
_OUT_OF_PARENS = frozenset((K.COMMA, K.SEMI, K.TURNSTILE, K.ARROW, K.FAT_ARROW, K.LBRACE))
"""Where a list in parentheses is given up: what follows a head, or ends a statement."""


def listing(p: Cursor, closer: int, element: Element, starts: frozenset[int], opener: int = -1) -> None:
    """The elements and commas up to the closing bracket; `opener` is the opening one, by default just read.

    `starts` are the kinds that begin an element: before one of them only a comma is missing.
    """
    opener, kinds = p.pos - 1 if opener < 0 else opener, p.kinds
    while True:
        kind = kinds[p.pos]
        if kind == closer:
            p.pos += 1
            return
        if p.ends_here():
            break
        here = p.pos
        element(p)
        kind = kinds[p.pos]
        if kind == K.COMMA:
            p.pos += 1
        elif kind == K.SEMI and closer == K.RBRACE and _semicolons(p, opener, starts):
            continue
        elif kind != closer and not _resume(p, closer, opener, starts, here):
            break
    unclosed(p, opener, closer)


def without_brackets(p: Cursor, element: Callable[[Cursor], object], ends: Callable[[Cursor], bool]) -> None:
    """Elements with commas between them, and perhaps one behind the last, where what comes `ends` the list."""
    element(p)
    while p.accept(K.COMMA) and not ends(p):
        element(p)


def rest_of_list(p: Cursor, opener: int, closer: int, element: Element, starts: frozenset[int]) -> None:
    """Go on in a list that went wrong here: behind an element, a comma or the opening bracket."""
    after_element = p.pos > opener + 1 and p.kinds[p.pos - 1] != K.COMMA
    if after_element and not _resume(p, closer, opener, starts, opener):
        unclosed(p, opener, closer)
    else:
        listing(p, closer, element, starts, opener)


def _resume(p: Cursor, closer: int, opener: int, starts: frozenset[int], here: int) -> bool:
    """After an element with neither comma nor closing bracket behind it: go on in the list, or give up (False)."""
    if p.ends_here():
        return False
    kind = p.kinds[p.pos]
    if p.pos != here and kind in starts:
        p.expected("`,`", words.quoted(closer), fixes=p.insertion(","))
        return True
    _expected_separator(p, closer, opener)
    p.skip(_COMMA if closer == K.RBRACE else _OUT_OF_PARENS)
    if p.accept(K.COMMA):
        return True
    kind = p.kinds[p.pos]
    if kind in CLOSERS and kind != closer and closer != K.RBRACE and _closes_nothing(p, kind):
        p.pos += 1
        return True
    return kind == closer


def _semicolons(p: Cursor, opener: int, starts: frozenset[int]) -> bool:
    """Fields that end in `;`: told at the first, with all in the fix; False where the `;` ends the list."""
    if p.kinds[p.pos + 1] not in starts | {K.RBRACE} or p.at_item(p.pos + 1):
        return False
    if p.stopped < opener:
        close = partner(p, opener)
        places = [at for at in range(p.pos, close) if p.kinds[at] == K.SEMI and _flat(p, opener, at)]
        edits = [replacing(p, at, at, ",") for at in places]
        tell(p, "fields", p.pos, p.pos, "`,` or `}`", edits=edits, suggestion=",")
        p.stopped = opener
    p.pos += 1
    return True


def _flat(p: Cursor, opener: int, at: int) -> bool:
    """Whether no bracket opened between `opener` and `at` is open there."""
    kinds = p.kinds[opener + 1 : at]
    return sum(kind in OPENERS for kind in kinds) == sum(kind in CLOSERS for kind in kinds)


def _closes_nothing(p: Cursor, kind: int) -> bool:
    """Whether a `)` or `]` that does not fit is a slip of the pen: the right one follows at once."""
    return kind != K.RBRACE and p.kinds[p.pos + 1] in CLOSERS


def _expected_separator(p: Cursor, closer: int, opener: int) -> None:
    related = (Related("opened", p.start(opener), p.end(opener)),)
    p.expected("`,`", words.quoted(closer), related=related)


def unclosed(p: Cursor, opener: int, closer: int) -> None:
    """OE0002 at the opening bracket that is to blame; OE0001 when something else stands on the same line."""
    if p.mute:
        return
    if p.kinds[p.pos] != K.EOF and not p.ends_here() and not p.newline_before(p.pos):
        _expected_separator(p, closer, opener)
        return
    guilty, hint = blame.unclosed(p, opener)
    related = () if hint is None else (Related("indent", p.start(hint), p.end(hint)),)
    text = words.quoted(closer if guilty == opener else blame.closer_of(p, guilty)).strip("`")
    fixes = _closing_line(p) if hint is None and text == "}" else ()
    p.report("OE0002", p.start(guilty), p.end(guilty), {"found": p.text(guilty)}, related=related,
             notes=(Note("close", args(suggestion=text)),), fixes=fixes)  # fmt: skip


def _closing_line(p: Cursor) -> tuple[Fix, ...]:
    """The fix that closes a block on a line of its own."""
    place = p.after()
    return (Fix("insert", (Edit(place, place, f"\n{' ' * p.indent}}}"),), args(suggestion="}"), safe=False),)


def bracketed(p: Cursor, opener: int, closer: int, element: Element, starts: frozenset[int], node: int) -> bool:
    """A whole list in brackets as one node; False, with the opening bracket reported, when there is none."""
    first, first_node = p.pos, len(p.out)
    if not p.expect(opener):
        return False
    struct, p.no_struct = p.no_struct, False
    listing(p, closer, element, starts)
    p.no_struct = struct
    p.close(node, first, first_node)
    return True


def name(p: Cursor, construct: str = "anything") -> None:
    """A name to declare, as a Name node. A keyword in its place is OE0016."""
    first = p.pos
    if p.kinds[first] >= K.IDENT and not p.declares():
        p.pos = first + 1
        p.out.append((K.N_NAME, first, p.pos, len(p.out)))
    elif not reserved(p, construct):
        p.expected(words.NAME)


def reserved(p: Cursor, construct: str) -> bool:
    """OE0016 for a keyword that stands where a name belongs, which is then taken for one."""
    first = p.pos
    if p.kinds[first] not in K.HARD_KEYWORD or p.newline_before(first):
        return False
    text = p.text(first)
    better = f"{text}_" if text.isascii() else "x"
    fix = Fix("replace", (Edit(p.start(first), p.end(first), better),), args(suggestion=better), safe=False)
    p.report("OE0016", p.start(first), p.end(first), {"name": text, "construct": construct},
             notes=(Note("choose", args(suggestion=better)),), fixes=(fix,))  # fmt: skip
    p.pos = first + 1
    p.out.append((K.N_NAME, first, p.pos, len(p.out)))
    return True


def field_name(p: Cursor) -> bool:
    """The name after a `.`, which has no node; False when there is none."""
    if p.kinds[p.pos] >= K.IDENT and not p.declares():
        p.pos += 1
        return True
    if p.kinds[p.pos] in K.HARD_KEYWORD and not p.newline_before(p.pos):
        reserved(p, "a field")
        p.out.pop()
        return True
    p.expected(words.NAME)
    return False


def begins_path(p: Cursor) -> bool:
    """Whether a path can begin here."""
    kind = p.kinds[p.pos]
    return kind >= K.IDENT or kind in SEGMENT_KEYWORDS


def path(p: Cursor) -> bool:
    """A path as a node; False, reported, when there is none."""
    if not path_prefix(p):
        return False
    if p.kinds[p.pos] == K.COLON_COLON:
        p.pos += 1
        p.expected(words.NAME)
    return True


def path_prefix(p: Cursor) -> bool:
    """A path as a node, up to a `::` that no name follows."""
    first, kinds = p.pos, p.kinds
    if not begins_path(p) or p.declares():
        if kinds[first] in K.HARD_KEYWORD and not p.at_item(first) and reserved(p, "anything"):
            p.out[-1] = (K.N_PATH, first, p.pos, p.out[-1][3])
            return True
        p.expected(words.NAME)
        return False
    segments(p)
    return True


def segments(p: Cursor) -> None:
    """The path that begins here, as a node."""
    first, kinds = p.pos, p.kinds
    p.pos += 1
    while kinds[p.pos] == K.COLON_COLON and (kinds[p.pos + 1] >= K.IDENT or kinds[p.pos + 1] in SEGMENT_KEYWORDS):
        if kinds[p.pos + 2] >= K.IDENT and p.at_item(p.pos + 1):
            break
        p.pos += 2
    p.out.append((K.N_PATH, first, p.pos, len(p.out)))


def path_element(p: Cursor) -> None:
    """A path as the element of a list."""
    path(p)


def name_element(p: Cursor) -> None:
    """A name as the element of a list."""
    name(p)
