"""Nodes of trees that were shown, by id, so that they can be opened later (semantics S6.3).

An id begins with a hash of everything that its tree rests on. Of a node that was left shut it goes on with what it
stands for, so that any process over the same state can open it. What the others stand for is remembered for as long as
the module is served, the latest `MOST` of them. An id that is not known, or whose store has moved on, is stale: no tree
is made up for it.
"""

from __future__ import annotations

import base64
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from argon_lang.errors import ArgonError
from argon_lang.ir.codec import CodecError, dump_value, load_value
from argon_lang.ir.module import DEFAULT
from argon_lang.ir.values import Value
from argon_lang.problems import Note, args
from argon_lang.runtime.base import ReadPoint

MOST = 50_000
_SEAL = 6
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
State = tuple[str, str, int]
"""Module hash, store id, generation."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a node stands for: a row of a key at a read point (None: any value), or a condition in the proof of one.

    `condition`: the node is found in the tree of this fact, below it.
    """

    state: State
    point: ReadPoint
    key: str
    row: tuple[Value, ...]
    condition: bool = False


def context(state: State, point: ReadPoint) -> str:
    """What ids of nodes rest on besides the fact: module, store, generation, view, read instant (S6.3)."""
    return "|".join(map(str, (*state, point.view, point.valid_at.isoformat(), point.tx)))


def addressed(id_: str, known: Known) -> str:
    """The id of a node with what it stands for behind it: `<hash>-<address>`."""
    point = known.point
    at = (point.valid_at - _EPOCH) // _MICROSECOND
    parts = (known.state[2], at, point.tx, None if point.view == DEFAULT else point.view, known.key, known.row)
    packed = dump_value(parts)
    return f"{id_}-{_text(_seal(id_, known.state, point, packed) + packed)}"


def _told(id_: str, state: State) -> Known | None:
    """What an id says that it stands for; None where it says nothing, or something of another state."""
    try:
        data = base64.urlsafe_b64decode(id_.partition("-")[2].partition(".")[0] + "==")
        generation, at, tx, view, key, row = load_value(data[_SEAL:])
        point = ReadPoint(_EPOCH + at * _MICROSECOND, tx, view or DEFAULT)
        known = Known((*state[:2], generation), point, key, row)
    except (ValueError, TypeError, OverflowError, CodecError):
        return None
    sealed = _seal(bare(id_), known.state, point, data[_SEAL:])
    return known if data[:_SEAL] == sealed and isinstance(key, str) and isinstance(row, tuple) else None


def _seal(id_: str, state: State, point: ReadPoint, packed: bytes) -> bytes:
    """What tells that an address is of this module and store, and of this id."""
    return hashlib.sha256(f"{context(state, point)}|{id_}|".encode() + packed).digest()[:_SEAL]


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class OpenNodes:
    """The nodes that are remembered. Safe for many threads."""

    def __init__(self) -> None:
        """None yet."""
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, nodes: Iterable[tuple[str, Known]]) -> None:
        """Remember nodes by id; what an id stood for first, it stands for always."""
        with self._lock:
            for id_, known in nodes:
                self._known.setdefault(id_, known)
                self._known.move_to_end(id_)
            while len(self._known) > MOST:
                self._known.popitem(last=False)

    def find(self, id_: str, state: State) -> Known:
        """What a node stands for. Raises `ARGON_RUNTIME_STALE_PROOF`."""
        with self._lock:
            known = self._known.get(bare(id_)) or self._known.get(id_)
        known = known or _told(id_, state)
        if known is None:
            raise _stale(id_, "none of the proofs at hand", state)
        if known.state != state:
            same = known.state[:2] == state[:2]
            raise _stale(id_, f"generation {known.state[2]}" if same else "another module, store or fork", state)
        return known


def bare(id_: str) -> str:
    """The hash in an id: without its address and the number of its occurrence."""
    return id_.partition(".")[0].partition("-")[0]


def _stale(id_: str, found: str, state: State) -> ArgonError:
    return ArgonError(
        "ARGON_RUNTIME_STALE_PROOF",
        args(name=bare(id_)[:60], found=found, expected=state[2]),
        details={"nodeId": bare(id_)[:60], "generation": state[2]},
        retryable=False,
        notes=(Note("again"),),
    )
