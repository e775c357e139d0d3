"""Which name may have been meant by a slip: the nearest of those in scope by edit distance."""

from __future__ import annotations

from collections.abc import Iterable

from shared_catalog.lookup import distance


def near(name: str, candidates: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """At most `most` of `candidates` that `name` may be a slip of, nearest first; another case is nearest of all."""
    limit = min(1 if len(name) < 4 else 2 if len(name) < 8 else 3, len(name) - 1)
    if limit <= 0:
        return tuple(sorted(other for other in set(candidates) if _differs_in_case(name, other)))[:most]
    letters = set(name)
    close = (
        other
        for other in set(candidates)
        if other != name
        and abs(len(other) - len(name)) <= limit
        and (len(letters.difference(other)) <= limit or name.casefold() == other.casefold())
    )
    scored = sorted((_score(name, other, limit), other) for other in close)
    return tuple(other for score, other in scored if score <= limit)[:most]


def _differs_in_case(name: str, other: str) -> bool:
    return len(other) == len(name) and other != name and other.casefold() == name.casefold()


def _score(name: str, other: str, most: int) -> int:
    return 0 if name.casefold() == other.casefold() else distance(name, other, most)
