"""What a store is: an append-only event log read in two times (semantics S1), whatever holds it.

A `Store` hands out `Snapshot`s, which never change and never wait for a writer, and one `WriteTransaction` at a time.
Instants are aware UTC datetimes with microseconds; None is unbounded. Intervals are half open: `[from, to)`.

How events become records (the *fold*, one for all backends):

- `assert` opens a fact record over its valid interval. It never changes an older fact record.
- `close` at d ends, at d, every live fact record of the same key, row and standpoint: each goes on only for earlier
  transaction times, and one that ends at d replaces it (none when it began at or after d).
- Declared facts are not logged (S1.5), so each close also opens a *hide* record over `[d, …)`, which an assert of the
  same row takes back for the interval it asserts. Hides matter only for rows that the loaded module declares.
- `refute` opens an *against* record: support against the row in its standpoint. A close ends support for, not against.
- `erase` notes that events of a key were erased, and how many; `erased` stands where one was: its row is the content id
  of what stood there, and nothing else of that is left. Neither opens a record.

Both times together are the bitemporal tables of SQL:2011; a correction closes the transaction interval of the old
record and leaves it in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from argon_lang.ir.values import Entity, Row

Op = Literal["assert", "close", "refute", "erase", "erased"]
Kind = Literal["fact", "against", "hide"]
DEFAULT = "default"
MAIN = "main"
NO_STORE = UUID(int=0)
"""The id of a store that does not exist yet: reads of it are empty, the first write makes it."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a writer asks for: the body of an event.

    For `close`, `valid_from` is the instant at which validity ends (None: it never was) and `valid_to` is None.
    `principal` is `user:<login>`, `agent:<client>` or as given; `fork` the branch on which it was first written.
    """

    op: Op
    key: str
    row: Row
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    standpoint: str = DEFAULT
    principal: str = ""
    fork: str = MAIN


Wanted = Callable[[Change], bool]
"""Is an event to be erased, by what it says?"""
Scrub = Callable[[bytes], bytes]
"""What is left of the receipt of a transaction of which something is erased."""


@dataclass(frozen=True, slots=True)
class Event:
    """A change as logged. `id` is a UUIDv7, monotone within the store.

    `content_id` is the SHA-256 (64 hex characters) of the canonical CBOR of the change.
    """

    id: UUID
    change: Change
    content_id: str


@dataclass(frozen=True, slots=True)
class Transaction:
    """One atomic step of the log. `tx` counts 1, 2, 3, … without gaps; `instant` is the writer's clock.

    `module_hash` is that of the module under which it was written. `key` and `receipt` replay a repeated call.
    """

    tx: int
    instant: datetime
    module_hash: str
    events: tuple[Event, ...]
    key: str | None = None
    receipt: bytes = b""


@dataclass(frozen=True, slots=True)
class Record:
    """A row with its two intervals: valid `[valid_from, valid_to)`, known `[tx_from, tx_to)` (None: still).

    `event` is the asserting (closing, refuting) event, of transaction `event_tx`; a record shortened by a later close
    keeps it. `tx_to` is None also when it lies beyond the snapshot.
    """

    kind: Kind
    key: str
    row: Row
    valid_from: datetime | None
    valid_to: datetime | None
    tx_from: int
    tx_to: int | None
    event: UUID
    event_tx: int
    standpoint: str
    principal: str


@dataclass(frozen=True, slots=True)
class Logged:
    """One line of the log: an event with its transaction."""

    tx: int
    instant: datetime
    event: Event


Facts = Mapping[str, Sequence[Row]]
"""Rows by predicate key, each once, in the order of their first assertion; a key without rows is absent."""


class Reader(Protocol):
    """Reads of one state of a store. Every answer rests on `generation`, whatever is written meanwhile.

    `as_of_tx` None is the head; one beyond it is refused with `ARGON_RUNTIME_VALIDATION_FAILED`, as is a negative one.
    `standpoints` are the layers of the view: default, or a standpoint with its ancestors and default.
    """

    @property
    def store_id(self) -> UUID:
        """The store's identity; `NO_STORE` while it does not exist."""
        ...

    @property
    def generation(self) -> int:
        """Grows with every change of the store; 0 for a new one."""
        ...

    @property
    def head(self) -> int:
        """The last transaction that these reads see; 0 before the first."""
        ...

    @property
    def module_hash(self) -> str:
        """The module under which the store was last written; empty when never."""
        ...

    @property
    def fork(self) -> str:
        """The name of the fork that is read; `main` of the main branch."""
        ...

    def records(self, as_of_tx: int | None = None) -> Sequence[Record]:
        """All records known at a transaction time, of every kind and standpoint, in the order of their events."""
        ...

    def facts(self, valid_at: datetime, as_of_tx: int | None = None, standpoints: Sequence[str] = (DEFAULT,)) -> Facts:
        """Rows with logged support for, valid at an instant and known at a transaction time."""
        ...

    def hidden(self, valid_at: datetime, as_of_tx: int | None = None, standpoints: Sequence[str] = (DEFAULT,)) -> Facts:
        """Rows whose declared fact a logged delete hides then (S1.5): subtract them from the module's facts."""
        ...

    def refuted(
        self, valid_at: datetime, as_of_tx: int | None = None, standpoints: Sequence[str] = (DEFAULT,)
    ) -> Facts:
        """Rows with logged support against."""
        ...

    def next_boundary(self, after: datetime, as_of_tx: int | None = None) -> datetime | None:
        """The first instant later than `after` at which some record begins or ends to be valid (S1.6)."""
        ...

    def log(
        self,
        *,
        key: str | None = None,
        row: Row | None = None,
        individual: Entity | None = None,
        since_tx: int = 0,
    ) -> Sequence[Logged]:
        """The event history, oldest first: of a key, a fact, an individual (anywhere in a row) or of everything.

        Only transactions later than `since_tx`.
        """
        ...

    def transactions(self, since_tx: int = 0) -> Sequence[Transaction]:
        """The transactions later than `since_tx`, oldest first."""
        ...

    def receipt(self, key: str) -> bytes | None:
        """What the transaction with this idempotency key left as its receipt; None when there is none."""
        ...


