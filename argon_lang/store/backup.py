"""A copy of a SQLite store while others go on writing to it: SQLite's own online backup, read back before it is named.

The copy is made under another name and linked into place when all of it has been checked against its digests, so a file
under the wanted name is a whole store, of one state.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.store import sqlite_file as file
from argon_lang.store.sqlite import SqliteStore


@dataclass(frozen=True, slots=True)
class Backup:
    """A checked copy: its size in bytes, and the state that it holds."""

    size: int
    store_id: UUID
    generation: int
    tx: int
    events: int


def back_up(source: Path, target: Path, name: str, target_name: str) -> Backup:
    """Copy the store at `source` to `target`, which must not exist. The names are what errors call the two files.

    Raises `ARGON_RUNTIME_STORE_UNAVAILABLE` for a source that is no sound store, `ARGON_ALREADY_EXISTS`,
    `ARGON_TARGET_UNWRITABLE`.
    """
    if target.exists():
        raise ArgonError("ARGON_ALREADY_EXISTS", args(path=target_name), details={"path": target_name})
    if file.identity(source) is None:
        raise file.unavailable(name, "no such file", "system")
    with file.guarded(name):
        file.judge(source, name)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".new")
    except OSError as error:
        raise _unwritable(target_name, error) from error
    os.close(handle)
    try:
        with file.guarded(name):
            _copy(source, Path(draft))
            found = _read_back(Path(draft))
        return _placed(Path(draft), target, target_name, found)
    finally:
        file.discard(Path(draft))


def _copy(source: Path, draft: Path) -> None:
    with closing(file.connect(source, "ro", 0.0)) as reading, closing(sqlite3.connect(draft)) as writing:
        reading.backup(writing)
        # The copy is one file, whole by itself; whoever first writes to it turns the write-ahead log on again.
        writing.execute("PRAGMA journal_mode=DELETE")


def _read_back(draft: Path) -> Backup:
    with closing(sqlite3.connect(draft)) as connection:
        (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
        if verdict != "ok":
            raise file.Damaged(str(verdict))
        head = file.head(connection)
        transactions = file.load(connection, 0, head.tx)
    events = sum(len(transaction.events) for transaction in transactions)
    return Backup(draft.stat().st_size, head.store_id, head.generation, head.tx, events)


def _placed(draft: Path, target: Path, name: str, found: Backup) -> Backup:
    try:
        file.sync(draft)
        os.link(draft, target)
        file.sync(target.parent)
    except FileExistsError as error:
        raise ArgonError("ARGON_ALREADY_EXISTS", args(path=name), details={"path": name}) from error
    except OSError as error:
        raise _unwritable(name, error) from error
    # The store that was copied into it may be used: the backup is whole once it has its name.
    with closing(SqliteStore(target, name=name)) as copied:
        copied.snapshot()
    return found


def _unwritable(name: str, error: OSError) -> ArgonError:
    found = error.strerror or type(error).__name__
    return ArgonError("ARGON_TARGET_UNWRITABLE", args(path=name, found=found), retryable=True)
