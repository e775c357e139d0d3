"""How a call wants to be answered: what a write does beside writing, how much of a tree is unfolded."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """`dry_run` stops before the append. `key` replays the first receipt of an equal key (S7.5).

    `standpoint` says whose layer is written, by path or short name; None: the default one.
    """

    include_delta: bool = False
    dry_run: bool = False
    key: str | None = None
    principal: str | None = None
    standpoint: str | None = None


PLAIN = WriteOptions()


@dataclass(frozen=True, slots=True)
class Depth:
    """How much of a tree is unfolded: levels, and alternatives per derived fact (S6.3)."""

    levels: int = 3
    alternatives: int = 3


SHALLOW = Depth()


@dataclass(frozen=True, slots=True)
class Proofs:
    """Whether each row of an answer comes with why it is there: so deep, and of so many rows (None: of all)."""

    depth: Depth = SHALLOW
    most: int | None = None
