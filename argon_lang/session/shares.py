"""Check a large package in shares, one for each processor, by processes that are forked when all texts are parsed.

A share is some of the files; a process looks at them and at what they rest on (`queries.reach`), and tells what it
found. Only a package in which nothing is in error is decided so: an error in one share bears on what is said of the
others, and then the whole package is checked by one process. The answer is the same in every case.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from argon_lang.problems import Diagnostic, ItemId
from argon_lang.queries.collector import paused
from argon_lang.queries.database import Database
from argon_lang.queries.reach import Graph
from argon_lang.session.checked import from_kept_form, kept_form

LEAST_ITEMS = 3_000
"""Where there are fewer, one process is done before two are."""
MOST_SHARES = 4
MOST_WORK = 1.4
"""Where the shares together are larger than the package by this factor, each would do most of the work anew."""
if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

_FOUND = b"found"


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
    children = [_started(database, share) for share in shares[1:]]
    found = [_found(database, shares[0]), *(_ended(*child) for child in children)]
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


def _processors() -> int:
    return min(MOST_SHARES, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)


def _may_fork() -> bool:
    """May this process be forked? One with several threads may not: what another thread holds stays locked."""
    return hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1


def _found(database: Database, share: Share) -> list[Diagnostic]:
    with paused():
        database.narrow(share.part)
        return [each for file in share.files for each in database.diagnostics(file)]


def _started(database: Database, share: Share) -> tuple[BaseProcess, Connection]:
    """A process that checks a share, and the end of the pipe that its answer comes from."""
    import multiprocessing  # a small package needs none of it

    context = multiprocessing.get_context("fork")
    reading, writing = context.Pipe(duplex=False)
    child = context.Process(target=_tell, args=(database, share, writing), daemon=True)
    child.start()
    writing.close()
    return child, reading


def _tell(database: Database, share: Share, writing: Connection) -> None:
    writing.send_bytes(_FOUND + (kept_form(_found(database, share)) or b""))


def _ended(child: BaseProcess, reading: Connection) -> Sequence[Diagnostic] | None:
    """What a process found; None when it did not end well."""
    data = b""
    with reading, suppress(EOFError, OSError):
        data = reading.recv_bytes()
    child.join()
    return from_kept_form(data.removeprefix(_FOUND)) if data.startswith(_FOUND) else None
