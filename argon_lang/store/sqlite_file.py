"""The SQLite file under `argon_lang.store.sqlite`: its tables, how it is made, opened, judged, read and appended to.

Table `store` has one row (id, generation, tx, module_hash), `transactions` one for each, `events` one for each with its
canonical CBOR body. A row of the first two carries the SHA-256 of everything in it, a transaction's of its events too.
Every function works on one connection and knows no threads. A file is judged by its header before SQLite touches it,
so a foreign one stays as it is.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any
from uuid import UUID

from argon_lang.errors import ArgonError
from argon_lang.ir.codec import CodecError, to_cbor
from argon_lang.ir.scalars import instant_of, micros
from argon_lang.problems import args
from argon_lang.store.events import body_of, change_of, content_id
from argon_lang.store.ids import Random, new_store_id
from argon_lang.store.memory import busy
from argon_lang.store.protocol import Event, Transaction

SCHEMA = 2
"""Version of the tables (SQLite's `user_version`). Version 1 had no forks; the first writer brings it up to date."""
_READABLE = (1, 2)
APPLICATION = int.from_bytes(b"ArgS", "big")
"""SQLite's `application_id` of an Argon store."""

ABANDONED_SECONDS = 60.0
"""Age of a draft that nobody is going to finish."""

_HEADER = 100
"""Bytes of the header of a SQLite file."""

_TABLES = """
CREATE TABLE store (
  id BLOB NOT NULL, generation INTEGER NOT NULL, tx INTEGER NOT NULL, module_hash TEXT NOT NULL, digest BLOB NOT NULL
);
CREATE TABLE transactions (
  tx INTEGER PRIMARY KEY, instant INTEGER NOT NULL, module_hash TEXT NOT NULL, key TEXT UNIQUE, receipt BLOB NOT NULL,
  digest BLOB NOT NULL
);
CREATE TABLE events (
  tx INTEGER NOT NULL, ordinal INTEGER NOT NULL, id BLOB NOT NULL, body BLOB NOT NULL, PRIMARY KEY (tx, ordinal)
) WITHOUT ROWID;
"""
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})
"""Our statements are fixed: one that SQLite cannot understand (SQLITE_ERROR) met tables that are not ours."""


@dataclass(frozen=True, slots=True)
class Head:
    """The one row of table `store`."""

    store_id: UUID
    generation: int
    tx: int
    module_hash: str


class Damaged(Exception):
    """What a store's tables say does not fit together; the text is a few words of what was found."""


def unavailable(name: str, found: str, reason: str) -> ArgonError:
    """The refusal of a store that cannot be used. `reason`: `foreign`, `damaged`, `version` or `system`."""
    return ArgonError(
        "ARGON_RUNTIME_STORE_UNAVAILABLE",
        args(path=name, found=found),
        details={"reason": reason},
        retryable=reason == "system",
    )


@contextmanager
def guarded(name: str, wait: float = 0.0) -> Iterator[None]:
    """Turn every error of SQLite, of the file system and of the content into a refusal with a code."""
    try:
        yield
    except (Damaged, CodecError) as error:
        raise unavailable(name, f"damaged ({error})", "damaged") from error
    except UnicodeDecodeError as error:
        # Python decodes what SQLite says of a damaged schema, which quotes the damage.
        raise unavailable(name, "its tables are none of ours", "damaged") from error
    except sqlite3.Error as error:
        primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if primary in _BUSY:
            raise busy(name, wait) from error
        if primary in _DAMAGED or isinstance(error, (sqlite3.DataError, sqlite3.IntegrityError)):
            raise unavailable(name, str(error), "damaged") from error
        raise unavailable(name, str(error), "system") from error
    except OSError as error:
        raise unavailable(name, error.strerror or type(error).__name__, "system") from error


