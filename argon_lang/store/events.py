"""A change as bytes and as an event: the canonical CBOR body that the content id is taken from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from sys import intern
from typing import Any, get_args
from uuid import UUID

from argon_lang.errors import ArgonError
from argon_lang.ir.codec import CodecError, decode, encode, from_cbor, to_cbor
from argon_lang.ir.scalars import DECODERS, PLAIN, instant_of
from argon_lang.ir.schema import BY_CLASS
from argon_lang.ir.shapes import INSTANT, ROW, TEXT, Opt, tup
from argon_lang.ir.values import Entity
from argon_lang.problems import args
from argon_lang.store.protocol import Change, Event, Op, Scrub, Transaction, Wanted

_OPS: tuple[Op, ...] = get_args(Op)
_ENTITY = BY_CLASS[Entity].number
_TEXT, _INSTANT = (str,), (int, type(None))
_KINDS = (_TEXT, _TEXT, (list,), _INSTANT, _INSTANT, _TEXT, _TEXT, _TEXT)
"""What the parts of a body are in CBOR."""

_BODY = tup(TEXT, TEXT, ROW, Opt(INSTANT), Opt(INSTANT), TEXT, TEXT, TEXT)


def body_of(change: Change) -> bytes:
    """The canonical body. Raises CodecError for a row that holds something else than values."""
    parts = (
        change.op,
        change.key,
        change.row,
        change.valid_from,
        change.valid_to,
        change.standpoint,
        change.principal,
        change.fork,
    )
    return to_cbor(encode(parts, _BODY))


def change_of(body: bytes) -> Change:
    """The change that a body encodes. Raises CodecError."""
    plain = from_cbor(body)
    change = _usual(plain) or Change(*decode(plain, _BODY))
    if change.op not in _OPS:
        raise CodecError(" | ".join(_OPS), change.op)
    return change


def _usual(plain: Any) -> Change | None:
    """The change, when its row holds individuals and scalars alone, as nearly all do: so a store opens much faster.

    None for every other body, a damaged one too: `decode` then says what is wrong. Raises CodecError.
    """
    if type(plain) is not list or len(plain) != len(_KINDS):
        return None
    if any(type(part) not in kinds for part, kinds in zip(plain, _KINDS, strict=True)):
        return None
    op, key, cells, start, end, standpoint, principal, fork = plain
    row = []
    for cell in cells:
        if type(cell) in PLAIN:
            row.append(cell)
        elif type(cell) is not list or not cell or type(cell[0]) is not int:
            return None
        elif cell[0] == _ENTITY and len(cell) == 2 and type(cell[1]) is str:
            row.append(Entity(cell[1]))
        elif cell[0] in DECODERS:
            row.append(DECODERS[cell[0]](cell))
        else:
            return None
    begin = None if start is None else instant_of(start)
    until = None if end is None else instant_of(end)
    return Change(op, intern(key), tuple(row), begin, until, intern(standpoint), intern(principal), intern(fork))


def content_of(body: bytes) -> bytes:
    """SHA-256 of a body."""
    return hashlib.sha256(body).digest()


def content_id(change: Change, body: bytes) -> str:
    """The content id of an event: of an erased one that of what stood there. Raises CodecError."""
    if change.op != "erased":
        return content_of(body).hex()
    kept = change.row[0] if len(change.row) == 1 else None
    if not isinstance(kept, str):
        raise CodecError("a content id", str(kept))
    return kept


def tombstone(event: Event) -> Event:
    """What is left of an event when what it says is erased: its id, writer, branch and content id."""
    said, kept = event.change, (event.content_id,)
    return Event(event.id, Change("erased", "", kept, principal=said.principal, fork=said.fork), event.content_id)


def buried(transaction: Transaction, wanted: Wanted, scrub: Scrub) -> Transaction:
    """The transaction without what is to be erased of it; the same one when there is nothing."""
    if not any(wanted(event.change) for event in transaction.events):
        return transaction
    events = tuple(tombstone(event) if wanted(event.change) else event for event in transaction.events)
    return replace(transaction, events=events, receipt=scrub(transaction.receipt) if transaction.receipt else b"")


def event_of(uid: UUID, change: Change) -> Event:
    """The event of a change under an id."""
    return Event(uid, change, content_of(body_of(change)).hex())


def checked(changes: Iterable[Change]) -> list[Change]:
    """The changes, each with a valid time that is one.

    Raises `ARGON_RUNTIME_VALIDATION_FAILED` for an instant without a zone and for an interval that ends before it
    begins.
    """
    found = list(changes)
    for change in found:
        for name, instant in (("at", change.valid_from), ("until", change.valid_to)):
            if instant is not None and instant.tzinfo is None:
                raise _invalid(name, "an instant with a zone", instant.isoformat())
        begin, end = change.valid_from, change.valid_to
        if begin is not None and end is not None and end <= begin:
            raise _invalid("until", f"an instant after {begin.isoformat()}", end.isoformat())
    return found


def _invalid(name: str, expected: str, found: str) -> ArgonError:
    return ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", args(name=name, expected=expected, found=found))
