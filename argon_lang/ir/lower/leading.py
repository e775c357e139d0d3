"""Where in lowered values something of a kind may stand, by the registry of their classes: walks look nowhere else.

A module is mostly names, types and spans, and whoever looks for expressions or variables in it has no use for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from operator import attrgetter
from typing import Any

from argon_lang.ir.schema import BY_CLASS
from argon_lang.ir.shapes import Node, Opt, Seq, Shape, Tup

Reader = Callable[[Any], tuple[Any, ...]]


class Leading(dict[type, Reader | None]):
    """By class, what of an instance may be, or hold, one of `wanted`; None for a class that neither is nor holds any.

    Those among its fields' values that do not are None or have a class of which that is said.
    """

    def __init__(self, wanted: Iterable[type]) -> None:
        super().__init__()
        self._wanted = frozenset(wanted)

    def __missing__(self, cls: type) -> Reader | None:
        self[cls] = found = tuple if issubclass(cls, tuple) else self._reader(cls)
        return found

    def names(self, cls: type) -> tuple[str, ...]:
        """The fields of a registered class that may hold what is wanted."""
        schema = BY_CLASS[cls]
        pairs = zip(schema.names, schema.shapes, strict=True)
        return tuple(name for name, shape in pairs if self._wanted & classes_below(shape))

    def _reader(self, cls: type) -> Reader | None:
        names = self.names(cls) if cls in BY_CLASS else ()
        if not names:
            return (lambda part: ()) if cls in self._wanted else None
        read = attrgetter(*names)
        return read if len(names) > 1 else lambda part: (read(part),)


@cache
def classes_below(shape: Shape) -> frozenset[type]:
    """The registered classes of which there may be instances in a place of this shape, at any depth."""
    found: dict[type, None] = dict.fromkeys(_classes_at(shape))
    pending = list(found)
    for cls in pending:
        for each in BY_CLASS[cls].shapes:
            fresh = [other for other in _classes_at(each) if other not in found]
            found.update(dict.fromkeys(fresh))
            pending += fresh
    return frozenset(found)


def _classes_at(shape: Shape) -> Iterable[type]:
    match shape:
        case Node(classes):
            return classes
        case Opt(inner) | Seq(inner):
            return _classes_at(inner)
        case Tup(items):
            return [cls for each in items for cls in _classes_at(each)]
        case _:
            return ()