class Snapshot(Reader, Protocol):
    """A reader of a committed state. Holds no lock and no database transaction; need not be closed."""


@dataclass(frozen=True, slots=True)
class Fork:
    """A copy-on-write branch (S10): of `parent` (`MAIN`, or the handle of a fork) as it was at transaction `cut`.

    `number` is never used again in a store. `store_id` is what its reads give as the store's id; `tx` and `generation`
    are where it stands. An `ephemeral` one may be swept when it was not used since `used` for `EPHEMERAL_SECONDS`.
    """

    number: int
    handle: str
    name: str
    parent: str
    cut: int
    store_id: UUID
    generation: int
    tx: int
    module_hash: str
    created: datetime
    used: datetime
    ephemeral: bool
    principal: str


EPHEMERAL_SECONDS = 3_600
"""How long an ephemeral fork may lie idle."""


class WriteTransaction(Reader, Protocol):
    """The exclusive writer. Its reads see what it appended, as transaction `tx`.

    `generation` is the one it began at; a commit makes it one more.

    `head` equals `tx` here, so a bare read sees the pending changes.
    """

    @property
    def tx(self) -> int:
        """The number that a commit will give this transaction."""
        ...

    @property
    def first_ordinal(self) -> int:
        """What the ordinals of individuals minted here count from: no two branches give one name."""
        ...

    def set_instant(self, instant: datetime) -> None:
        """Move the transaction's clock reading, now that no other writer can come before; only before any append."""
        ...

    def edges(self, after: datetime) -> Iterable[Record]:
        """The records known now, pending ones too, that begin or end to be valid later than `after`; in no order."""
        ...

    def append(self, changes: Iterable[Change]) -> tuple[Event, ...]:
        """Give each change an event id, in order, and make it visible to this transaction's reads."""
        ...

    def replay(self, events: Iterable[Event]) -> None:
        """Append events of another branch as they are, ids and all."""
        ...

    def erase(self, wanted: Wanted, scrub: Scrub) -> None:
        """With the commit, erase every event that says what is wanted, in every branch, and scrub those receipts.

        Of an event its id, writer and content id stay. Readers that were taken earlier keep what they read. Raises
        `ARGON_RUNTIME_VALIDATION_FAILED` in a fork: what its parent holds would stay.
        """
        ...

    def set_module_hash(self, module_hash: str) -> None:
        """Write under this module from now on."""
        ...

    def commit(self, *, key: str | None = None, receipt: bytes = b"", ends: str | None = None) -> int:
        """Make everything durable as one transaction, bump the generation, return `tx`; end the fork `ends` with it.

        When it returns, the transaction survives a kill and a power cut (as far as the backend promises either).
        `key` is an idempotency key that no earlier transaction used. Raises `ARGON_RUNTIME_STORE_UNAVAILABLE`.
        """
        ...


class Store(Protocol):
    """One event log. Safe to use from many threads."""

    @property
    def kind(self) -> str:
        """`memory` or `sqlite`."""
        ...

    @property
    def id(self) -> UUID:
        """The store's UUID; `NO_STORE` while it does not exist."""
        ...

    def generation(self) -> int:
        """The generation on record now; cheap, for polling."""
        ...

    def snapshot(self) -> Snapshot:
        """The state on record now. Never waits for a writer, never creates a store."""
        ...

    def write(self, instant: datetime) -> AbstractContextManager[WriteTransaction]:
        """Begin the exclusive transaction with this clock reading; leaving without `commit` rolls all of it back.

        Waits at most ten seconds for another writer, then raises `ARGON_RUNTIME_STORE_BUSY` (retryable). Creates the
        store when it does not exist. `instant` is an aware datetime.
        """
        ...

    def forks(self) -> Sequence[Fork]:
        """The forks of the store, oldest first."""
        ...

    def create_fork(
        self, name: str, instant: datetime, *, principal: str = "", ephemeral: bool = False, cut: int | None = None
    ) -> Fork:
        """A fork of this branch at transaction `cut`, by default its head. Sweeps what has expired; creates the store.

        Raises `ARGON_RUNTIME_VALIDATION_FAILED` for a `cut` that is none, `ARGON_RUNTIME_STORE_BUSY`.
        """
        ...

    def branch(self, handle: str, instant: datetime) -> Store:
        """The store of a fork. Raises `ARGON_RUNTIME_FORK_NOT_FOUND`, also for one that has expired at `instant`."""
        ...

    def touch_fork(self, handle: str, instant: datetime) -> None:
        """Note that a fork is in use, when that was not noted lately; never waits and never fails."""
        ...

    def abort_fork(self, handle: str) -> None:
        """End a fork: nothing of it stays. Raises `ARGON_RUNTIME_FORK_NOT_FOUND`, and
        `ARGON_RUNTIME_VALIDATION_FAILED` while other forks are branches of it.
        """
        ...

    def close(self) -> None:
        """Release files and locks; snapshots already taken stay readable."""
        ...
