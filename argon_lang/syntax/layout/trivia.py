"""Which comments belong to which token of an item, and where the source has blank lines."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from argon_lang.syntax import kinds as K
from argon_lang.syntax.tree import Item

_COMMENTS = frozenset((K.LINE_COMMENT, K.BLOCK_COMMENT, K.OUTER_DOC, K.INNER_DOC))
_PUNCTUATION = frozenset((K.COMMA, K.SEMI))


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment. `own_line`: nothing but the comment stands on its line; `blank`: a blank line before it."""

    text: str
    own_line: bool
    blank: bool
    line: bool


class Trivia:
    """The comments of an item by significant token.

    `leading[place]` stand before the token, `trailing[place]` behind it on its line; the last entry of `leading` holds
    what follows no token. `blank[place]`: a blank line before the token's first comment, or before the token;
    `gap[place]`: a blank line between its last comment and the token; `newline[place]`: the token begins a line.
    """

    __slots__ = ("_breaks", "blank", "gap", "leading", "newline", "trailing")

    def __init__(self, item: Item) -> None:
        count = item.count
        self.leading: list[list[Comment]] = [[] for _ in range(count + 1)]
        self.trailing: list[list[Comment]] = [[] for _ in range(count)]
        self.blank = [False] * (count + 1)
        self.gap = [False] * (count + 1)
        self.newline = [False] * (count + 1)
        places = [*item.extent[0], len(item.tokens)]
        low = 0
        for place, high in enumerate(places):
            self._between(item, place, low, high)
            low = high + 1
        self._past_punctuation(item)
        self._breaks = list(accumulate(map(self._breaks_before, range(count)), initial=0))

    def _breaks_before(self, place: int) -> bool:
        """Whether a comment before the token needs a line end."""
        if place and any(each.line for each in self.trailing[place - 1]):
            return True
        return any(each.own_line or each.line for each in self.leading[place])

    def _between(self, item: Item, place: int, low: int, high: int) -> None:
        """Deal out the trivia `[low, high)` before significant token `place`."""
        fresh = place == 0
        lines = int(fresh)
        for index in range(low, high):
            kind = item.kinds[index]
            if kind == K.NEWLINE:
                lines += 1
                self.newline[place] = True
            elif kind in _COMMENTS:
                self._comment(item, place, index, high, lines, fresh)
                if lines or self.leading[place]:
                    fresh = True
                lines = 0
        if self.leading[place]:
            self.gap[place] = lines > 1
        else:
            self.blank[place] = lines > 1
        self.newline[place] = self.newline[place] or place == 0

    def _comment(self, item: Item, place: int, index: int, high: int, lines: int, fresh: bool) -> None:
        line = item.kinds[index] != K.BLOCK_COMMENT
        ends = line or K.NEWLINE in item.kinds[index + 1 : high]
        text = item.tokens[index].rstrip() if line else item.tokens[index]
        if not fresh and not lines and place and (ends or high == len(item.tokens)):
            self.trailing[place - 1].append(Comment(text, False, False, line))
            return
        blank = lines > 1
        if not self.leading[place]:
            self.blank[place] = blank
        starts = bool(lines) or (fresh and not self.leading[place])
        self.leading[place].append(Comment(text, ends and starts, blank, line))

    def _past_punctuation(self, item: Item) -> None:
        """Comments before a comma or semicolon move behind it."""
        for place in range(1, item.count):
            if self.leading[place] and item.kinds[item.extent[0][place]] in _PUNCTUATION:
                self.trailing[place - 1] += self.leading[place]
                self.leading[place] = []
                self.gap[place] = False

    def inside(self, start: int, end: int) -> bool:
        """Whether a comment that needs a line end stands between the tokens `[start, end)`."""
        return end > start + 1 and self._breaks[end] > self._breaks[start + 1]
