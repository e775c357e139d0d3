"""What the forks of every backend share: handles, expiry, refusals (semantics S10.1)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args
from argon_lang.store.ids import Random
from argon_lang.store.protocol import EPHEMERAL_SECONDS, Fork

TOUCH_SECONDS = 60
"""How long a fork that is being used goes without that being noted."""


def new_handle(random: Random) -> str:
    """An unguessable name: 128 random bits."""
    return f"f-{random(16).hex()}"


def store_id_of(handle: str) -> UUID:
    """The id under which a fork is read. It does not give the handle away."""
    return UUID(bytes=hashlib.sha256(handle.encode()).digest()[:16], version=4)


def missing(handle: str, *notes: Note) -> ArgonError:
    """The refusal of a handle that no fork has."""
    return ArgonError("ARGON_RUNTIME_FORK_NOT_FOUND", args(name=handle), details={"fork": handle}, notes=notes)


def expired(fork: Fork, instant: datetime) -> bool:
    """Has an ephemeral fork been idle for too long?"""
    return fork.ephemeral and instant - fork.used > timedelta(seconds=EPHEMERAL_SECONDS)


def usable(fork: Fork | None, handle: str, instant: datetime) -> Fork:
    """The fork, when there is one and it has not expired. Raises `ARGON_RUNTIME_FORK_NOT_FOUND`."""
    if fork is None:
        raise missing(handle)
    if expired(fork, instant):
        raise missing(handle, Note("expired"))
    return fork


def stale(fork: Fork, instant: datetime) -> bool:
    """Is it time to note again that the fork is in use?"""
    return instant - fork.used > timedelta(seconds=TOUCH_SECONDS)


def swept(forks: Iterable[Fork], instant: datetime) -> list[Fork]:
    """What has expired and is nobody's parent; of several generations, the last first."""
    left, found = list(forks), list[Fork]()
    while True:
        parents = {fork.parent for fork in left}
        gone = [fork for fork in left if expired(fork, instant) and fork.handle not in parents]
        if not gone:
            return found
        found += gone
        left = [fork for fork in left if fork not in gone]


def childless(forks: Iterable[Fork], handle: str) -> None:
    """Raise `ARGON_RUNTIME_VALIDATION_FAILED` when there are forks of a fork."""
    children = [fork.name for fork in forks if fork.parent == handle]
    if children:
        told = args(name="fork", expected="one without forks of its own", found=f"the parent of {', '.join(children)}")
        raise ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", told)


def point(cut: int | None, head: int) -> int:
    """The fork point: `cut`, or the head. Raises `ARGON_RUNTIME_VALIDATION_FAILED`."""
    if cut is None:
        return head
    if not 0 <= cut <= head:
        told = args(name="tx", expected=f"0..{head}", found=cut)
        raise ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", told)
    return cut


def advanced(fork: Fork, tx: int, generation: int, module_hash: str, used: datetime) -> Fork:
    """The fork after one more transaction."""
    return replace(fork, tx=tx, generation=generation, module_hash=module_hash, used=max(used, fork.used))
