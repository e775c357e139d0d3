"""A source text as a flat list of items, and how an edit re-parses only the items that it can have changed.

Bodies of inline `mod` and `standpoint` are in the same list, between the item that opens and the one that closes
them. An edit gives a document equal to a full parse of the new text (invariant 2): an item depends on its own text
and on at most `Item.reach` tokens behind it, so those whose tokens and reach the edit leaves alone are kept.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from argon_lang.problems import Note, Problem, args
from argon_lang.syntax import kinds as K
from argon_lang.syntax.labels import decl_label, declared_word
from argon_lang.syntax.parse import Pieces, misplaced_doc, parse_items
from argon_lang.syntax.parser import words
from argon_lang.syntax.tree import Item

_FARTHEST = 80
"""No item looks further behind itself, in significant tokens."""

_OPENS = frozenset((K.N_MOD_DECL, K.N_STANDPOINT_DECL))
_STRUCTURAL = _OPENS | {K.N_CLOSE_BRACE}


@dataclass(frozen=True, slots=True)
class Damage:
    """What an edit changed in the list of items: `[first, first + removed)` became `[first, first + added)`."""

    first: int
    removed: int
    added: int


@dataclass(frozen=True)
class Document:
    """A text and its items; a value, from which `edit` makes another that shares the items it can."""

    text: str
    items: list[Item]
    starts: list[int]
    damage: Damage | None = field(default=None, compare=False)

    @staticmethod
    def parse(text: str) -> Document:
        """The document of a text. Never raises."""
        items = parse_items(text)
        return Document(text, items, _starts(items))

    def item_index(self, offset: int) -> int:
        """The item that an offset lies in; at a seam the one that begins there."""
        return max(0, min(bisect_right(self.starts, offset) - 1, len(self.items) - 1))

    def edit(self, start: int, end: int, new: str) -> Document:
        """The document after `[start, end)` was replaced by `new`. Offsets outside the text are clamped."""
        start = max(0, min(start, len(self.text)))
        end = max(start, min(end, len(self.text)))
        text = self.text[:start] + new + self.text[end:]
        first = self._first_damaged(start)
        made, kept = self._reparse(text, first, end, len(new) - (end - start))
        removed = kept - first
        made = _reuse(self.items[first:kept], made)
        items = self.items[:first] + made + self.items[kept:]
        shift = len(new) - (end - start)
        base = self.starts[first]
        middle = list(accumulate((len(each.text) for each in made), initial=base))[:-1]
        rest = [place + shift for place in self.starts[kept:]] if shift else self.starts[kept:]
        return Document(text, items, self.starts[:first] + middle + rest, Damage(first, removed, len(made)))

    def _first_damaged(self, start: int) -> int:
        """The first item whose text, or whose look behind itself, the edit touches."""
        index = bisect_left(self.starts, start) - 1
        index = max(0, min(index, len(self.items) - 1))
        between = _tokens_before(self.items[index], start - self.starts[index])
        first = index
        for earlier in range(index - 1, -1, -1):
            if between >= _FARTHEST:
                break
            if self.items[earlier].reach >= between:
                first = earlier
            between += self.items[earlier].count
        return first

    def _reparse(self, text: str, first: int, end: int, shift: int) -> tuple[list[Item], int]:
        """New items from item `first` on, and the first old item that is kept behind them."""
        base, count = self.starts[first], len(self.items)
        stop, step = min(count, self.item_index(end) + 4), 8
        while True:
            whole = stop >= count
            pieces = Pieces(text[base:] if whole else text[base : self.starts[stop] + shift])
            if pieces.swallowed and not whole:
                stop = count
                continue
            made: list[Item] = []
            for item, offset in pieces:
                made.append(item)
                if offset < 0:
                    break
                if not whole and not pieces.trusted:
                    break
                old = base + offset - shift
                if old >= end:
                    kept = bisect_left(self.starts, old)
                    if kept < count and self.starts[kept] == old and kept > first:
                        return made, kept
            if whole:
                return made, count
            stop, step = min(count, stop + step), step * 4

    # What the items make together ---------------------------------------------------------------------------------

    @cached_property
    def problems(self) -> list[tuple[int, Problem]]:
        """All problems, each with the index of its item, in the order of the text."""
        found = [(index, each) for index in range(len(self.items)) for each in self._told(index)]
        more = self._structure[1]
        if more:
            found = sorted(found + more, key=lambda pair: (pair[0], pair[1].start, pair[1].end, pair[1].code))
        return found

    def _told(self, index: int) -> tuple[Problem, ...]:
        """An item's problems; none of a remnant, which is no item because the one before it broke off too early."""
        item = self.items[index]
        if not item.problems or item.kind != K.N_ERROR_ITEM or not index:
            return item.problems
        if item.tokens[_lead(item)][0].isalpha() and self.items[index - 1].text.endswith(("\n", "\r")):
            return item.problems
        before = index - 1
        while before and self.items[before].kind == K.N_CLOSE_BRACE:
            before -= 1
        return () if _wrong(self.items[before]) else item.problems

    @cached_property
    def scopes(self) -> list[tuple[str, ...]]:
        """For each item the names of the inline modules and standpoints around it, outermost first.

        The item that opens a scope and the one that closes it stand outside of it.
        """
        return self._structure[0]

    @cached_property
    def labels(self) -> list[tuple[str, int]]:
        """For each item its label with the scopes before it, and its ordinal among equal labels (`ItemId`)."""
        seen: dict[str, int] = {}
        found = []
        for item, scope in zip(self.items, self.scopes, strict=True):
            label = "".join(f"{name}::" for name in scope) + decl_label(item)
            seen[label] = ordinal = seen.get(label, -1) + 1
            found.append((label, ordinal))
        return found

    @cached_property
    def module_docs(self) -> tuple[str, ...]:
        """The `//!` lines at the beginning of the text, without the mark and one blank."""
        first = self.items[0]
        return tuple(
            token[3:].removeprefix(" ")
            for kind, token in zip(first.kinds, first.tokens, strict=True)
            if kind == K.INNER_DOC
        )

    @cached_property
    def _structure(self) -> tuple[list[tuple[str, ...]], list[tuple[int, Problem]]]:
        scopes: list[tuple[str, ...]] = []
        problems: list[tuple[int, Problem]] = []
        stack: list[tuple[int, tuple[str, ...]]] = []
        scope: tuple[str, ...] = ()
        opened, wounded = True, False
        for index, item in enumerate(self.items):
            if not opened and K.INNER_DOC in item.kinds:
                problems += [(index, problem) for problem in _inner_docs(item)]
            opened = opens(item)
            if item.kind == K.N_CLOSE_BRACE:
                if stack:
                    _, scope = stack.pop()
                elif not wounded:
                    problems.append((index, _stray_brace(item)))
            wounded = _wrong(item) or (wounded and item.kind == K.N_CLOSE_BRACE)
            scopes.append(scope)
            if opened:
                stack.append((index, scope))
                scope = (*scope, declared_word(item.root))
            opened = opened or item.kind == K.N_FILE_ATTRIBUTE
        return scopes, problems + [_never_closed(self.items, index) for index, _ in stack]


