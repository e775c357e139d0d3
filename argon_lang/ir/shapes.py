"""Shapes: what may stand at one place of an encoded value, as plain data that the codec interprets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar: `text`, `int`, `flag`, or `instant` (an aware datetime, as microseconds since the epoch)."""

    kind: Literal["text", "int", "flag", "instant"]


@dataclass(frozen=True, slots=True)
class ValueShape:
    """Any run-time value (`argon_lang.ir.values`)."""


@dataclass(frozen=True, slots=True)
class Node:
    """An instance of one of these registered classes."""

    classes: frozenset[type]


@dataclass(frozen=True, slots=True)
class Opt:
    """None or the inner shape."""

    inner: Shape


@dataclass(frozen=True, slots=True)
class Seq:
    """A tuple of any length, all of one shape."""

    item: Shape


@dataclass(frozen=True, slots=True)
class Tup:
    """A tuple with a fixed shape for each position."""

    items: tuple[Shape, ...]


Shape = Leaf | ValueShape | Node | Opt | Seq | Tup

TEXT, INT, FLAG, INSTANT = Leaf("text"), Leaf("int"), Leaf("flag"), Leaf("instant")
VALUE = ValueShape()
ROW = Seq(VALUE)
TEXTS = Seq(TEXT)


def node(*classes: type) -> Node:
    """A place for any of these registered classes."""
    return Node(frozenset(classes))


def tup(*items: Shape) -> Tup:
    """A fixed tuple."""
    return Tup(items)
