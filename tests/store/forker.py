"""A process that makes forks, writes in them and takes them over, and acknowledges each step after it returned.

    python forker.py STORE

Round n: a fork with two transactions in it, and the take-over of both as transaction n of the main branch. Before every
third round another fork is made and dropped.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from argon_lang.store.protocol import Change, Fork
from argon_lang.store.sqlite import SqliteStore

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def rows(number: int) -> list[tuple[int, int]]:
    """What round `number` asserts, over its two transactions."""
    return [(number, part) for part in range(4)]


def forked(store: SqliteStore, number: int) -> tuple[Fork, SqliteStore]:
    """A fork with the two transactions of a round in it."""
    fork = store.create_fork(f"round {number}", NOW)
    branch = store.branch(fork.handle, NOW)
    for half in (rows(number)[:2], rows(number)[2:]):
        with branch.write(NOW) as writer:
            writer.append(Change("assert", "p::n/2", row) for row in half)
            writer.commit()
    return fork, branch


def main(path: str) -> None:
    """Go on until killed; each acknowledgement is one `write` call."""
    store = SqliteStore(Path(path))
    for fork in store.forks():
        store.abort_fork(fork.handle)
    os.write(1, b"ready\n")
    while True:
        number = store.snapshot().head + 1
        if number % 3 == 0:
            store.abort_fork(forked(store, number)[0].handle)
        fork, branch = forked(store, number)
        with store.write(NOW) as writer:
            for transaction in branch.snapshot().transactions(fork.cut):
                writer.replay(transaction.events)
            tx = writer.commit(ends=fork.handle)
        os.write(1, b"ack %d\n" % tx)


if __name__ == "__main__":
    main(sys.argv[1])
