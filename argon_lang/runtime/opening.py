"""Nodes of trees that were shown, by id, so that they can be opened later (semantics S6.3).

An id is a hash of everything that its tree rests on, and says nothing by itself. What it stands for is remembered for
as long as the module is served, the latest `MOST` of them; an id that is not known, or whose store has moved on, is
stale: no tree is made up for it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from argon_lang.errors import ArgonError
from argon_lang.ir.values import Value
from argon_lang.problems import Note, args
from argon_lang.runtime.base import ReadPoint

MOST = 50_000
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
            known = self._known.get(_bare(id_)) or self._known.get(id_)
        if known is None:
            raise _stale(id_, "none of the proofs at hand", state)
        if known.state != state:
            same = known.state[:2] == state[:2]
            raise _stale(id_, f"generation {known.state[2]}" if same else "another module, store or fork", state)
        return known


def _bare(id_: str) -> str:
    """The id of the fact, without the number of its occurrence."""
    return id_.partition(".")[0]


def _stale(id_: str, found: str, state: State) -> ArgonError:
    return ArgonError(
        "ARGON_RUNTIME_STALE_PROOF",
        args(name=id_[:60], found=found, expected=state[2]),
        details={"nodeId": id_[:60], "generation": state[2]},
        retryable=False,
        notes=(Note("again"),),
    )
