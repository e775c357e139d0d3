"""A store as the semantics words it: a list of transactions, read by going through all of them each time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from argon_lang.ir.values import Row
from argon_lang.store.protocol import Change

Log = list[tuple[Change, ...]]
"""The changes of transactions 1, 2, 3, …"""


def _changes(log: Log, as_of_tx: int) -> Iterator[Change]:
    for changes in log[:as_of_tx]:
        yield from changes


def _covers(change: Change, instant: datetime) -> bool:
    begun = change.valid_from is None or change.valid_from <= instant
    return begun and (change.op == "close" or change.valid_to is None or instant < change.valid_to)


def _about(
    log: Log, as_of_tx: int, standpoints: Iterable[str], instant: datetime
) -> Iterator[tuple[tuple[str, str, Row], str]]:
    """What each change says about the instant: ((standpoint, key, row), op), in order."""
    for change in _changes(log, as_of_tx):
        if change.standpoint in standpoints and _covers(change, instant):
            yield (change.standpoint, change.key, change.row), change.op


def facts(log: Log, valid_at: datetime, as_of_tx: int, standpoints: Iterable[str]) -> set[tuple[str, Row]]:
    """Rows that were asserted over the instant and not closed at or before it by any later change."""
    found = set()
    for fact, op in _about(log, as_of_tx, standpoints, valid_at):
        if op == "assert":
            found.add(fact)
        elif op == "close":
            found.discard(fact)
    return {(key, row) for _, key, row in found}


def hidden(log: Log, valid_at: datetime, as_of_tx: int, standpoints: Iterable[str]) -> set[tuple[str, Row]]:
    """Rows of which the last word about the instant, assertion or delete, is a delete."""
    last = {fact: op for fact, op in _about(log, as_of_tx, standpoints, valid_at) if op != "refute"}
    return {(key, row) for (_, key, row), op in last.items() if op == "close"}


def refuted(log: Log, valid_at: datetime, as_of_tx: int, standpoints: Iterable[str]) -> set[tuple[str, Row]]:
    """Rows that were refuted over the instant."""
    about = _about(log, as_of_tx, standpoints, valid_at)
    return {(key, row) for (_, key, row), op in about if op == "refute"}
