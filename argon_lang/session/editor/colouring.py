"""Colours of a file for an editor: whole, of a range, or what is different from what it was told last."""

from __future__ import annotations

from array import array
from hashlib import blake2b

from argon_lang.ide import tokens
from argon_lang.session.editor.asked import Asked, Json

_STRIDE = 1_024


def whole(asked: Asked) -> Json:
    """`{"id", "data"}` of a file; `{"id", "edits"}` for who was told what has the id `since`."""
    found = numbers(asked)
    id_ = id_of(found)
    painted = asked.package.painted
    known, painted[asked.file] = painted.get(asked.file), (id_, found)
    if known is None or known[0] != asked.given.get("since"):
        return {"id": id_, "data": found.tolist()}
    return {"id": id_, "edits": difference(known[1], found) if known[0] != id_ else []}


def numbers(asked: Asked) -> array[int]:
    """The packed tokens of a file."""
    return tokens.packed(asked.database, asked.file, asked.placer.encoding)


def id_of(packed: array[int]) -> str:
    """By which they are known."""
    return blake2b(packed.tobytes(), digest_size=9).hexdigest()


def part(asked: Asked) -> Json:
    """The numbers of a range."""
    start, end = asked.span
    index, encoding = asked.placer.lines(asked.file), asked.placer.encoding
    row: list[int] = []
    line = column = 0
    for each in tokens.coloured(asked.database, asked.file, start, end):
        for at, first, length in tokens.parts(index, each.start, each.end, encoding):
            across = first - column if at == line else first
            row += (at - line, across, length, tokens.KINDS.index(each.kind), tokens.bits(each.modifiers))
            line, column = at, first
    return row


def difference(before: array[int], after: array[int]) -> list[Json]:
    """The one edit that makes one row of numbers of another."""
    start = common(before, after)
    most = min(len(before), len(after)) - start
    rest = common(before[::-1], after[::-1])
    end = min(rest, most)
    return [
        {"start": start, "deleteCount": len(before) - start - end, "data": after[start : len(after) - end].tolist()}
    ]


def common(one: array[int], other: array[int]) -> int:
    """How many numbers both begin with."""
    shorter, at = min(len(one), len(other)), 0
    while at < shorter and one[at : at + _STRIDE] == other[at : at + _STRIDE]:
        at = min(at + _STRIDE, shorter)
    while at < shorter and one[at] == other[at]:
        at += 1
    return at
