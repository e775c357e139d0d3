"""The parser's state: where it stands in the significant tokens, the nodes so far, and the problems so far.

One error per position: a second one at the same token says nothing new (`last`). Offsets of problems count from the
start of the text that is being parsed; `argon_lang.syntax.parser.items` makes them item-relative.
"""

from __future__ import annotations

from argon_lang.problems import Edit, Fix, Note, Problem, Related, args
from argon_lang.syntax import kinds as K
from argon_lang.syntax.lexer import offsets
from argon_lang.syntax.parser import words

MAX_DEPTH = 256
PADDING = 32
"""How many EOF tokens stand behind the last token; no look-ahead is longer."""

NEAR = 3
"""So many tokens from a mistake on, another one is rather its consequence."""

OPENERS = frozenset((K.LPAREN, K.LBRACE, K.LBRACKET, K.HASH_BRACKET, K.HASH_BANG_BRACKET))
CLOSERS = frozenset((K.RPAREN, K.RBRACE, K.RBRACKET))
CLOSER_OF = {K.LPAREN: K.RPAREN, K.LBRACE: K.RBRACE, K.LBRACKET: K.RBRACKET}
SEGMENT_KEYWORDS = frozenset((K.KW_SELF, K.KW_SELF_TYPE, K.KW_SUPER))
ITEM_KEYWORDS = frozenset((
    K.KW_PUB, K.KW_USE, K.KW_MOD, K.KW_METAXIS, K.KW_METATYPE, K.KW_METAREL, K.KW_STRUCT, K.KW_ENUM, K.KW_TRAIT,
    K.KW_IMPL, K.KW_FACT, K.KW_NOT_FACT, K.KW_FN, K.KW_DERIVE, K.KW_QUERY, K.KW_CHECK, K.KW_MUTATE, K.KW_TEST,
    K.KW_STANDPOINT,
))  # fmt: skip

_NEVER_DECLARES = frozenset((
    K.CTX_MUT, K.CTX_ASSERT, K.CTX_REFUTE, K.CTX_FORGET, K.CTX_UPSERT, K.CTX_DETACH, K.CTX_WITH, K.CTX_ORDER,
    K.CTX_GROUP, K.CTX_LIMIT, K.CTX_OFFSET, K.CTX_AT, K.CTX_UNTIL, K.CTX_INTO, K.CTX_HAVING, K.CTX_UNION,
    K.CTX_INTERSECT, K.CTX_EXCEPT, K.CTX_OPTIONAL, K.CTX_BY, K.CTX_AS,
))  # fmt: skip
"""Words that begin a clause, a statement or a field, so that a name behind them declares no item."""

_NEVER_DECLARED = frozenset((
    K.CTX_AS, K.CTX_ASC, K.CTX_DESC, K.CTX_LIMIT, K.CTX_OFFSET, K.CTX_AT, K.CTX_UNTIL, K.CTX_INTO, K.CTX_ORDER,
    K.CTX_GROUP, K.CTX_HAVING, K.CTX_UNION, K.CTX_INTERSECT, K.CTX_EXCEPT, K.CTX_OPTIONAL, K.CTX_SET,
))  # fmt: skip
"""Words that go on behind an operand, so that a name before them declares no item."""

_STRUCTURAL = frozenset(("OE0001", "OE0002", "OE0011", "OE0016"))
"""The codes that say that the parser did not find its way."""

_LONGEST_PATH = 16
_LONGEST_ATTRIBUTE = 40
_LONGEST_BLOCK = 60
_LEADS = frozenset((K.COLON, K.EQ, K.FAT_ARROW, K.ARROW))
_SPACED = {K.CTX_BY: " by"}
_OPERANDS = frozenset(K.NAME) | K.LITERAL | {K.LPAREN, K.LBRACKET, K.KW_SELF, K.KW_SELF_TYPE}

NodeTuple = tuple[int, int, int, int]
"""Kind, first token, end token (exclusive), number of the subtree's first node."""


