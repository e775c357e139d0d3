"""Counts and lists as catalog templates take them: nouns, no sentences."""

from __future__ import annotations

from collections.abc import Iterable


def counted(number: int, thing: str = "argument") -> str:
    """`1 argument`, `2 arguments`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def any_of(numbers: Iterable[int]) -> str:
    """`1 or 2 arguments`."""
    wanted = sorted(set(numbers))
    if len(wanted) == 1:
        return counted(wanted[0])
    return f"{', '.join(map(str, wanted[:-1]))} or {wanted[-1]} arguments"


def quoted(names: Iterable[str]) -> str:
    """`` `a`, `b` ``."""
    return ", ".join(f"`{name}`" for name in names)


def short(path: str) -> str:
    """The last segment of a path."""
    return path.rsplit("::", 1)[-1]
