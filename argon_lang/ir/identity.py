"""The plain data that content ids are taken of, made quickly: what `codec.encode` makes with `identity`, by recursion.

Each shape becomes one function, once. Rules are hashed by the thousand, and nearly all are small.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any

from argon_lang.ir.scalars import ENCODERS, PLAIN, TUPLE, encode_leaf
from argon_lang.ir.schema import BY_CLASS, VALUE_CLASSES
from argon_lang.ir.shapes import Leaf, Node, Opt, Seq, Shape, Tup

Make = Callable[[Any, int], Any]
"""From an object, and how many levels may still be nested in it, to plain data."""


class NotPlain(Exception):
    """Raised for what `codec.encode` must look at: nested too deeply, a set, or nothing that has an encoding."""


@cache
def maker(shape: Shape) -> Make:
    """The function of a shape. It raises NotPlain."""
    match shape:
        case Leaf(kind):
            return _leaf_maker(kind, {"text": str, "int": int, "flag": bool}.get(kind))
        case Node(classes):
            return _node_maker(classes)
        case Opt(inner):
            below = maker(inner)
            return lambda item, room: None if item is None else below(item, room)
        case Seq(inner):
            return _seq_maker(maker(inner))
        case Tup(shapes):
            return _tup_maker([maker(each) for each in shapes])
        case _:
            return _value


def _leaf_maker(kind: str, direct: type | None) -> Make:
    return lambda item, room: item if type(item) is direct else encode_leaf(kind, item)


def _seq_maker(below: Make) -> Make:
    def make(item: Any, room: int) -> Any:
        if type(item) is not tuple or room <= 0:
            raise NotPlain
        room -= 1
        return [below(part, room) for part in item]

    return make


def _tup_maker(makers: list[Make]) -> Make:
    def make(item: Any, room: int) -> Any:
        if type(item) is not tuple or len(item) != len(makers) or room <= 0:
            raise NotPlain
        return [below(part, room - 1) for below, part in zip(makers, item, strict=True)]

    return make


def _node_maker(classes: frozenset[type]) -> Make:
    def make(item: Any, room: int) -> Any:
        cls = type(item)
        if cls not in classes or room <= 0:
            raise NotPlain
        return _FIELDS[cls](item, room - 1)

    return make


class _Fields(dict[type, Make]):
    """What makes the array of an instance of each class."""

    def __missing__(self, cls: type) -> Make:
        self[cls] = found = _fields(cls)
        return found


_FIELDS = _Fields()


def _fields(cls: type) -> Make:
    """What makes the array of an instance: its class's number, then the fields that take part in equality."""
    if cls not in BY_CLASS:
        raise NotPlain
    schema = BY_CLASS[cls]
    head = schema.number
    read = [(attrgetter(schema.names[i]), schema.shapes[i]) for i in schema.identity]
    parts: list[tuple[Callable[[Any], Any], Make]] = []

    def make(item: Any, room: int) -> Any:
        if len(parts) < len(read):
            parts.extend((get, maker(shape)) for get, shape in read)
        return [head, *[below(get(item), room) for get, below in parts]]

    return make


def _value(item: Any, room: int) -> Any:
    cls = type(item)
    if cls in PLAIN:
        return item
    if cls in ENCODERS:
        return ENCODERS[cls](item)
    if room <= 0 or cls is frozenset:
        raise NotPlain
    if cls is tuple:
        return [TUPLE, *[_value(part, room - 1) for part in item]]
    if cls not in VALUE_CLASSES:
        raise NotPlain
    return _FIELDS[cls](item, room - 1)