class Cursor:
    """A position in the tokens of one text, and what was made of those before it."""

    __slots__ = (
        "_starts", "all_kinds", "arm", "atom_at", "bad", "count", "depth", "far", "first", "first_token", "hidden",
        "in_test", "indent", "kinds", "last", "member", "mute", "no_struct", "out", "places", "pos", "problems",
        "stopped", "tokens", "told", "wildcard",
    )  # fmt: skip

    def __init__(self, tokens: list[str], all_kinds: list[int], bad: list[int]) -> None:
        self.tokens = tokens
        self.all_kinds = all_kinds
        self.bad = frozenset(place for place in bad if all_kinds[place] != K.IDENT)
        self.places = [place for place, kind in enumerate(all_kinds) if kind > K.ERROR]
        self.kinds = [kind for kind in all_kinds if kind > K.ERROR]
        self.count = len(self.kinds)
        self.kinds += [K.EOF] * PADDING
        self._starts: list[int] | None = None
        self.pos = 0
        self.begin_item(0)

    def begin_item(self, first_token: int) -> None:
        """Forget everything about the item before; `first_token` is where its leading trivia begin."""
        self.first = self.pos
        self.first_token = first_token
        self.out: list[NodeTuple] = []
        self.problems: list[Problem] = []
        self.hidden: list[Problem] = []
        self.last = self.stopped = self.told = -1
        self.depth = 0
        self.far = 0
        self.atom_at = -1
        self.mute = self.no_struct = self.arm = self.in_test = self.member = self.wildcard = False
        self.indent = self.column(self.pos) or 0

    # Layout -----------------------------------------------------------------------------------------------------

    @property
    def starts(self) -> list[int]:
        """Offsets of all tokens; made when the first problem needs them."""
        if self._starts is None:
            self._starts = offsets(self.tokens)
        return self._starts

    def start(self, pos: int) -> int:
        """Offset of the significant token at `pos`; of the end of the text, past the last."""
        return self.starts[self.places[pos]] if pos < self.count else self.starts[-1]

    def end(self, pos: int) -> int:
        """Offset behind the significant token at `pos`."""
        return self.starts[self.places[pos] + 1] if pos < self.count else self.starts[-1]

    def text(self, pos: int) -> str:
        """Text of the significant token at `pos`; empty past the last."""
        return self.tokens[self.places[pos]] if pos < self.count else ""

    def column(self, pos: int) -> int | None:
        """Width of the blanks before a token that is the first on its line, else None."""
        if pos >= self.count:
            return None
        width = 0
        for place in range(self.places[pos] - 1, self.first_token - 1, -1):
            kind = self.all_kinds[place]
            if kind == K.NEWLINE:
                return width
            if kind > K.ERROR:
                return None
            width += len(self.tokens[place])
        return width

    def newline_before(self, pos: int) -> bool:
        """Whether the token at `pos` is the first of its line, or there is none."""
        return pos >= self.count or self.column(pos) is not None

    def adjacent(self, pos: int) -> bool:
        """Whether nothing stands between the token at `pos` and the one before it."""
        return 0 < pos < self.count and self.places[pos] == self.places[pos - 1] + 1

    def at_item(self, pos: int) -> bool:
        """Whether the token at `pos` begins the next item, by keyword or by indentation."""
        kind, following = self.kinds[pos], self.kinds[pos + 1]
        if kind in ITEM_KEYWORDS:
            return not self.member and following != K.LPAREN and self._free_standing(pos)
        if kind == K.HASH_BRACKET:
            return self._outdented(pos) and self.at_item(self._past_attribute(pos))
        if kind < K.IDENT or kind in _NEVER_DECLARES:
            return kind == K.HASH_BANG_BRACKET
        if following == K.COLON_COLON:
            following = self.kinds[self._past_path(pos)]
        return following >= K.IDENT and following not in _NEVER_DECLARED and self._outdented(pos)

    def _past_path(self, pos: int) -> int:
        """The position behind the path that begins at `pos`."""
        limit = pos + _LONGEST_PATH
        while self.kinds[pos + 1] == K.COLON_COLON and pos < limit:
            pos += 2
        self.far = max(self.far, pos + 2)
        return pos + 1

    def full_stop(self, pos: int) -> bool:
        """Whether the `.` at `pos` ends the item, as in other languages: nothing of the item stands behind it.

        It is told and taken for a `;` then.
        """
        if self.kinds[pos] != K.DOT or not self.adjacent(pos):
            return False
        column = self.column(pos + 1)
        self.far = max(self.far, pos + 2)
        if pos + 1 < self.count and (column is None or column > self.indent):
            return False
        self.kinds[pos], self.stopped = K.SEMI, pos
        here, self.pos = self.pos, pos
        start, end = self.start(pos), self.end(pos)
        fix = Fix("replace", (Edit(start, end, ";"),), args(suggestion=";"))
        self.report("OE0001", start, end, {"expected": "`;`", "found": "`.`"}, notes=(Note("full_stop"),), fixes=(fix,))
        self.pos = here
        return True

    def declares(self) -> bool:
        """Whether the name here is the first word of the next item and belongs to nothing before it."""
        return self.kinds[self.pos + 1] >= K.IDENT and self.pos > self.first and self.at_item(self.pos)

    def _outdented(self, pos: int) -> bool:
        """Whether the token at `pos` begins its line, no further right than the item."""
        column = self.column(pos)
        return column is not None and column <= self.indent

    def _past_attribute(self, pos: int) -> int:
        """The position behind the attribute that begins at `pos`, or of the last token looked at."""
        depth, limit = 0, min(self.count, pos + _LONGEST_ATTRIBUTE)
        while pos < limit:
            depth += (self.kinds[pos] in OPENERS) - (self.kinds[pos] in CLOSERS)
            pos += 1
            if not depth:
                break
        self.far = max(self.far, pos + 2)
        return pos

    def _free_standing(self, pos: int) -> bool:
        """Whether the token at `pos` begins its line or follows what ends an item."""
        return pos == self.first or self.kinds[pos - 1] in (K.SEMI, K.RBRACE) or self.newline_before(pos)

    def ends_here(self) -> bool:
        """Whether nothing of this item can follow: end of file or the next item."""
        return self.kinds[self.pos] == K.EOF or self.at_item(self.pos)

    # Problems ---------------------------------------------------------------------------------------------------

    def report(
        self,
        code: str,
        start: int,
        end: int,
        values: dict[str, str] | None = None,
        *,
        related: tuple[Related, ...] = (),
        notes: tuple[Note, ...] = (),
        fixes: tuple[Fix, ...] = (),
    ) -> None:
        """Add a problem, unless the cursor is past repair, or this position has one."""
        if self.mute or self.last == self.pos or self._follows(code):
            return
        self.last, self.told = self.pos, start
        found = Problem(code, start, end, args(**(values or {})), related, notes, fixes)
        (self.hidden if self.spoilt() else self.problems).append(found)

    def _follows(self, code: str) -> bool:
        """Whether a problem here is rather a consequence of the one a few tokens before on the same line."""
        if not 0 <= self.last < self.pos < self.last + NEAR or code not in _STRUCTURAL:
            return False
        first = self.last + (self.told >= self.start(self.last))
        return not any(self.newline_before(pos) for pos in range(first, self.pos + 1))

    def spoilt(self) -> bool:
        """Whether a token next to this position has a lexical problem, which then is the one to report."""
        if not self.bad:
            return False
        low = self.places[self.pos - 1] if self.pos > self.first else self.first_token
        high = self.places[self.pos] if self.pos < self.count else len(self.tokens) - 1
        return any(place in self.bad for place in range(low, high + 1))

    def after(self) -> int:
        """Offset behind the token before this position, where something missing belongs."""
        return self.end(self.pos - 1) if self.pos > self.first else self.start(self.pos)

    def found(self) -> str:
        """The token here, as messages name it."""
        return words.described(self.kinds[self.pos], self.text(self.pos))

    def expected(self, *names: str, notes: tuple[Note, ...] = (), fixes: tuple[Fix, ...] = (),
                 related: tuple[Related, ...] = ()) -> None:  # fmt: skip
        """OE0001 here: behind the previous token when something is missing, at this token when it is the wrong one."""
        missing = all(name.startswith("`") for name in names) or self.kinds[self.pos] in CLOSERS
        values = {"expected": words.one_of(names), "found": self.found()}
        if self.pos != self.first and (missing or self.newline_before(self.pos)):
            start = end = self.after()
        else:
            start, end = self.start(self.pos), self.end(self.pos)
        self.report("OE0001", start, end, values, notes=notes, fixes=fixes, related=related)

    def insertion(self, text: str) -> tuple[Fix, ...]:
        """The fix that writes `text` behind the previous token."""
        place = self.after()
        return (Fix("insert", (Edit(place, place, text),), args(suggestion=text)),)

    def foreign(self, suggestion: str, *, expected: str, end: int | None = None) -> None:
        """OE0001 for a token (or those to `end`) that another language would have here; the caller consumes it."""
        stop = self.pos if end is None else end
        start, finish = self.start(self.pos), self.end(stop)
        text = "".join(self.tokens[self.places[self.pos] : self.places[stop] + 1])
        note = Note("foreign", args(suggestion=suggestion, found=text))
        fix = Fix("replace", (Edit(start, finish, suggestion),), args(suggestion=suggestion), safe=False)
        self.report("OE0001", start, finish, {"expected": expected, "found": f"`{text}`"}, notes=(note,), fixes=(fix,))

    # Moving -----------------------------------------------------------------------------------------------------

    def accept(self, kind: int) -> bool:
        """Step over a token of this kind, if it is here."""
        if self.kinds[self.pos] == kind:
            self.pos += 1
            return True
        return False

    def expect(self, kind: int) -> bool:
        """Step over a token of this kind, or report that it is missing."""
        if self.kinds[self.pos] == kind:
            self.pos += 1
            return True
        name = words.quoted(kind)
        mends = kind in CLOSERS or kind == K.CTX_BY or (kind in _LEADS and self.kinds[self.pos] in _OPERANDS)
        self.expected(name, fixes=self.insertion(_SPACED.get(kind, name.strip("`"))) if mends else ())
        return False

    def close(self, kind: int, first: int, first_node: int) -> None:
        """Add a finished node from token `first` to here over the nodes since `first_node`."""
        self.out.append((kind, first, self.pos, first_node))

    def opens(self, *others: str) -> bool:
        """Step over `{`. When it is missing, say so, and go on as if it stood here if its `}` is still to come."""
        if self.kinds[self.pos] == K.LBRACE:
            self.pos += 1
            return True
        place = self.after()
        text = "{" if place and self.newline_before(self.pos) else " {"
        ahead = self.closes_ahead()
        fix = (Fix("insert", (Edit(place, place, text),), args(suggestion="{")),) if ahead and not others else ()
        self.expected("`{`", *others, fixes=fix)
        return ahead

    def closes_ahead(self) -> bool:
        """Whether a `}` that closes nothing stands between here and the next item."""
        depth, pos = 0, self.pos
        limit = min(self.count, pos + _LONGEST_BLOCK)
        while pos < limit and not self.at_item(pos):
            kind = self.kinds[pos]
            if kind == K.SEMI and pos == self.pos:
                break
            depth += (kind in OPENERS) - (kind in CLOSERS)
            if depth < 0:
                self.far = max(self.far, pos + 2)
                return kind == K.RBRACE
            pos += 1
        self.far = max(self.far, pos + 2)
        return False

    def enter(self) -> bool:
        """One level deeper; False, once reported and with the rest of the item skipped, at the limit."""
        self.depth += 1
        if self.depth <= MAX_DEPTH:
            return True
        if not self.mute:
            self.report("OE0017", self.start(self.pos), self.end(self.pos), {"limit": str(MAX_DEPTH)},
                        notes=(Note("name_parts"),))  # fmt: skip
            self.mute = True
            self.skip_rest()
        return False

    def skip_rest(self) -> None:
        """Skip to the next item, wherever brackets stand."""
        first, kinds = self.pos, self.kinds
        while True:
            kind = kinds[self.pos]
            if kind == K.EOF or ((kind in ITEM_KEYWORDS or kind >= K.IDENT) and self.at_item(self.pos)):
                break
            self.pos += 1
        self._skipped(first)

    def skip(self, stops: frozenset[int]) -> None:
        """Skip to one of `stops`, a closing bracket, or the end of the item; brackets are skipped in pairs."""
        first, kinds = self.pos, self.kinds
        while True:
            kind = kinds[self.pos]
            if kind == K.EOF or kind in stops or kind in CLOSERS or self.at_item(self.pos):
                break
            if kind in OPENERS:
                self.skip_pair()
            else:
                self.pos += 1
        self._skipped(first)

    def _skipped(self, first: int) -> None:
        if self.pos > first:
            self.out.append((K.N_ERROR, first, self.pos, len(self.out)))

    def skip_pair(self) -> None:
        """Skip a bracket and everything to its partner, or to the next item."""
        depth, kinds = 0, self.kinds
        while True:
            kind = kinds[self.pos]
            if kind in OPENERS:
                depth += 1
            elif kind in CLOSERS:
                depth -= 1
            elif kind == K.EOF or ((kind in ITEM_KEYWORDS or kind >= K.IDENT) and self.at_item(self.pos)):
                return
            self.pos += 1
            if depth <= 0:
                return
