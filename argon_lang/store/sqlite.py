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
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from threading import Lock
from uuid import UUID

from argon_lang.errors import ArgonError
from argon_lang.store import sqlite_file as file
from argon_lang.store import sqlite_forks as forks
from argon_lang.store.forking import advanced, childless, missing, new_handle, point, stale, store_id_of, usable
from argon_lang.store.ids import Random
from argon_lang.store.memory import WAIT, busy, module_at
from argon_lang.store.protocol import MAIN, NO_STORE, Fork, Transaction
from argon_lang.store.quiet import uncollected
from argon_lang.store.timeline import BranchTimeline, Timeline
from argon_lang.store.view import View
from argon_lang.store.writer import Erasure, Writer


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
        self._handle = MAIN
        self._branches: dict[str, SqliteFork] = {}
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
            handle = self._begin(deadline, instant)
            try:
                yield from self._transact(handle, instant)
            finally:
                file.roll_back(handle.connection)
        finally:
            self._writing.release()

    def close(self) -> None:
        """Close the file; snapshots already taken stay readable, and the next use opens it again."""
        for branch in tuple(self._branches.values()):
            branch.close()
        self._wait_for_writer()
        try:
            with self._refreshing:
                for handle in (self._reader, self._writer):
                    if handle is not None:
                        handle.connection.close()
                self._reader = self._writer = None
        finally:
            self._writing.release()

    # -- forks --------------------------------------------------------------------------------------------------------

    def forks(self) -> Sequence[Fork]:
        """The forks of the store, oldest first."""
        with self._refreshing, file.guarded(self._name, self._wait):
            if file.identity(self._path) is None:
                return []
            self._reader = self._open(self._reader, "ro")
            return forks.all_forks(self._reader.connection)

    def create_fork(
        self, name: str, instant: datetime, *, principal: str = "", ephemeral: bool = False, cut: int | None = None
    ) -> Fork:
        """A fork of the main branch at transaction `cut`, by default its head. Creates the file."""
        with self._locked(instant) as handle, self._refreshing:
            self._refresh(handle)
            forks.sweep(handle.connection, instant)
            return self._forked(handle, name, instant, principal, ephemeral, cut)

    def branch(self, handle: str, instant: datetime) -> SqliteStore:
        """The store of a fork."""
        found = next((fork for fork in self.forks() if fork.handle == handle), None)
        fork = usable(found, handle, instant)
        known = self._branches.get(handle)
        if known is None:
            parent = self if fork.parent == MAIN else self.branch(fork.parent, fork.used)
            known = self._branches[handle] = SqliteFork(self, parent, fork)
        return known

    def touch_fork(self, handle: str, instant: datetime) -> None:
        """Note that a fork is in use, unless somebody is writing."""
        found = next((fork for fork in self.forks() if fork.handle == handle), None)
        if found is None or not stale(found, instant) or not self._writing.acquire(blocking=False):
            return
        try:
            with suppress(ArgonError), self._opened(0.0, instant) as opened:
                forks.update(opened.connection, replace(found, used=instant))
                file.commit(opened.connection)
        finally:
            self._writing.release()

    def abort_fork(self, handle: str) -> None:
        """End a fork."""
        known = {fork.handle: fork for fork in self.forks()}
        if handle not in known:
            raise missing(handle)
        with self._locked(None) as opened:
            listed = {fork.handle: fork for fork in forks.all_forks(opened.connection)}
            if handle not in listed:
                raise missing(handle)
            childless(listed.values(), handle)
            forks.remove(opened.connection, listed[handle])
            file.commit(opened.connection)
        self._ended(handle)

    def _ended(self, handle: str) -> None:
        branch = self._branches.pop(handle, None)
        if branch is not None:
            branch.close()

    def _forked(
        self, handle: _Handle, name: str, instant: datetime, principal: str, ephemeral: bool, cut: int | None
    ) -> Fork:
        state, made = self._state, new_handle(self._random)
        tx = point(cut, state.head)
        fork = Fork(
            0, made, name, self._handle, tx, store_id_of(made), state.generation, tx, module_at(state, tx),
            instant, instant, ephemeral, principal,
        )  # fmt: skip
        numbered = forks.add(handle.connection, fork)
        file.commit(handle.connection)
        return numbered

    @contextmanager
    def _locked(self, instant: datetime | None) -> Iterator[_Handle]:
        """The file's write lock, for what is no transaction of the log."""
        deadline = time.monotonic() + self._wait
        self._wait_for_writer()
        try:
            with self._opened(max(0.0, deadline - time.monotonic()), instant) as handle:
                yield handle
        finally:
            self._writing.release()

    @contextmanager
    def _opened(self, wait: float, instant: datetime | None) -> Iterator[_Handle]:
        handle = self._begin(time.monotonic() + wait, instant)
        try:
            with file.guarded(self._name, self._wait):
                yield handle
        finally:
            file.roll_back(handle.connection)

    # -- writing ------------------------------------------------------------------------------------------------------

    def _wait_for_writer(self) -> None:
        if not self._writing.acquire(timeout=self._wait):
            raise busy(self._name, self._wait)

    def _begin(self, deadline: float, instant: datetime | None) -> _Handle:
        """A connection that holds the file's write lock, on tables of this version. The caller holds `_writing`."""
        with file.guarded(self._name, self._wait):
            if file.identity(self._path) is None:
                file.create(self._path, self._random)
            known = self._writer
            self._writer = self._open(known, "rw")
            file.lock(self._writer.connection, max(0.0, deadline - time.monotonic()))
            forks.upgrade(self._writer.connection)
            if self._writer is not known:
                file.sweep(self._path)
                if instant is not None:
                    forks.sweep(self._writer.connection, instant)
            return self._writer

    def _transact(self, handle: _Handle, instant: datetime) -> Iterator[Writer]:
        def persist(transaction: Transaction, ends: str | None, erasure: Erasure | None) -> None:
            with file.guarded(self._name, self._wait):
                self._append(handle.connection, transaction, base)
                if erasure is not None:
                    _erase(handle.connection, erasure, base.head)
                if ends is not None:
                    _end(handle.connection, ends)
                file.commit(handle.connection)
            with self._refreshing:
                if erasure is None:
                    self._settle(transaction, base.store_id, base.generation + 1)
                else:
                    self._reread(handle)
            if ends is not None:
                self._ended(ends)

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

    def _append(self, connection: sqlite3.Connection, transaction: Transaction, base: View) -> None:
        file.append(connection, transaction, base.store_id, base.generation + 1)

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
        with uncollected():
            since = self._timeline.head
            news = file.load(handle.connection, since, head.tx)
            if since and any(event.change.op == "erase" for each in news for event in each.events):
                self._timeline = Timeline()
                news = file.load(handle.connection, 0, head.tx)
            self._take(news)
        self._state = View(self._timeline, head.store_id, head.generation, head.tx, head.module_hash)

    def _reread(self, handle: _Handle) -> None:
        """Read everything anew, now that something was erased, and let nothing of it stay beside the file."""
        with file.guarded(self._name, self._wait):
            file.purge(handle.connection)
            self._reset(handle.identity)
            self._refresh(handle)

    def _take(self, transactions: Iterable[Transaction]) -> None:
        for transaction in transactions:
            self._timeline.fold(transaction.tx, transaction.events)
            self._timeline.settle(transaction)

    def _settle(self, transaction: Transaction, store_id: UUID, generation: int) -> None:
        self._timeline.settle(transaction)
        of = self._state.of
        self._state = View(self._timeline, store_id, generation, transaction.tx, transaction.module_hash, of)

    def _reset(self, identity: tuple[int, int] | None) -> None:
        """Forget everything: there is no file, or another one."""
        self._identity = identity
        self._timeline = Timeline()
        self._state = View(self._timeline, NO_STORE, 0, 0, "")


