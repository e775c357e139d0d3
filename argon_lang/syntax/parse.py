"""From a piece of text to items: where each begins and ends, its tree, and its problems made item-relative.

An item owns the trivia before its first token, except what follows the item before it on the same line; that, with
the line end, belongs to the item before. Trivia after the last item are an item of their own, `EndOfFile`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from argon_lang.problems import Edit, Fix, Note, Problem, Related
from argon_lang.syntax import kinds as K
from argon_lang.syntax.lexer import lex
from argon_lang.syntax.lexical import lexical_problems
from argon_lang.syntax.parser.cursor import MAX_DEPTH, Cursor
from argon_lang.syntax.parser.items import item
from argon_lang.syntax.tree import Item

REACH = 4
"""Significant tokens behind an item's last one that any item may have looked at."""

_DOCUMENTED = frozenset((
    K.N_FIELD_DECL, K.N_VARIANT, K.N_ENDPOINT, K.N_METAREL_END, K.N_FN_DECL, K.N_DERIVE_DECL, K.N_QUERY_DECL,
    K.N_CHECK_DECL, K.N_MUTATE_DECL, K.N_AXIS_SETTING, K.N_MEMBER_VALUE, K.N_NAME,
))  # fmt: skip
_UNDOCUMENTED = frozenset((K.N_END_OF_FILE, K.N_CLOSE_BRACE, K.N_FILE_ATTRIBUTE))


def parse_items(text: str) -> list[Item]:
    """All items of a whole text; the last is the EndOfFile item, which may be empty."""
    return [made for made, _ in Pieces(text)]


class Pieces:
    """The items of a piece of text, one by one, each with its end offset, so that a caller can stop early."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens, self.kinds, self.bad = lex(text)
        self.cursor = Cursor(self.tokens, self.kinds, self.bad)

    @property
    def swallowed(self) -> bool:
        """Whether the piece ends in a comment that has no end in it, so that it takes all that follows."""
        return bool(self.bad) and self.bad[-1] == len(self.kinds) - 1 and self.kinds[-1] == K.BLOCK_COMMENT

    @property
    def trusted(self) -> bool:
        """Whether the item just made would be the same if more text followed this piece."""
        p = self.cursor
        return max(p.far, p.pos + REACH) < p.count - 1

    def __iter__(self) -> Iterator[tuple[Item, int]]:
        p = self.cursor
        first_token = offset = 0
        while p.pos < p.count:
            first = p.pos
            p.begin_item(first_token)
            _item(p)
            last_token = self._trailing(p.places[p.pos - 1] + 1)
            made, end = self._make(first, first_token, last_token, offset)
            yield made, end
            first_token, offset = last_token, end
        rest, kinds = self.tokens[first_token:], self.kinds[first_token:]
        yield _end_of_file(rest, kinds, self._lexical(first_token, len(self.tokens)))

    def _trailing(self, token: int) -> int:
        """Past the trivia that end an item: those on its last line, with the line end."""
        kinds, limit = self.kinds, len(self.kinds)
        while token < limit and kinds[token] <= K.ERROR:
            token += 1
            if kinds[token - 1] == K.NEWLINE:
                break
        return token

    def _make(self, first: int, first_token: int, last_token: int, offset: int) -> tuple[Item, int]:
        p = self.cursor
        tokens, kinds = self.tokens[first_token:last_token], self.kinds[first_token:last_token]
        text = "".join(tokens)
        end = offset + len(text)
        node_kinds, starts, ends, firsts = map(list, zip(*p.out, strict=True))
        if first:
            starts, ends = [place - first for place in starts], [place - first for place in ends]
        problems = [_moved(problem, -offset, len(text)) for problem in p.problems]
        if self.bad:
            problems += self._lexical(first_token, last_token)
            if p.hidden and not any(problem.code.startswith("OE") for problem in problems):
                problems.append(_moved(p.hidden[0], -offset, len(text)))
        arrays = (node_kinds, starts, ends, firsts)
        made = Item(text, tokens, kinds, arrays, (), p.pos - first, max(REACH, p.far - p.pos))
        if K.OUTER_DOC in kinds or K.INNER_DOC in kinds:
            problems += misplaced_docs(made)
        made.problems = tuple(_by_offset(problems)) if problems else ()
        return made, end

    def _lexical(self, first_token: int, last_token: int) -> list[Problem]:
        """Lexical problems of an item's tokens; by item, so that no problem depends on its neighbours."""
        low, high = bisect_left(self.bad, first_token), bisect_left(self.bad, last_token)
        bad = [place - first_token for place in self.bad[low:high]]
        return lexical_problems(self.tokens[first_token:last_token], self.kinds[first_token:last_token], bad)


def _item(p: Cursor) -> None:
    """One item. A stack that is used up, which only a caller deep in its own can bring about, is OE0017 as well."""
    first = p.pos
    try:
        item(p)
    except RecursionError:
        p.begin_item(p.first_token)
        p.pos = first
        p.report("OE0017", p.start(first), p.end(first), {"limit": str(MAX_DEPTH)}, notes=(Note("name_parts"),))
        p.pos += 1
        p.skip_rest()
        p.close(K.N_ERROR_ITEM, first, 0)


def _end_of_file(tokens: list[str], kinds: list[int], problems: list[Problem]) -> tuple[Item, int]:
    text = "".join(tokens)
    made = Item(text, tokens, kinds, ([K.N_END_OF_FILE], [0], [0], [0]), (), 0, REACH)
    made.problems = tuple(_by_offset(problems + misplaced_docs(made)))
    return made, -1


def misplaced_docs(made: Item) -> list[Problem]:
    """OE0014 for doc comments that stand before nothing that has documentation."""
    documented = {made.node_starts[i] for i, kind in enumerate(made.node_kinds) if kind in _DOCUMENTED}
    if made.kind not in _UNDOCUMENTED:
        documented.add(0)
    found, offset, place = [], 0, 0
    for kind, token in zip(made.kinds, made.tokens, strict=True):
        if (kind == K.OUTER_DOC and place not in documented) or (kind == K.INNER_DOC and place):
            found.append(misplaced_doc(token, offset))
        place += kind > K.ERROR
        offset += len(token)
    return found


def misplaced_doc(token: str, offset: int) -> Problem:
    """OE0014 for one doc comment at an item-relative offset."""
    notes = (Note("inner" if token.startswith("//!") else "plain"),)
    fix = Fix("plain", (Edit(offset + 2, offset + 3, ""),))
    return Problem("OE0014", offset, offset + len(token), notes=notes, fixes=(fix,))


def _moved(problem: Problem, by: int, length: int) -> Problem:
    """The problem `by` code points further on, kept inside an item of this length."""

    def place(offset: int) -> int:
        return min(max(offset + by, 0), length)

    return replace(
        problem,
        start=place(problem.start),
        end=place(problem.end),
        related=tuple(Related(r.key, place(r.start), place(r.end), r.place, r.args) for r in problem.related),
        fixes=tuple(
            replace(fix, edits=tuple(Edit(place(e.start), place(e.end), e.text) for e in fix.edits))
            for fix in problem.fixes
        ),
    )


def _by_offset(problems: list[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: (problem.start, problem.end, problem.code))
