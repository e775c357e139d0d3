"""A parsed text as plain values (numbers, texts, bytes, lists), and back: faster to read than the text is to parse.

The text is not among them: whoever unpacks has it, and tokens are cut from it. What is unpacked was checked: kinds
exist, lengths add up to the text, every node covers tokens of its item and has its subtree before it. So a form that
was damaged, or is one of another text, gives None, and never a tree that leads outside of itself.

The numbers of all items stand in one row after another, little-endian and of one width, so that they are cut, compared
and summed without a Python loop over tokens or nodes. Tokens are cut from an item's text when somebody asks for them:
a program says half a million, and a check after an edit looks at few.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain, pairwise
from operator import le
from sys import intern
from typing import Any, get_args

from argon_lang.problems import Args, Edit, Fix, Note, Problem, Related
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.document import Document
from argon_lang.syntax.token_table import TOKENS
from argon_lang.syntax.tree import LAST_TRIVIA, Item, Numbers, View, packed

Plain = Any
"""What a decoder of CBOR may give: nothing is known of it."""

_CODES = {2: "H", 4: "I"}
_TRIVIA = bytes(range(LAST_TRIVIA + 1))
_TOKENS = bytes(range(len(TOKENS)))
_ITEMS = frozenset(each.KIND for each in get_args(nodes.Decl))


_TOLD: Numbers = array("H")
"""In place of the lengths of tokens that were cut."""


class KeptItem(Item):
    """An item that was unpacked: its tokens are cut from its text when they are asked for first."""

    __slots__ = ("_lengths",)

    def __init__(self, text: str, kinds: Numbers, lengths: Numbers, arrays: tuple[Numbers, ...],
                 count: int, reach: int) -> None:  # fmt: skip
        self.text = text
        self.count = count
        self.reach = reach
        self.label = None
        self.kinds = kinds
        self.node_kinds, self.node_starts, self.node_ends, self.node_firsts = arrays
        self.problems = ()
        self._extent = None
        self._views = None
        self._lengths = lengths

    def __getattr__(self, name: str) -> list[str]:
        """The tokens, which nobody asked for before: Python comes here for what a slot does not hold yet."""
        if name != "tokens":
            raise AttributeError(name)
        text, ends = self.text, accumulate(self._lengths, initial=0)
        self.tokens = found = [intern(text[start:end]) for start, end in pairwise(ends)]
        self._lengths = _TOLD
        return found


def pack(document: Document) -> Plain | None:
    """The plain form of a parsed text; None where a problem in it has no such form."""
    items = document.items
    try:
        problems = [[index, _plain(each)] for index, item in enumerate(items) for each in item.problems]
    except _Unpackable:
        return None
    of_items = ([len(item.kinds) for item in items], [len(item.node_kinds) for item in items],
                [item.reach for item in items])  # fmt: skip
    of_nodes = ([item.node_kinds for item in items], [item.node_starts for item in items],
                [item.node_ends for item in items], [item.node_firsts for item in items])  # fmt: skip
    lengths = map(len, chain.from_iterable(item.tokens for item in items))
    rows = (lengths, *of_items, *map(chain.from_iterable, of_nodes))
    return [bytes(chain.from_iterable(item.kinds for item in items)), [_row(each) for each in rows], problems]


def unpack(text: str, form: Plain) -> Document | None:
    """The document of a text from its plain form; None when this is no form of it. Never raises."""
    try:
        kinds, rows, problems = form
        lengths, *others = map(_numbers, rows)
        items: list[Item] = list(_items(text, kinds, lengths, *others))
        _give_problems(items, problems)
    except (ValueError, TypeError, IndexError, OverflowError, _Unpackable):
        return None
    starts = list(accumulate((len(item.text) for item in items), initial=0))[:-1]
    return Document(text, items, starts)


class _Unpackable(Exception):
    """A value that has no plain form, or a form that is not the one of a tree over this text."""


def _require(fits: bool) -> None:
    if not fits:
        raise _Unpackable


def _row(numbers: Iterable[int]) -> list[Plain]:
    """Numbers as their width in bytes and the bytes, little-endian."""
    found = packed(list(numbers))
    if sys.byteorder == "big":
        found.byteswap()
    return [found.itemsize, found.tobytes()]


def _numbers(row: Plain) -> Numbers:
    width, data = row
    _require(type(width) is int and width in _CODES and type(data) is bytes)
    found = array(_CODES[width])
    found.frombytes(data)
    if sys.byteorder == "big":
        found.byteswap()
    return found


def _items(
    text: str, kinds: Plain, lengths: Numbers, token_counts: Numbers, node_counts: Numbers, reaches: Numbers,
    *of_nodes: Numbers,
) -> Iterator[KeptItem]:  # fmt: skip
    """The items, each with its part of every row; raises _Unpackable where they are none."""
    _require(type(kinds) is bytes and not kinds.translate(None, _TOKENS) and len(kinds) == len(lengths))
    _require(0 not in lengths and sum(lengths) == len(text) and sum(token_counts) == len(kinds))
    _require(len(token_counts) == len(node_counts) == len(reaches) > 0 and 0 not in node_counts)
    node_kinds, starts, ends, firsts = of_nodes
    _require(len(node_kinds) == len(starts) == len(ends) == len(firsts) == sum(node_counts))
    _require(View.classes.keys() >= set(node_kinds) and all(map(le, starts, ends)))
    _require(all(map(le, firsts, chain.from_iterable(map(range, node_counts)))))
    token = node = place = 0
    for tokens, count, reach in zip(token_counts, node_counts, reaches, strict=True):
        cut, of_item = slice(token, token + tokens), slice(node, node + count)
        own = kinds[cut]
        begin, token, node, place = place, token + tokens, node + count, place + sum(lengths[cut])
        arrays = (node_kinds[of_item], starts[of_item], ends[of_item], firsts[of_item])
        significant = len(own.translate(None, _TRIVIA))
        made = KeptItem(text[begin:place], array("B", own), lengths[cut], arrays, significant, reach)
        _require(_is_whole(made, token == len(kinds) and node == len(node_kinds)))
        yield made


def _is_whole(item: Item, is_last: bool) -> bool:
    """Does the root take in all nodes, is it an item, and do all nodes keep to its tokens?"""
    is_end = item.kind == K.N_END_OF_FILE
    if item.node_firsts[-1] or max(item.node_ends) > item.count or item.kind not in _ITEMS:
        return False
    return is_end == is_last and is_end == (item.count == 0)


# -- problems ---------------------------------------------------------------------------------------------------------


def _plain(problem: Problem) -> list[Plain]:
    related = [[each.key, each.start, each.end, _pairs(each.args)] for each in problem.related]
    notes = [[each.key, _pairs(each.args)] for each in problem.notes]
    fixes = [
        [fix.key, [[each.start, each.end, each.text] for each in fix.edits], _pairs(fix.args), fix.safe]
        for fix in problem.fixes
    ]
    _require(all(each.place is None for each in problem.related))
    _require(all(each.item is None for fix in problem.fixes for each in fix.edits))
    return [problem.code, problem.start, problem.end, _pairs(problem.args), related, notes, fixes]


def _pairs(values: Args) -> list[Plain]:
    return [list(each) for each in values]


def _give_problems(items: list[Item], problems: Plain) -> None:
    """Give each item its problems, which stand in the order of the items."""
    listed: dict[int, list[Problem]] = {}
    for index, plain in problems:
        _require(type(index) is int and 0 <= index < len(items))
        listed.setdefault(index, []).append(_problem(plain, len(items[index].text)))
    for index, found in listed.items():
        items[index].problems = tuple(found)


def _problem(plain: Plain, length: int) -> Problem:
    code, start, end, values, related, notes, fixes = plain
    return Problem(
        _text(code),
        *_span(start, end, length),
        _args(values),
        tuple(Related(_text(key), *_span(low, high, length), None, _args(more)) for key, low, high, more in related),
        tuple(Note(_text(key), _args(more)) for key, more in notes),
        tuple(_fix(length, *each) for each in fixes),
    )


def _fix(length: int, key: Plain, edits: Plain, values: Plain, safe: Plain) -> Fix:
    _require(type(safe) is bool)
    made = tuple(Edit(*_span(start, end, length), _text(new)) for start, end, new in edits)
    return Fix(_text(key), made, _args(values), safe)


def _args(values: Plain) -> Args:
    return tuple((_text(name), _text(value)) for name, value in values)


def _text(value: Plain) -> str:
    _require(type(value) is str)
    found: str = value
    return found


def _span(start: Plain, end: Plain, length: int) -> tuple[int, int]:
    _require(type(start) is int and type(end) is int and 0 <= start <= end <= length)
    return start, end
