"""A change as bytes and as an event: the canonical CBOR body that the content id is taken from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import get_args
from uuid import UUID

from argon_lang.errors import ArgonError
from argon_lang.ir.codec import CodecError, decode, encode, from_cbor, to_cbor
from argon_lang.ir.shapes import INSTANT, ROW, TEXT, Opt, tup
from argon_lang.problems import args
from argon_lang.store.protocol import Change, Event, Op

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
    change = Change(*decode(from_cbor(body), _BODY))
    if change.op not in get_args(Op):
        raise CodecError(" | ".join(get_args(Op)), change.op)
    return change


def content_of(body: bytes) -> bytes:
    """SHA-256 of a body."""
    return hashlib.sha256(body).digest()


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
