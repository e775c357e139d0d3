"""Memoisation for a program that is asked once and then forgotten, as by a check in a process of its own.

What a value rests on is not written down: a change of an input forgets all values. The input `LATE` alone may change
between two questions of one check, so it is known of each value whether it rests on that one, and such values are kept
for each value of it (to let them go would take a tenth of the check). An eighth of a cold check goes into what this
memory does without.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from argon_lang.queries.memo import Memory

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
D = TypeVar("D")

LATE = "part"
"""The input that a check in shares changes: the items that are asked about."""
_ABSENT, _OPEN = object(), object()


class Once(Memory[D]):
    """A `Memory` for one thread; never cancelled."""

    def __init__(self, owner: D) -> None:
        super().__init__(owner)
        self._lasting: dict[Any, dict[Any, Any]] = {}
        self._passing: dict[Any, dict[Any, Any]] = {}
        self._by_late: dict[Any, dict[Any, dict[Any, Any]]] = {None: self._passing}
        self._rests = False

    def set(self, key: Hashable, value: Any) -> None:
        """Give an input a value, inside `changing`. An equal value changes nothing."""
        super().set(key, value)
        if key == LATE:
            self._passing = self._by_late.setdefault(value, {})
        elif self._input(key).changed == self.revision:
            self._lasting.clear()
            self._passing.clear()
            self._by_late = {self._input(LATE).value: self._passing}

    def input(self, key: Hashable) -> Any:
        """The value of an input; None when it was never given one."""
        if key == LATE:
            self._rests = True
        memo = self._inputs.get(key)
        return None if memo is None else memo.value

    def get(self, query: Callable[[D, K], V], key: K) -> V:
        """`query(owner, key)`, remembered."""
        lasting = self._lasting.get(query)
        if lasting is None:
            lasting = self._lasting[query] = {}
        found = lasting.get(key, _ABSENT)
        if found is _ABSENT:
            found = self._found(query, key, lasting)
        elif found is _OPEN:
            raise RuntimeError(f"query {query.__name__} rests on itself")
        value: V = found
        return value

    ask = get

    def contains(self, query: Callable[[D, None], frozenset[K]], member: K) -> bool:
        """Is `member` in the set `query(owner, None)`?"""
        return member in self.get(query, None)

    def sweep(self) -> int:
        """Nothing to do: what is remembered is asked for once more or never."""
        return 0

    def _found(self, query: Callable[[D, Any], Any], key: Any, lasting: dict[Any, Any]) -> Any:
        """A value that is not among the lasting ones, computed where it is not known."""
        passing = self._passing.get(query)
        if passing is not None and key in passing:
            self._rests = True
            return passing[key]
        before, self._rests = self._rests, False
        lasting[key] = _OPEN
        try:
            value = query(self.owner, key)
        except BaseException:
            del lasting[key]
            self._rests = True
            raise
        self._keep(query, key, value, lasting)
        self._rests = self._rests or before
        return value

    def _keep(self, query: Any, key: Any, value: Any, lasting: dict[Any, Any]) -> None:
        if self._rests:
            del lasting[key]
            self._passing.setdefault(query, {})[key] = value
        else:
            lasting[key] = value
