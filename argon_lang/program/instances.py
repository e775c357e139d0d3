"""Generic concepts with something for each type parameter (language.md §3.2): `Box<Int>` is a concept of its own.

It stands below `Box` under the path `pkg::Box<Int>`, which spells the types, so that the path alone says what it is:
whatever takes a concept by its path takes it. What still has a type parameter of the place around it is no such concept
yet and stays a type with arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from argon_lang.program.types import (
    PRIMITIVES,
    UNKNOWN,
    Applied,
    ListOf,
    Named,
    OptionOf,
    SetOf,
    Type,
)

Kind = Callable[[str], str | None]
"""What a path declares: `concept`, `relation`, `struct` or `enum`."""

_WORD = re.compile(r"[^<>\[\],?; ]+")


def is_instance(path: str) -> bool:
    """Is it the path of a generic concept with types for its parameters?"""
    return path.endswith(">")


def generic_of(path: str) -> str:
    """The path of the generic concept."""
    return path.partition("<")[0]


def arguments_of(path: str, kind: Kind) -> tuple[Type, ...]:
    """The types that stand for the parameters, read back from the path."""
    return _Reader(path[len(generic_of(path)) :], kind).arguments()


class _Reader:
    """Reads spelled types."""

    def __init__(self, text: str, kind: Kind) -> None:
        self.text = text
        self.kind = kind
        self.at = 0

    def take(self, token: str) -> bool:
        if not self.text.startswith(token, self.at):
            return False
        self.at += len(token)
        return True

    def arguments(self) -> tuple[Type, ...]:
        self.take("<")
        found = [self.type()]
        while self.take(", "):
            found.append(self.type())
        self.take(">")
        return tuple(found)

    def type(self) -> Type:
        found: Type = ListOf(self.type()) if self.take("[") else self._named()
        if isinstance(found, ListOf) and not self.take("]"):
            found = self._bounded(found)
        return OptionOf(found) if self.take("?") else found

    def _bounded(self, found: ListOf) -> ListOf:
        inside, _, _ = self.text[self.at :].partition("]")
        self.at += len(inside) + 1
        low, _, high = inside.removeprefix("; ").partition("..")
        return ListOf(found.element, int(low), None if high == "*" else int(high))

    def _named(self) -> Type:
        word = _WORD.match(self.text, self.at)
        name = word.group() if word is not None else ""
        self.at += max(len(name), 1)
        start = self.at
        given = self.arguments() if self.text.startswith("<", self.at) else ()
        if name in PRIMITIVES:
            return PRIMITIVES[name]
        path = name.replace(":", "::")
        kind = self.kind(path)
        if kind == "concept":
            return Named("concept", path + self.text[start : self.at])
        if kind is not None:
            return Named(kind, path, given)
        if name == "Set" and len(given) == 1:
            return SetOf(given[0])
        return Applied(name, given) if word is not None else UNKNOWN
