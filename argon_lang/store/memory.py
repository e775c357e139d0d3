"""The store in memory: for tests, scenarios and throw-away runs. Gone with its process."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import count
from threading import Lock
from uuid import UUID

from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.store.forking import advanced, childless, missing, new_handle, point, stale, store_id_of, swept, usable
from argon_lang.store.ids import Random, new_store_id
from argon_lang.store.protocol import MAIN, Fork, Store, Transaction
from argon_lang.store.timeline import BranchTimeline, Timeline
from argon_lang.store.view import View
from argon_lang.store.writer import Erasure, Writer

WAIT = 10.0
"""Seconds that a writer waits for another before it gives up."""


class MemoryStore:
    """A `Store` (`argon_lang.store.protocol`) that holds its log in memory."""

    def __init__(self, *, random: Random = secrets.token_bytes, wait: float = WAIT) -> None:
        """An empty store. `random` is its source of ids; `wait` bounds the wait for another writer, in seconds."""
        self._random = random
        self._wait = wait
        self._timeline = Timeline()
        self._writing = Lock()
        self._handle = MAIN
        self._family: dict[str, MemoryFork] = {}
        self._guard = Lock()
        self._numbers = count(1)
        self._state = View(self._timeline, new_store_id(random), 0, 0, "")

    @property
    def kind(self) -> str:
        """`memory`."""
        return "memory"

    @property
    def id(self) -> UUID:
        """The store's UUID."""
        return self._state.store_id

    def generation(self) -> int:
        """The generation on record now."""
        return self._state.generation

    def snapshot(self) -> View:
        """The state on record now."""
        return self._state

    @contextmanager
    def write(self, instant: datetime) -> Iterator[Writer]:
        """Begin the exclusive transaction; leaving without `commit` rolls all of it back."""
        if not self._writing.acquire(timeout=self._wait):
            raise busy(self.kind, self._wait)
        try:
            writer = Writer(self._state, self._timeline, instant, self._random, self._persist)
            try:
                yield writer
            finally:
                if not writer.committed:
                    self._timeline.undo(writer.tx)
        finally:
            self._writing.release()

    def forks(self) -> Sequence[Fork]:
        """The forks of the store, oldest first."""
        return [branch.fork for branch in tuple(self._family.values())]

    def create_fork(
        self, name: str, instant: datetime, *, principal: str = "", ephemeral: bool = False, cut: int | None = None
    ) -> Fork:
        """A fork of this branch at transaction `cut`, by default its head."""
        with self._guard:
            for gone in swept(self.forks(), instant):
                del self._family[gone.handle]
            state = self._state
            handle, tx = new_handle(self._random), point(cut, state.head)
            module_hash = module_at(state, tx)
            made = Fork(
                next(self._numbers), handle, name, self._handle, tx, store_id_of(handle), state.generation, tx,
                module_hash, instant, instant, ephemeral, principal,
            )  # fmt: skip
            self._family[handle] = MemoryFork(self, made)
        return made

    def branch(self, handle: str, instant: datetime) -> Store:
        """The store of a fork."""
        found = self._family.get(handle)
        usable(found.fork if found is not None else None, handle, instant)
        return self._family[handle]

    def touch_fork(self, handle: str, instant: datetime) -> None:
        """Note that a fork is in use."""
        found = self._family.get(handle)
        if found is not None and stale(found.fork, instant):
            found.fork = replace(found.fork, used=instant)

    def abort_fork(self, handle: str) -> None:
        """End a fork."""
        with self._guard:
            if handle not in self._family:
                raise missing(handle)
            childless(self.forks(), handle)
            del self._family[handle]

    def close(self) -> None:
        """Nothing to release."""

    def _persist(self, transaction: Transaction, ends: str | None, erasure: Erasure | None) -> None:
        if ends is not None:
            self.abort_fork(ends)
        state = self._state
        if erasure is None:
            self._timeline.settle(transaction)
        else:
            kept = [*self._timeline.transactions(0, state.head), transaction]
            self._timeline = Timeline()
            self._refold(kept, erasure)
        self._state = View(
            self._timeline,
            state.store_id,
            state.generation + 1,
            transaction.tx,
            transaction.module_hash,
            state.of,
        )
        if erasure is not None:
            self._erase_in_forks(erasure)

    def _refold(self, transactions: Iterable[Transaction], erasure: Erasure) -> None:
        for transaction in map(erasure.of, transactions):
            self._timeline.fold(transaction.tx, transaction.events)
            self._timeline.settle(transaction)

    def _erase_in_forks(self, erasure: Erasure) -> None:
        """Forks share what is theirs of the branch they come from, so they are made anew on it, parents first."""
        with self._guard:
            for fork in self._family.values():
                fork.rebase(self._family.get(fork.fork.parent, self), erasure)


class MemoryFork(MemoryStore):
    """A fork of a store in memory; it shares the records of its parent."""

    def __init__(self, parent: MemoryStore, fork: Fork) -> None:
        """The fork as it was made; `fork` goes on with it."""
        super().__init__(random=parent._random, wait=parent._wait)
        self.fork = fork
        self._handle, self._family = fork.handle, parent._family
        self._guard, self._numbers = parent._guard, parent._numbers
        self._timeline = BranchTimeline(parent._timeline, fork.cut)
        self._state = View(self._timeline, fork.store_id, fork.generation, fork.cut, fork.module_hash, fork)

    @contextmanager
    def write(self, instant: datetime) -> Iterator[Writer]:
        """Begin the exclusive transaction. Raises `ARGON_RUNTIME_FORK_NOT_FOUND` when the fork has ended."""
        if self._family.get(self._handle) is not self:
            raise missing(self._handle)
        with super().write(instant) as writer:
            yield writer

    def rebase(self, parent: MemoryStore, erasure: Erasure) -> None:
        """Stand on what the parent holds now, without what is erased. Waits for the writer of the fork."""
        if not self._writing.acquire(timeout=self._wait):
            raise busy(self.kind, self._wait)
        try:
            cut, state = self.fork.cut, self._state
            own = self._timeline.transactions(cut, state.head)
            self._timeline = BranchTimeline(parent._timeline, cut)
            self._refold(own, erasure)
            self.fork = replace(self.fork, generation=state.generation + 1)
            self._state = View(
                self._timeline, state.store_id, state.generation + 1, state.head, state.module_hash, self.fork
            )
        finally:
            self._writing.release()

    def _persist(self, transaction: Transaction, ends: str | None, erasure: Erasure | None) -> None:
        super()._persist(transaction, ends, erasure)
        state = self._state
        self.fork = advanced(self.fork, state.head, state.generation, state.module_hash, transaction.instant)


def module_at(state: View, tx: int) -> str:
    """The module under which a store was last written at a transaction."""
    last = state.transactions(tx - 1)[:1] if tx > 0 else ()
    return last[0].module_hash if last else ""


def busy(path: str, wait: float) -> ArgonError:
    """The refusal of a writer that waited in vain."""
    return ArgonError(
        "ARGON_RUNTIME_STORE_BUSY",
        args(path=path, found=round(wait * 1000)),
        details={"limitExceeded": {"limit": "storeWaitMs", "reached": round(wait * 1000)}},
        retryable=True,
    )
