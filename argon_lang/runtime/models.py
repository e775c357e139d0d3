"""Derived models, remembered for as long as they hold: same module, store generation, transaction, and stretch of time.

A model is evaluated at one instant and stays right until some base fact begins or ends to hold, until midnight when a
rule reads `today()`, and for that instant alone when one reads `now()` (semantics S1.6).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from argon_lang.engine.governor import Governor
from argon_lang.engine.model import Model, evaluate, glimpse
from argon_lang.errors import ArgonError
from argon_lang.runtime.base import Base, ReadPoint, next_change, next_midnight
from argon_lang.runtime.forms import facts_at
from argon_lang.runtime.opening import OpenNodes
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.served import Served
from argon_lang.store.protocol import Reader

Key = tuple[str, str, str, int, int | None, str]
"""Module hash, store, fork, generation, transaction, view."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """Base facts and model of one stretch `[start, end)` of valid time (end None: for ever)."""

    start: datetime
    end: datetime | None
    clock: datetime
    base: Base
    model: Model


_OF_ONE_RULE = frozenset(("ARGON_RUNTIME_ARITHMETIC", "ARGON_RUNTIME_DERIVE_FAILED", "ARGON_RUNTIME_BUDGET_EXCEEDED"))
"""The errors that evaluating a rule may end in which the next question does not rest on."""
_MOST_FAILING = 64


class Models:
    """A bounded cache, safe for many threads; an evaluation never holds its lock."""

    def __init__(self, most: int = 8) -> None:
        """Keep at most so many models, the latest used ones."""
        self._kept: OrderedDict[tuple[Key, datetime], _Kept] = OrderedDict()
        self._most = most
        self.open_nodes = OpenNodes()
        self._asked = False
        self._failing: set[Key] = set()
        self._lock = threading.Lock()

    def reading(
        self,
        served: Served,
        reader: Reader,
        point: ReadPoint,
        clock: datetime,
        governor: Governor,
        *,
        passing: bool = False,
    ) -> Reading:
        """A reading of the state at `point`, evaluated now or remembered. Raises what `evaluate` raises.

        `passing`: one question will be asked of it, whose answer is to depend on nothing but what it rests on. So the
        very first is answered from that alone, and so are those of a state of which some other rule cannot be
        evaluated; else whoever comes again is worth the whole model.
        """
        key = _key(served, reader, reader.generation, point)
        kept = self._find(served, key, point.valid_at, clock)
        if kept is None and passing and (not self._asked or key in self._failing):
            return self._glimpse(served, reader, point, clock, governor)
        self._asked = True
        try:
            kept = kept or self._make(served, reader, point, clock, governor, key)
        except ArgonError as error:
            if not passing or error.code not in _OF_ONE_RULE:
                raise
            self._failing = {*self._failing, key} if len(self._failing) < _MOST_FAILING else {key}
            governor.forget()
            return self._glimpse(served, reader, point, clock, governor)
        return Reading(served, kept.base, point, clock, governor, reader=reader, model=kept.model, models=self)

    def _glimpse(
        self, served: Served, reader: Reader, point: ReadPoint, clock: datetime, governor: Governor
    ) -> Reading:
        self._asked = True
        base = facts_at(served, reader, point, clock)
        model = glimpse(served.program, base.rows, clock, governor)
        return Reading(served, base, point, clock, governor, reader=reader, model=model, models=self)

    def carry(self, before: Reading, after: Reading, generation: int, edges: Iterable[datetime]) -> None:
        """Remember the state that a committed transaction left, at its own instant, under its new `generation`.

        `edges` are the instants at which something that it wrote begins or ends to hold. Only of a state that has been
        evaluated, and after one that is remembered: the next boundary of that one counts too.
        """
        point, served, old = after.point, after.served, before.reader
        known = self._find(served, _key(served, old, old.generation, point), point.valid_at, before.clock)
        if known is None or known.base is not before.base or after.evaluated is None:
            return
        ends = [edge for edge in (known.end, *edges) if edge is not None and edge > point.valid_at]
        kept = _Kept(point.valid_at, min(ends, default=None), after.clock, after.base, after.evaluated)
        self._keep(_key(served, after.reader, generation, point), kept, instead=known)

    def _find(self, served: Served, key: Key, instant: datetime, clock: datetime) -> _Kept | None:
        with self._lock:
            for name, kept in reversed(self._kept.items()):
                inside = kept.start <= instant and (kept.end is None or instant < kept.end)
                if name[0] == key and inside and _same_clock(served, kept.clock, clock):
                    self._kept.move_to_end(name)
                    return kept
        return None

    def _make(
        self, served: Served, reader: Reader, point: ReadPoint, clock: datetime, governor: Governor, key: Key
    ) -> _Kept:
        base = facts_at(served, reader, point, clock)
        model = evaluate(served.program, base.rows, clock, governor, after=self._latest(served))
        kept = _Kept(point.valid_at, next_change(served.module, reader, point), clock, base, model)
        self._keep(key, kept)
        return kept

    def _keep(self, key: Key, kept: _Kept, instead: _Kept | None = None) -> None:
        """Remember a state, `instead` of one that nobody will ask for again."""
        with self._lock:
            self._kept = OrderedDict((name, each) for name, each in self._kept.items() if each is not instead)
            self._kept[key, kept.start] = kept
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def _latest(self, served: Served) -> Model | None:
        with self._lock:
            latest = next(reversed(self._kept.values()), None)
        return latest.model if latest is not None and latest.model.program is served.program else None


def _key(served: Served, reader: Reader, generation: int, point: ReadPoint) -> Key:
    return (served.module_hash, str(reader.store_id), reader.fork, generation, point.tx, point.view)


def _same_clock(served: Served, kept: datetime, clock: datetime) -> bool:
    """Would rules that read the clock say the same at both instants?"""
    if "now" in served.clock_reads:
        return kept == clock
    return "today" not in served.clock_reads or (kept <= clock < next_midnight(kept))