def identity(path: Path) -> tuple[int, int] | None:
    """Which file is at `path`: device and number; None when there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def judge(path: Path, name: str) -> None:
    """Refuse a file that is no store of a known version, by its header; nothing is written, the log is not looked at.

    SQLite itself reads the header: if we opened and closed the file, the system would drop every lock that this process
    holds on it, and another process would take the log away from under our connections.
    """
    application, version = _marks(path) if path.stat().st_size >= _HEADER else (0, 0)
    if application != APPLICATION:
        raise unavailable(name, "no Argon store" if path.stat().st_size else "an empty file", "foreign")
    if version not in _READABLE:
        raise unavailable(name, f"store version {version}, where this argon knows {SCHEMA}", "version")


def _marks(path: Path) -> tuple[int, int]:
    """`application_id` and `user_version` of a file; zeros for one that is no SQLite file."""
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
        try:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_NOTADB:
                return 0, 0
            raise
    return application, version


def create(path: Path, random: Random) -> None:
    """Make an empty store at `path`, complete or not at all; one that appeared meanwhile is kept."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".new")
    os.close(handle)
    try:
        with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous=OFF")
            connection.executescript(
                f"BEGIN; PRAGMA application_id={APPLICATION}; PRAGMA user_version=1; {_TABLES} COMMIT"
            )
            connection.execute("INSERT INTO store VALUES (?, ?, ?, ?, ?)", _state(new_store_id(random), 0, 0, ""))
            connection.execute("PRAGMA journal_mode=WAL")
        sync(Path(draft))
        try:
            os.link(draft, path)
        except FileExistsError:
            return
    finally:
        discard(Path(draft))
    sync(path.parent)


def discard(draft: Path) -> None:
    """Remove a draft and what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        draft.with_name(draft.name + suffix).unlink(missing_ok=True)


def sweep(path: Path) -> None:
    """Remove the drafts that were left beside a store by makers that were killed; a maker at work needs moments."""
    for draft in path.parent.glob(f".{path.name}.*.new"):
        with suppress(OSError):
            if time.time() - draft.stat().st_mtime > ABANDONED_SECONDS:
                discard(draft)


def sync(path: Path) -> None:
    """Force a file, or the names of a folder, to the disk. Windows has no handle on a folder, nor the need."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def connect(path: Path, mode: str, wait: float) -> sqlite3.Connection:
    """Open an existing file, `ro` or `rw`; commits wait for the disk."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=wait, isolation_level=None, check_same_thread=False
    )
    if mode == "rw":
        synced = ("synchronous=FULL", "fullfsync=ON", "checkpoint_fullfsync=ON")
        for setting in ("journal_mode=WAL", "secure_delete=ON", *synced):
            connection.execute(f"PRAGMA {setting}")
    return connection


def lock(connection: sqlite3.Connection, wait: float) -> None:
    """Begin the writing transaction, waiting for another process at most `wait` seconds."""
    connection.execute(f"PRAGMA busy_timeout={round(wait * 1000)}")
    connection.execute("BEGIN IMMEDIATE")


def roll_back(connection: sqlite3.Connection) -> None:
    """Give up the database transaction if one is open."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def head(connection: sqlite3.Connection) -> Head:
    """The state on record."""
    rows = connection.execute("SELECT id, generation, tx, module_hash, digest FROM store").fetchall()
    if len(rows) != 1 or [type(cell) for cell in rows[0]] != [bytes, int, int, str, bytes] or len(rows[0][0]) != 16:
        raise Damaged("no state on record")
    uid, generation, tx, module_hash, _ = rows[0]
    found = Head(UUID(bytes=uid), generation, tx, module_hash)
    if rows[0] != _state(found.store_id, generation, tx, module_hash):
        raise Damaged("its state differs from its digest")
    return found


def _state(store_id: UUID, generation: int, tx: int, module_hash: str) -> tuple[bytes, int, int, str, bytes]:
    """The row of table `store`."""
    parts = (store_id.bytes, generation, tx, module_hash)
    return (*parts, hashlib.sha256(to_cbor(list(parts))).digest())


def load(connection: sqlite3.Connection, since: int, until: int) -> list[Transaction]:
    """The transactions `since + 1 … until`, each checked against its digest. Raises Damaged, CodecError."""
    heads = connection.execute(
        "SELECT tx, instant, module_hash, key, receipt, digest FROM transactions WHERE tx > ? ORDER BY tx", (since,)
    ).fetchall()
    if [row[0] for row in heads] != list(range(since + 1, until + 1)):
        raise Damaged(f"transactions {since + 1} to {until} are not all there")
    rows = connection.execute("SELECT tx, ordinal, id, body FROM events WHERE tx > ? ORDER BY tx, ordinal", (since,))
    events = {tx: list(group) for tx, group in groupby(rows.fetchall(), key=itemgetter(0))}
    return [transaction_of(row, events.get(row[0], [])) for row in heads]


