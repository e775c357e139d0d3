"""A process that writes transactions and acknowledges each after its commit returned.

    python writer.py STORE COUNT [PRAGMA…]

Transaction n asserts `size(n)` rows `(n, 0) … (n, size - 1)`. Further arguments weaken the store, to show that a test
would notice: they are run as pragmas on the writing connection.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from datetime import UTC, datetime
from pathlib import Path

from argon_lang.store import sqlite_file
from argon_lang.store.protocol import Change
from argon_lang.store.sqlite import SqliteStore

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def size(tx: int) -> int:
    """Rows of a transaction: mostly few, now and then many pages."""
    return 700 if tx % 7 == 3 else 1 + tx % 5


def changes(tx: int) -> list[Change]:
    """What transaction `tx` asserts."""
    return [Change("assert", "p::n/2", (tx, n)) for n in range(size(tx))]


def weaken(pragmas: list[str]) -> None:
    """Run these pragmas on every connection that is opened from now on."""
    connect = sqlite_file.connect

    def weaker(path: Path, mode: str, wait: float) -> sqlite3.Connection:
        connection = connect(path, mode, wait)
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
        return connection

    sqlite_file.connect = weaker


def main(path: str, count: int, pragmas: list[str]) -> None:
    """Write `count` transactions; each acknowledgement is one `write` call."""
    weaken(pragmas)
    store = SqliteStore(Path(path))
    os.write(1, b"ready\n")
    for _ in range(count):
        with store.write(NOW) as writer:
            writer.append(changes(writer.tx))
            tx = writer.commit()
        os.write(1, b"ack %d\n" % tx)
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
