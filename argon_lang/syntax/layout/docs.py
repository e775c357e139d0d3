"""The documents that the printer fits onto lines, after Wadler's "A prettier printer".

A document is built bottom-up from the tree; the printer then decides for each group whether it stands on one line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Tok:
    """The significant token at `place`, with the comments that belong to it.

    `bare` leaves out the comments before it, which were printed elsewhere.
    """

    place: int
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Dropped:
    """A token that is not printed; the comments behind it are."""

    place: int


@dataclass(frozen=True, slots=True)
class Comments:
    """The comments on lines of their own before the token at `place`, without the token."""

    place: int


@dataclass(frozen=True, slots=True)
class Line:
    """A place to break a line: `flat` when its group stands on one line, else a line end.

    A blank line of the source before the token at `place` is kept; -1 keeps none.
    """

    flat: str = " "
    place: int = -1


@dataclass(frozen=True, slots=True)
class Hard:
    """A line end in every case. A blank line of the source before the token at `place` is kept."""

    place: int = -1


@dataclass(frozen=True, slots=True)
class IfBroken:
    """Only printed when the group around it is broken; otherwise the comments behind a dropped `place` are."""

    text: str
    place: int = -1


@dataclass(frozen=True, slots=True)
class Indent:
    """What is inside begins its lines one step further right."""

    inner: Doc


@dataclass(frozen=True, slots=True)
class Group:
    """On one line if it fits and is not `broken`, else with all its lines broken."""

    inner: Doc
    broken: bool = False


Doc: TypeAlias = str | Tok | Dropped | Comments | Line | Hard | IfBroken | Indent | Group | list["Doc"]