def transaction_of(row: tuple[Any, ...], events: list[tuple[Any, ...]]) -> Transaction:
    """The transaction in a row of its table and the rows of its events. Raises Damaged, CodecError."""
    tx, instant, module_hash, key, receipt, digest = row
    kinds = [type(cell) for cell in (instant, module_hash, receipt, digest)]
    if kinds != [int, str, bytes, bytes] or [event[1] for event in events] != list(range(len(events))):
        raise Damaged(f"transaction {tx}")
    if any(type(cell) is not bytes for event in events for cell in event[2:]):
        raise Damaged(f"an event of transaction {tx}")
    if digest != _digest(tx, instant, module_hash, key, receipt, [event[2:] for event in events]):
        raise Damaged(f"transaction {tx} differs from its digest")
    found = tuple(_event(uid, body) for _, _, uid, body in events)
    return Transaction(tx, instant_of(instant), module_hash, found, key, receipt)


def _event(uid: bytes, body: bytes) -> Event:
    change = change_of(body)
    return Event(UUID(bytes=uid), change, content_id(change, body))


def rewrite(connection: sqlite3.Connection, branch: tuple[str, str, tuple[int, ...]], changed: Transaction) -> None:
    """Put other events and another receipt in the place of a transaction's, in the open database transaction.

    `branch` is the prefix of its tables, the condition on its rows and what the condition asks for.
    """
    prefix, where, given = branch
    (tx, *_, receipt, digest), events = row_of(changed)
    connection.execute(
        f"UPDATE {prefix}transactions SET receipt = ?, digest = ? WHERE tx = ?{where}", (receipt, digest, tx, *given)
    )
    for ordinal, (_, body) in enumerate(events):
        place = (body, tx, ordinal, *given)
        connection.execute(f"UPDATE {prefix}events SET body = ? WHERE tx = ? AND ordinal = ?{where}", place)


def purge(connection: sqlite3.Connection) -> None:
    """Let nothing that was overwritten stay in the log beside the file.

    While somebody reads from it, or the disk is full, it stays until the last process that has the file open closes it.
    """
    with suppress(sqlite3.Error):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def append(connection: sqlite3.Connection, transaction: Transaction, store_id: UUID, generation: int) -> None:
    """Write a transaction and the generation bump into the open database transaction."""
    head, events = row_of(transaction)
    connection.execute("INSERT INTO transactions VALUES (?, ?, ?, ?, ?, ?)", head)
    numbered = [(transaction.tx, ordinal, *event) for ordinal, event in enumerate(events)]
    connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", numbered)
    _, *state = _state(store_id, generation, transaction.tx, transaction.module_hash)
    connection.execute("UPDATE store SET generation = ?, tx = ?, module_hash = ?, digest = ?", state)


def row_of(transaction: Transaction) -> tuple[tuple[Any, ...], list[tuple[bytes, bytes]]]:
    """A transaction as the row of its table, and the ids and bodies of its events."""
    tx, key, receipt = transaction.tx, transaction.key, transaction.receipt
    instant, module_hash = micros(transaction.instant), transaction.module_hash
    events = [(event.id.bytes, body_of(event.change)) for event in transaction.events]
    digest = _digest(tx, instant, module_hash, key, receipt, events)
    return (tx, instant, module_hash, key, receipt, digest), events


def commit(connection: sqlite3.Connection) -> None:
    """Make the open database transaction durable."""
    connection.execute("COMMIT")


def _digest(tx: int, instant: int, module_hash: str, key: str | None, receipt: bytes, events: list[Any]) -> bytes:
    parts = [tx, instant, module_hash, key, receipt, [[uid, body] for uid, body in events]]
    return hashlib.sha256(to_cbor(parts)).digest()
