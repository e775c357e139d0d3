"""Red-green memoisation: derived values that remember what they were computed from.

Every change of an input begins a new revision. A remembered value is verified by asking whether anything that it rests
on changed since it was last verified; only then is it computed again, and when the new value equals the old one, what
rests on it stays as it was (early cut-off). The scheme is that of Adapton and of salsa, after rustc's query system.

A computation is cancelled by revision: `announce` says from any thread that a change is coming, the computation that
runs raises `Cancelled` at its next question, and what was not finished is not remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Lock, RLock
from typing import Any, Generic, Protocol, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
D = TypeVar("D")


class Cancelled(Exception):
    """The sources changed while a question was being answered; ask again."""


class _Named(Protocol):
    __name__: str


class _Memo:
    """A remembered value: `changed` is the revision in which it became what it is, `verified` the last known good.

    `deps` are the keys that it rests on, in the order of asking; None for an input.
    """

    __slots__ = ("changed", "deps", "value", "verified")

    def __init__(self, value: Any, revision: int, deps: tuple[Any, ...] | None) -> None:
        self.value = value
        self.changed = revision
        self.verified = revision
        self.deps = deps


class Memory(Generic[D]):
    """Inputs and remembered values of one `owner`, which every query function is given first.

    One thread at a time asks or changes (`lock`); `announce` alone may be called without it.
    """

    def __init__(self, owner: D) -> None:
        self.owner = owner
        self.lock = RLock()
        self.revision = 1
        self.computed: dict[str, int] = {}
        self._counter = Lock()
        self._announced = 0
        self._memos: dict[Any, _Memo] = {}
        self._asking: list[dict[Any, None]] = []
        self._open: set[Any] = set()

    def announce(self) -> None:
        """Say that a change is coming and cancel what is being computed; `changing(announced=True)` must follow."""
        with self._counter:
            self._announced += 1

    @contextmanager
    def changing(self, announced: bool = False) -> Iterator[None]:
        """The scope of a change: cancels what runs, waits for it, begins a revision."""
        if not announced:
            self.announce()
        with self.lock:
            with self._counter:
                self._announced -= 1
            if self._asking:
                raise RuntimeError("an input was changed by a query")
            self.revision += 1
            yield

    def set(self, key: Hashable, value: Any) -> None:
        """Give an input a value, inside `changing`. An equal value changes nothing."""
        memo = self._memos.get(("input", key))
        if memo is None:
            self._memos[("input", key)] = _Memo(value, self.revision, None)
        elif memo.value != value:
            memo.value, memo.changed = value, self.revision

    def input(self, key: Hashable) -> Any:
        """The value of an input; None when it was never given one."""
        found = ("input", key)
        if self._asking:
            self._asking[-1][found] = None
        memo = self._memos.get(found)
        if memo is None:
            memo = self._memos[found] = _Memo(None, 0, None)
        return memo.value

    def get(self, query: Callable[[D, K], V], key: K) -> V:
        """`query(owner, key)`, remembered. Raises Cancelled when a change was announced meanwhile."""
        found = (query, key)
        if self._asking:
            self._asking[-1][found] = None
        value: V = self._fresh(found).value
        return value

    def _fresh(self, key: Any) -> _Memo:
        """The memo of `key`, verified in this revision."""
        if self._announced:
            raise Cancelled
        memo = self._memos.get(key)
        if memo is None or (memo.verified != self.revision and self._stale(memo)):
            return self._compute(key, memo)
        memo.verified = self.revision
        return memo

    def _stale(self, memo: _Memo) -> bool:
        return any(self._changed(dep) > memo.verified for dep in memo.deps or ())

    def _changed(self, key: Any) -> int:
        """The revision in which the value of `key` became what it is now."""
        if key[0] == "input":
            return self._memos[key].changed
        return self._fresh(key).changed

    def _compute(self, key: Any, before: _Memo | None) -> _Memo:
        if key in self._open:
            raise RuntimeError(f"query {key[0].__name__} rests on itself")
        query: _Named = key[0]
        deps: dict[Any, None] = {}
        self._asking.append(deps)
        self._open.add(key)
        try:
            value = key[0](self.owner, key[1])
        finally:
            self._asking.pop()
            self._open.discard(key)
        self.computed[query.__name__] = self.computed.get(query.__name__, 0) + 1
        memo = _Memo(value, self.revision, tuple(deps))
        if before is not None and before.value == value:
            memo.changed, memo.value = before.changed, before.value
        self._memos[key] = memo
        return memo

    def sweep(self) -> int:
        """Forget every remembered value that this revision did not need; returns how many.

        To be called when everything that is wanted has been asked; what is forgotten is computed again when needed.
        """
        dead = [key for key, memo in self._memos.items() if memo.deps is not None and memo.verified != self.revision]
        for key in dead:
            del self._memos[key]
        return len(dead)
