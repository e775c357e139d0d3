"""Event ids: UUIDv7 (RFC 9562), monotone within a store whatever the clock does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from argon_lang.ir.scalars import micros

Random = Callable[[int], bytes]
"""A source of that many random bytes; `secrets.token_bytes` outside tests."""

_TAIL = 74
"""Bits of a UUIDv7 that are neither time, version nor variant."""


def next_id(instant: datetime, last: UUID | None, random: Random) -> UUID:
    """An id for an event at this instant, greater than `last`.

    Within one millisecond, and when the clock went back, the random part of the last id counts on.
    """
    milliseconds = max(0, micros(instant) // 1000)
    if last is not None and milliseconds <= _milliseconds(last):
        return _join(_milliseconds(last), _tail(last) + 1)
    # The top bit stays clear so that an id has room for 2^73 successors within its millisecond.
    return _join(milliseconds, int.from_bytes(random(10), "big") >> (80 - _TAIL + 1))


def new_store_id(random: Random) -> UUID:
    """A random UUIDv4."""
    return UUID(bytes=random(16), version=4)


def _join(milliseconds: int, tail: int) -> UUID:
    high, low = tail >> 62, tail & ((1 << 62) - 1)
    return UUID(int=(milliseconds & ((1 << 48) - 1)) << 80 | 7 << 76 | high << 64 | 2 << 62 | low)


def _milliseconds(uid: UUID) -> int:
    return uid.int >> 80


def _tail(uid: UUID) -> int:
    return ((uid.int >> 64) & 0xFFF) << 62 | (uid.int & ((1 << 62) - 1))