def _erase(connection: sqlite3.Connection, erasure: Erasure, head: int) -> None:
    """Overwrite what was said before of the facts that are erased, here and in the forks."""
    for transaction in file.load(connection, 0, head + 1)[:head]:
        changed = erasure.of(transaction)
        if changed is not transaction:
            file.rewrite(connection, ("", "", ()), changed)
    for fork in forks.all_forks(connection):
        forks.rewrite(connection, fork, erasure.of)


def _end(connection: sqlite3.Connection, handle: str) -> None:
    """Take a fork out within the transaction that promotes it. Raises `ARGON_RUNTIME_FORK_NOT_FOUND`."""
    listed = {fork.handle: fork for fork in forks.all_forks(connection)}
    if handle not in listed:
        raise missing(handle)
    childless(listed.values(), handle)
    forks.remove(connection, listed[handle])


class SqliteFork(SqliteStore):
    """A fork in the file of its root; it shares the records of its parent."""

    def __init__(self, root: SqliteStore, parent: SqliteStore, fork: Fork) -> None:
        """The fork as it was made, of a parent in the same file."""
        super().__init__(root._path, name=root._name, random=root._random, wait=root._wait)
        self._root, self._parent, self._fork = root, parent, fork
        self._handle = fork.handle
        self._base: Timeline | None = None

    def branch(self, handle: str, instant: datetime) -> SqliteStore:
        """The store of any fork in the file."""
        return self._root.branch(handle, instant)

    def abort_fork(self, handle: str) -> None:
        """End a fork."""
        self._root.abort_fork(handle)

    def _ended(self, handle: str) -> None:
        self._root._ended(handle)

    def _begin(self, deadline: float, instant: datetime | None) -> _Handle:
        if file.identity(self._path) is None:
            raise missing(self._handle)
        return super()._begin(deadline, instant)

    def _append(self, connection: sqlite3.Connection, transaction: Transaction, base: View) -> None:
        fork = advanced(self._fork, transaction.tx, base.generation + 1, transaction.module_hash, transaction.instant)
        forks.append(connection, fork, transaction)
        self._fork = fork

    def _look(self) -> None:
        if file.identity(self._path) is None:
            raise missing(self._handle)
        super()._look()

    def _refresh(self, handle: _Handle) -> None:
        """Bring the parent up to date, then fold in what was committed here since the last time."""
        with self._parent._refreshing:
            if not self._parent._pending:
                self._parent._refresh(handle)
            base = self._parent._timeline
        fork = forks.find(handle.connection, self._handle)
        if fork is None:
            raise missing(self._handle)
        if handle.identity != self._identity or base is not self._base:
            self._identity, self._base = handle.identity, base
            self._timeline = BranchTimeline(base, fork.cut)
        self._take(forks.load(handle.connection, fork, self._timeline.head))
        self._fork = fork
        self._state = View(self._timeline, fork.store_id, fork.generation, fork.tx, fork.module_hash, fork)
