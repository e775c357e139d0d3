"""The store in memory: for tests, scenarios and throw-away runs. Gone with its process."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Lock
from uuid import UUID

from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.store.ids import Random, new_store_id
from argon_lang.store.protocol import Transaction
from argon_lang.store.timeline import Timeline
from argon_lang.store.view import View
from argon_lang.store.writer import Writer

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

    def close(self) -> None:
        """Nothing to release."""

    def _persist(self, transaction: Transaction) -> None:
        state = self._state
        self._timeline.settle(transaction)
        self._state = View(
            self._timeline, state.store_id, state.generation + 1, transaction.tx, transaction.module_hash
        )


def busy(path: str, wait: float) -> ArgonError:
    """The refusal of a writer that waited in vain."""
    return ArgonError(
        "ARGON_RUNTIME_STORE_BUSY",
        args(path=path, found=round(wait * 1000)),
        details={"limitExceeded": {"limit": "storeWaitMs", "reached": round(wait * 1000)}},
        retryable=True,
    )