def _wrong(item: Item) -> bool:
    """Whether the item's syntax is in error; a warning breaks nothing off."""
    return any(problem.code.startswith("OE") for problem in item.problems)


def _lead(item: Item) -> int:
    """Place among an item's tokens of its first significant token."""
    return next((at for at, kind in enumerate(item.kinds) if kind > K.ERROR), 0)


def _starts(items: list[Item]) -> list[int]:
    return list(accumulate((len(item.text) for item in items), initial=0))[:-1]


def opens(item: Item) -> bool:
    """Whether an item opens an inline module or standpoint, whose items follow it."""
    return item.kind in _OPENS and _brace(item) is not None


def _brace(item: Item) -> tuple[int, int] | None:
    return next(((token.start, token.end) for token in item.root.own_tokens if token.kind == K.LBRACE), None)


def _tokens_before(item: Item, offset: int) -> int:
    """How many significant tokens of the item end before `offset`."""
    return bisect_left(item.extent[2], offset)


def _stray_brace(item: Item) -> Problem:
    start, end = item.extent[1][0], item.extent[2][0]
    return Problem("OE0001", start, end, args(expected=words.ITEM, found="`}`"), notes=(Note("item_start"),))


def _never_closed(items: list[Item], opened: int) -> tuple[int, Problem]:
    """OE0002 at the brace of a module, or at that of an item in it whose `}` stands left of the item's beginning."""
    index, places = opened, _brace(items[opened]) or (0, 0)
    for inner in range(opened + 1, len(items)):
        taken = _outdented_brace(items[inner])
        if taken is not None:
            index, places = inner, taken
            break
    return index, Problem("OE0002", *places, args(found="{"), notes=(Note("close", args(suggestion="}")),))


def _outdented_brace(item: Item) -> tuple[int, int] | None:
    """The first brace of an item that ends in a `}` further left than it begins."""
    _, starts, ends = item.extent
    if item.count < 2 or item.text[starts[-1] : ends[-1]] != "}":
        return None
    lead, tail = _indent(item.text, starts[0]), _indent(item.text, starts[-1])
    if lead is None or tail is None or tail >= lead:
        return None
    return next(((start, start + 1) for start in starts if item.text[start] == "{"), None)


def _indent(text: str, offset: int) -> int | None:
    """Width of the blanks before `offset`, when nothing else stands before it on its line."""
    line = text[:offset].replace("\r", "\n").rpartition("\n")[2]
    return None if line.strip() else len(line)


def _inner_docs(item: Item) -> list[Problem]:
    """OE0014 for `//!` lines in front of an item that does not begin its module."""
    found, offset = [], 0
    for kind, token in zip(item.kinds, item.tokens, strict=True):
        if kind > K.ERROR:
            break
        if kind == K.INNER_DOC:
            found.append(misplaced_doc(token, offset))
        offset += len(token)
    return found


def _same(old: Item, new: Item) -> bool:
    return (
        old.text == new.text and old.problems == new.problems and old.node_kinds == new.node_kinds
        and old.node_starts == new.node_starts and old.node_ends == new.node_ends and old.reach == new.reach
    )  # fmt: skip


def _reuse(old: list[Item], new: list[Item]) -> list[Item]:
    """The new items, with the old object wherever one at either end is the same, so that identity means no change."""
    low, high, shorter = 0, 0, min(len(old), len(new))
    while low < shorter and _same(old[low], new[low]):
        new[low] = old[low]
        low += 1
    while high < shorter - low and _same(old[-1 - high], new[-1 - high]):
        new[-1 - high] = old[-1 - high]
        high += 1
    return new
