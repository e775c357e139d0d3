"""Check a large package in shares, one for each processor, by processes that are forked when all texts are parsed.

A share is some of the files; a process looks at them and at what they rest on (`queries.reach`), and tells what it
found. Only a package in which nothing is in error is decided so: an error in one share bears on what is said of the
others, and then the whole package is checked by one process. The answer is the same in every case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from argon_lang.problems import Diagnostic, ItemId
from argon_lang.queries.collector import paused
from argon_lang.queries.database import Database
from argon_lang.queries.reach import Graph
from argon_lang.session.checked import from_kept_form, kept_form
from argon_lang.session.forks import Beside, beside
from argon_lang.session.forks import may_fork as _may_fork
from argon_lang.session.forks import processors as _processors

LEAST_ITEMS = 3_000
"""Where there are fewer, one process is done before two are."""
MOST_WORK = 1.4
"""Where the shares together are larger than the package by this factor, each would do most of the work anew."""


@dataclass(frozen=True, slots=True)
class Share:
    """Files to tell about, and the items that are looked at for them."""

    files: tuple[str, ...]
    part: frozenset[ItemId]


def checked_in_shares(database: Database) -> tuple[Diagnostic, ...] | None:
    """The diagnostics of a package; None when it is to be checked by one process. The database is left as it was."""
    shares = shares_of(database, _processors()) if _may_fork() else ()
    if len(shares) < 2:
        return None
    try:
        children = [beside(partial(_tell, database, share)) for share in shares[1:]]
    except OSError:  # no more processes may be begun
        return None
    found = [_found(database, shares[0]), *map(_ended, children)]
    database.narrow(None)
    listed: dict[str, list[Diagnostic]] = {}
    for part in found:
        if part is None or any(each.code[1:2] == "E" for each in part):
            return None
        for each in part:
            listed.setdefault(each.location.file, []).append(each)
    return tuple(each for file in sorted(listed) for each in listed[file])


def shares_of(database: Database, most: int) -> tuple[Share, ...]:
    """At most so many shares of nearly equal size; one or none where it would not pay."""
    reaches = {file: database.reaches(file) for file in database.files_of(database.package)}
    now = {item: reach for found in reaches.values() for item, reach in found.items()}
    if most < 2 or len(now) < LEAST_ITEMS or database.dependencies:
        return ()
    graph = Graph(now)
    shares = [Share(files, graph.needed(item for file in files for item in reaches[file])) for files in _cut(
        {file: len(found) for file, found in reaches.items()}, most)]  # fmt: skip
    return tuple(shares) if sum(len(each.part) for each in shares) <= MOST_WORK * len(now) else ()


def _cut(sizes: Mapping[str, int], count: int) -> list[tuple[str, ...]]:
    """The files in their order, cut into `count` pieces of about as many items."""
    pieces: list[list[str]] = [[] for _ in range(count)]
    whole, before = sum(sizes.values()), 0
    for file in sorted(sizes):
        pieces[min(count - 1, before * count // max(1, whole))].append(file)
        before += sizes[file]
    return [tuple(piece) for piece in pieces if piece]


def _found(database: Database, share: Share) -> list[Diagnostic]:
    with paused():
        database.narrow(share.part)
        return [each for file in share.files for each in database.diagnostics(file)]


def _tell(database: Database, share: Share) -> bytes:
    return kept_form(_found(database, share)) or b""


def _ended(child: Beside) -> Sequence[Diagnostic] | None:
    """What a process found; None when it did not end well."""
    data = child.answer()
    return from_kept_form(data) if data is not None else None
