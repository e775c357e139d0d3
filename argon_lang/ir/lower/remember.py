"""The last answers to a question about many objects that are the same from one keystroke to the next.

An edit changes one item; what the gates make of the others rests on values that the query database hands out again,
the very same objects. Comparing them by identity costs next to nothing, where their content would take as long as the
answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

T = TypeVar("T")
_KEPT = 4
_SPARE = 64


class Last(Generic[T]):
    """Remembers a few answers. The objects asked about are kept with them, so an identity is never reused."""

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        """Know nothing yet."""
        self._entries: tuple[tuple[tuple[object, ...], T], ...] = ()

    def get(self, about: Sequence[object], answer: Callable[[], T]) -> T:
        """The answer about these very objects, from `answer` when it is not known. Safe to use from many threads."""
        for known, value in self._entries:
            if len(known) == len(about) and all(old is new for old, new in zip(known, about, strict=True)):
                return value
        value = answer()
        self._entries = ((tuple(about), value), *self._entries[: _KEPT - 1])
        return value


class PerRow(Generic[T]):
    """Remembers one answer per tuple of objects, for as long as the tuple is among those asked about."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        """Know nothing yet."""
        self._known: dict[tuple[int, ...], tuple[tuple[object, ...], T]] = {}

    def all(self, rows: Sequence[tuple[Any, ...]], answer: Callable[..., T]) -> list[T]:
        """`answer(*row)` of each row, asked anew only for a row that holds another object than before.

        Safe to use from many threads. What was asked about is kept until there is twice as much as is asked now.
        """
        known = self._known
        found = []
        for row in rows:
            key = tuple(map(id, row))
            entry = known.get(key)
            if entry is None:
                entry = known[key] = (row, answer(*row))
            found.append(entry)
        if len(known) > 2 * len(found) + _SPARE:
            self._known = {tuple(map(id, entry[0])): entry for entry in found}
        return [value for _, value in found]
