"""The forks in a SQLite store: their tables, which are like those of the main branch with the fork's number before.

Version 1 of the store had none; the first writer adds them. Every function works on one connection, and knows no
threads.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from argon_lang.ir.codec import to_cbor
from argon_lang.ir.scalars import instant_of, micros
from argon_lang.store import sqlite_file
from argon_lang.store.forking import swept
from argon_lang.store.protocol import Fork, Transaction
from argon_lang.store.sqlite_file import SCHEMA, Damaged, row_of, transaction_of

TABLES = (
    """CREATE TABLE forks (
  number INTEGER PRIMARY KEY AUTOINCREMENT, handle TEXT NOT NULL UNIQUE, name TEXT NOT NULL, parent TEXT NOT NULL,
  cut INTEGER NOT NULL, id BLOB NOT NULL, generation INTEGER NOT NULL, tx INTEGER NOT NULL, module_hash TEXT NOT NULL,
  created INTEGER NOT NULL, used INTEGER NOT NULL, ephemeral INTEGER NOT NULL, principal TEXT NOT NULL,
  digest BLOB NOT NULL)""",
    """CREATE TABLE fork_transactions (
  fork INTEGER NOT NULL, tx INTEGER NOT NULL, instant INTEGER NOT NULL, module_hash TEXT NOT NULL, key TEXT,
  receipt BLOB NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (fork, tx), UNIQUE (fork, key))""",
    """CREATE TABLE fork_events (
  fork INTEGER NOT NULL, tx INTEGER NOT NULL, ordinal INTEGER NOT NULL, id BLOB NOT NULL, body BLOB NOT NULL,
  PRIMARY KEY (fork, tx, ordinal)) WITHOUT ROWID""",
)
_COLUMNS = "number, handle, name, parent, cut, id, generation, tx, module_hash, created, used, ephemeral, principal"
_KINDS = [int, str, str, str, int, bytes, int, int, str, int, int, int, str, bytes]


def version(connection: sqlite3.Connection) -> int:
    """The version of the tables."""
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    return int(found)


def upgrade(connection: sqlite3.Connection) -> None:
    """Bring the tables to this version, in the writing transaction that is open."""
    if version(connection) < SCHEMA:
        for table in TABLES:
            connection.execute(table)
        connection.execute(f"PRAGMA user_version={SCHEMA}")


def all_forks(connection: sqlite3.Connection) -> list[Fork]:
    """The forks, oldest first. Raises Damaged."""
    if version(connection) < SCHEMA:
        return []
    rows = connection.execute(f"SELECT {_COLUMNS}, digest FROM forks ORDER BY number").fetchall()
    return [_fork(row) for row in rows]


def find(connection: sqlite3.Connection, handle: str) -> Fork | None:
    """The fork with this handle. Raises Damaged."""
    if version(connection) < SCHEMA:
        return None
    row = connection.execute(f"SELECT {_COLUMNS}, digest FROM forks WHERE handle = ?", (handle,)).fetchone()
    return None if row is None else _fork(row)


def add(connection: sqlite3.Connection, fork: Fork) -> Fork:
    """Record a new fork, under the next number."""
    made = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'forks'").fetchone()
    numbered = replace(fork, number=(made[0] if made else 0) + 1)
    cells = _cells(numbered)
    connection.execute(f"INSERT INTO forks VALUES ({', '.join('?' * (len(cells) + 1))})", (*cells, _digest(cells)))
    return numbered


def update(connection: sqlite3.Connection, fork: Fork) -> None:
    """Record where a fork stands now."""
    cells = _cells(fork)
    changed = (fork.generation, fork.tx, fork.module_hash, micros(fork.used), _digest(cells), fork.number)
    connection.execute(
        "UPDATE forks SET generation = ?, tx = ?, module_hash = ?, used = ?, digest = ? WHERE number = ?", changed
    )


def remove(connection: sqlite3.Connection, fork: Fork) -> None:
    """Take a fork out, with everything that was written in it."""
    for table, column in (("fork_events", "fork"), ("fork_transactions", "fork"), ("forks", "number")):
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (fork.number,))


def sweep(connection: sqlite3.Connection, instant: datetime) -> None:
    """Take out the ephemeral forks that have expired."""
    for fork in swept(all_forks(connection), instant):
        remove(connection, fork)


def load(connection: sqlite3.Connection, fork: Fork, since: int) -> list[Transaction]:
    """The fork's transactions `since + 1 … fork.tx`, each checked against its digest. Raises Damaged, CodecError."""
    heads = connection.execute(
        "SELECT tx, instant, module_hash, key, receipt, digest FROM fork_transactions"
        " WHERE fork = ? AND tx > ? ORDER BY tx",
        (fork.number, since),
    ).fetchall()
    if [row[0] for row in heads] != list(range(since + 1, fork.tx + 1)):
        raise Damaged(f"transactions {since + 1} to {fork.tx} of fork {fork.number} are not all there")
    rows = connection.execute(
        "SELECT tx, ordinal, id, body FROM fork_events WHERE fork = ? AND tx > ? ORDER BY tx, ordinal",
        (fork.number, since),
    )
    events = {tx: list(group) for tx, group in groupby(rows.fetchall(), key=itemgetter(0))}
    return [transaction_of(row, events.get(row[0], [])) for row in heads]


def rewrite(connection: sqlite3.Connection, fork: Fork, change: Callable[[Transaction], Transaction]) -> None:
    """Put other transactions in the place of a fork's; whoever has read them is to read anew."""
    for transaction in load(connection, fork, fork.cut):
        changed = change(transaction)
        if changed is not transaction:
            sqlite_file.rewrite(connection, ("fork_", " AND fork = ?", (fork.number,)), changed)
    update(connection, replace(fork, generation=fork.generation + 1))


def append(connection: sqlite3.Connection, fork: Fork, transaction: Transaction) -> None:
    """Write a transaction of a fork, which stands after it as `fork` says, into the open database transaction."""
    head, events = row_of(transaction)
    connection.execute("INSERT INTO fork_transactions VALUES (?, ?, ?, ?, ?, ?, ?)", (fork.number, *head))
    numbered = [(fork.number, transaction.tx, ordinal, *event) for ordinal, event in enumerate(events)]
    connection.executemany("INSERT INTO fork_events VALUES (?, ?, ?, ?, ?)", numbered)
    update(connection, fork)


def _fork(row: tuple[Any, ...]) -> Fork:
    cells = row[:-1]
    if [type(cell) for cell in row] != _KINDS or row[-1] != _digest(cells) or len(cells[5]) != 16:
        raise Damaged("a fork differs from its digest")
    number, handle, name, parent, cut, uid, generation, tx, module_hash, created, used, ephemeral, principal = cells
    return Fork(
        number, handle, name, parent, cut, UUID(bytes=uid), generation, tx, module_hash,
        instant_of(created), instant_of(used), bool(ephemeral), principal,
    )  # fmt: skip


def _cells(fork: Fork) -> tuple[Any, ...]:
    return (
        fork.number, fork.handle, fork.name, fork.parent, fork.cut, fork.store_id.bytes, fork.generation, fork.tx,
        fork.module_hash, micros(fork.created), micros(fork.used), int(fork.ephemeral), fork.principal,
    )  # fmt: skip


def _digest(cells: tuple[Any, ...]) -> bytes:
    return hashlib.sha256(to_cbor(list(cells))).digest()
