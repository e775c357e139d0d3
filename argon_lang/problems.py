"""What a room reports about a source text: codes and places, never prose.

A `Problem` is item-relative: its offsets count Unicode code points from the start of the top-level item that it
belongs to, so moving an item in its file invalidates nothing (architecture, invariant 6). A `Diagnostic` is the
published form: catalog text filled in, offsets absolute in one file. Only `argon_lang.queries` turns the one into
the other; only `shared_catalog` holds the words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

Args = tuple[tuple[str, str], ...]
"""Values of a catalog template's placeholders, as (name, text) pairs sorted by name."""


def args(**values: object) -> Args:
    """Placeholder values in canonical (sorted) order."""
    return tuple(sorted((name, str(value)) for name, value in values.items()))


class ItemId(NamedTuple):
    """A top-level item, named so that moving it keeps its identity. A tuple, since it is the key of all that is known.

    `file` is the package-relative POSIX path prefixed by the package name (`lease/root.ar`); `label` is what the item
    declares (`concept Lease`, `derive owes/2`, `test "pays"`), prefixed by its inline modules (`inner::concept Lease`);
    `ordinal` counts equal labels of one file from 0.
    """

    file: str
    label: str
    ordinal: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """A span inside an item: code points from the item's start, end exclusive."""

    item: ItemId
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Related:
    """The other half of a conflict. `key` names a template under `labels` of the code's entry.

    `place.item` may lie in another file. `place` is None when `start`/`end` are in the problem's own item.
    """

    key: str
    start: int = 0
    end: int = 0
    place: Place | None = None
    args: Args = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `[start, end)` of the problem's own item, or of `item`, by `text`."""

    start: int
    end: int
    text: str
    item: ItemId | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that mends the problem. `key` names a template under `fixes` of the code's entry.

    `safe` fixes may be applied without asking (`argon check --fix`).
    """

    key: str
    edits: tuple[Edit, ...]
    args: Args = ()
    safe: bool = True


@dataclass(frozen=True, slots=True)
class Note:
    """One line of help under a message. `key` names a template under `notes` of the code's entry."""

    key: str
    args: Args = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding: a catalog code at an item-relative span `[start, end)`."""

    code: str
    start: int
    end: int
    args: Args = ()
    related: tuple[Related, ...] = ()
    notes: tuple[Note, ...] = ()
    fixes: tuple[Fix, ...] = ()


@dataclass(frozen=True, slots=True)
class Location:
    """An absolute span in one file: code points from the file's start, end exclusive."""

    file: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Replacement:
    """An absolute edit of one file."""

    location: Location
    text: str


@dataclass(frozen=True, slots=True)
class PublishedFix:
    """A fix with its title filled in and its edits absolute."""

    title: str
    safe: bool
    edits: tuple[Replacement, ...]


@dataclass(frozen=True, slots=True)
class PublishedRelated:
    """A secondary span with its label filled in."""

    message: str
    location: Location


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A published problem: what every front end shows. `severity` is `error`, `warning` or `info`."""

    code: str
    severity: str
    message: str
    location: Location
    related: tuple[PublishedRelated, ...] = ()
    help: tuple[str, ...] = ()
    fixes: tuple[PublishedFix, ...] = ()
    tags: tuple[str, ...] = ()
