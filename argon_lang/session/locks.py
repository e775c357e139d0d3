"""Locks inside one process whose waits are bounded by cancellation and noted in the lock trace."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from uuid import UUID

from argon_lang.errors import ArgonError
from argon_lang.store.protocol import Fork, Snapshot, Store, WriteTransaction
from argon_lang.workspace import lock_trace
from argon_lang.workspace.lock import never

_POLL_SECONDS = 0.05


class TracedLock:
    """A lock with a name. Waiting for it ends when the request is cancelled."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = threading.Lock()

    @contextmanager
    def held(self, cancelled: Callable[[], bool] = never) -> Iterator[None]:
        """Hold the lock while the body runs. Raises `ARGON_RUNTIME_CANCELLED`."""
        started = time.monotonic()
        try:
            while not self._lock.acquire(timeout=_POLL_SECONDS):
                if cancelled():
                    raise ArgonError("ARGON_RUNTIME_CANCELLED", retryable=True)
        finally:
            lock_trace.record(self.name, time.monotonic() - started)
        try:
            yield
        finally:
            self._lock.release()


class TracedStore:
    """A store whose writers' waits are noted as the lock `store`. Everything else is the store's own."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def kind(self) -> str:
        """The backend."""
        return self._store.kind

    @property
    def id(self) -> UUID:
        """The store's UUID."""
        return self._store.id

    def generation(self) -> int:
        """The generation on record now."""
        return self._store.generation()

    def snapshot(self) -> Snapshot:
        """The state on record now."""
        return self._store.snapshot()

    def forks(self) -> Sequence[Fork]:
        """The forks of the store."""
        return self._store.forks()

    def create_fork(
        self, name: str, instant: datetime, *, principal: str = "", ephemeral: bool = False, cut: int | None = None
    ) -> Fork:
        """A fork of this branch."""
        return self._store.create_fork(name, instant, principal=principal, ephemeral=ephemeral, cut=cut)

    def branch(self, handle: str, instant: datetime) -> Store:
        """The store of a fork, its writers' waits noted too."""
        return TracedStore(self._store.branch(handle, instant))

    def touch_fork(self, handle: str, instant: datetime) -> None:
        """Note that a fork is in use."""
        self._store.touch_fork(handle, instant)

    def abort_fork(self, handle: str) -> None:
        """End a fork."""
        self._store.abort_fork(handle)

    def close(self) -> None:
        """Release files and locks."""
        self._store.close()

    def write(self, instant: datetime) -> AbstractContextManager[WriteTransaction]:
        """Begin the exclusive transaction; the wait for it is noted."""
        return self._writing(instant)

    @contextmanager
    def _writing(self, instant: datetime) -> Iterator[WriteTransaction]:
        opening = self._store.write(instant)
        started = time.monotonic()
        try:
            transaction = opening.__enter__()
        finally:
            lock_trace.record("store", time.monotonic() - started)
        try:
            yield transaction
        except BaseException as error:
            if not opening.__exit__(type(error), error, error.__traceback__):
                raise
        else:
            opening.__exit__(None, None, None)
