"""The store in a SQLite file: write-ahead log, `synchronous=FULL`, one database transaction for each of ours.

The log of events is the only truth in the file. A process folds it into a timeline once and then reads what was added;
a read is one short database transaction, so a reader never keeps a writer waiting nor waits for one. While this process
itself writes, nobody else can, so its own readers go on with the state it began from. A new file is made complete
under another name and linked into place: a file under the store's name is a store, or it is foreign or torn.
"""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Lock
from uuid import UUID

from argon_lang.store import sqlite_file as file
from argon_lang.store.ids import Random
from argon_lang.store.memory import WAIT, busy
from argon_lang.store.protocol import NO_STORE, Transaction
from argon_lang.store.timeline import Timeline
from argon_lang.store.view import View
from argon_lang.store.writer import Writer


@dataclass(frozen=True, slots=True)
class _Handle:
    """An open connection and the file that it was opened on."""

    connection: sqlite3.Connection
    identity: tuple[int, int] | None


class SqliteStore:
    """A `Store` (`argon_lang.store.protocol`) in one file, shared by any number of processes."""

    def __init__(
        self,
        path: Path,
        *,
        name: str | None = None,
        random: Random = secrets.token_bytes,
        wait: float = WAIT,
    ) -> None:
        """The store at `path`, which need not exist; nothing is opened yet.

        `name` is what errors call it (the path within the project); `wait` bounds the wait for another writer, in
        seconds.
        """
        self._path = path
        self._name = name or path.name
        self._random = random
        self._wait = wait
        self._identity: tuple[int, int] | None = None
        self._timeline = Timeline()
        self._state = View(self._timeline, NO_STORE, 0, 0, "")
        self._writing = Lock()
        self._refreshing = Lock()
        self._pending = False
        self._reader: _Handle | None = None
        self._writer: _Handle | None = None

    @property
    def kind(self) -> str:
        """`sqlite`."""
        return "sqlite"

    @property
    def id(self) -> UUID:
        """The store's UUID; `NO_STORE` while the file does not exist."""
        return self.snapshot().store_id

    def generation(self) -> int:
        """The generation on record now."""
        return self.snapshot().generation

    def snapshot(self) -> View:
        """The state on record now. Raises `ARGON_RUNTIME_STORE_UNAVAILABLE` for a file that is no sound store."""
        with self._refreshing:
            if not self._pending:
                with file.guarded(self._name, self._wait):
                    self._look()
            return self._state

    @contextmanager
    def write(self, instant: datetime) -> Iterator[Writer]:
        """Begin the exclusive transaction; leaving without `commit` rolls all of it back. Creates the file."""
        deadline = time.monotonic() + self._wait
        self._wait_for_writer()
        try:
            handle = self._begin(deadline)
            try:
                yield from self._transact(handle, instant)
            finally:
                file.roll_back(handle.connection)
        finally:
            self._writing.release()

    def close(self) -> None:
        """Close the file; snapshots already taken stay readable, and the next use opens it again."""
        self._wait_for_writer()
        try:
            with self._refreshing:
                for handle in (self._reader, self._writer):
                    if handle is not None:
                        handle.connection.close()
                self._reader = self._writer = None
        finally:
            self._writing.release()

    # -- writing ------------------------------------------------------------------------------------------------------

    def _wait_for_writer(self) -> None:
        if not self._writing.acquire(timeout=self._wait):
            raise busy(self._name, self._wait)

    def _begin(self, deadline: float) -> _Handle:
        """A connection that holds the file's write lock. The caller holds `_writing`."""
        with file.guarded(self._name, self._wait):
            if file.identity(self._path) is None:
                file.create(self._path, self._random)
            if self._writer is None:
                file.sweep(self._path)
            self._writer = self._open(self._writer, "rw")
            file.lock(self._writer.connection, max(0.0, deadline - time.monotonic()))
            return self._writer

    def _transact(self, handle: _Handle, instant: datetime) -> Iterator[Writer]:
        def persist(transaction: Transaction) -> None:
            with file.guarded(self._name, self._wait):
                file.append(handle.connection, transaction, base.store_id, base.generation + 1)
            with self._refreshing:
                self._settle(transaction, base.store_id, base.generation + 1)

        with self._refreshing, file.guarded(self._name, self._wait):
            self._refresh(handle)
            base = self._state
            writer = Writer(base, self._timeline, instant, self._random, persist)
            self._pending = True
        try:
            yield writer
        finally:
            with self._refreshing:
                if not writer.committed:
                    self._timeline.undo(writer.tx)
                self._pending = False

    # -- reading; the caller holds `_refreshing` ----------------------------------------------------------------------

    def _look(self) -> None:
        """Bring the state up to the file's, in one database transaction of the reading connection."""
        if file.identity(self._path) is None:
            if self._identity is not None:
                self._reset(None)
            return
        self._reader = self._open(self._reader, "ro")
        self._reader.connection.execute("BEGIN")
        try:
            self._refresh(self._reader)
        finally:
            file.roll_back(self._reader.connection)

    def _open(self, handle: _Handle | None, mode: str) -> _Handle:
        """A connection to the file that is at the path now, which may have been put in place of an earlier one."""
        identity = file.identity(self._path)
        if handle is not None and handle.identity == identity:
            return handle
        if handle is not None:
            handle.connection.close()
        file.judge(self._path, self._name)
        return _Handle(file.connect(self._path, mode, self._wait), identity)

    def _refresh(self, handle: _Handle) -> None:
        """Fold in what was committed since the last time."""
        if handle.identity != self._identity:
            self._reset(handle.identity)
        head = file.head(handle.connection)
        if head.generation == self._state.generation and self._state.store_id == head.store_id:
            return
        for transaction in file.load(handle.connection, self._timeline.head, head.tx):
            self._timeline.fold(transaction.tx, transaction.events)
            self._timeline.settle(transaction)
        self._state = View(self._timeline, head.store_id, head.generation, head.tx, head.module_hash)

    def _settle(self, transaction: Transaction, store_id: UUID, generation: int) -> None:
        self._timeline.settle(transaction)
        self._state = View(self._timeline, store_id, generation, transaction.tx, transaction.module_hash)

    def _reset(self, identity: tuple[int, int] | None) -> None:
        """Forget everything: there is no file, or another one."""
        self._identity = identity
        self._timeline = Timeline()
        self._state = View(self._timeline, NO_STORE, 0, 0, "")
