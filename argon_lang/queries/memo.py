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
from threading import Lock, RLock, get_ident
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
D = TypeVar("D")


class Cancelled(Exception):
    """The sources changed while a question was being answered; ask again."""


class _Memo:
    """A remembered value: `changed` is the revision in which it became what it is, `verified` the last known good.

    `deps` are the values that it rests on, in the order of asking; None for an input. A memo lives as long as its key:
    a new value takes the place of the old one, so that what rests on it may hold on to it.
    """

    __slots__ = ("changed", "deps", "key", "value", "verified")

    def __init__(self, key: Any) -> None:
        self.key = key
        self.value: Any = None
        self.changed = 0
        self.verified = 0
        self.deps: tuple[_Memo, ...] | None = None


class Memory(Generic[D]):
    """Inputs and remembered values of one `owner`, which every query function is given first.

    One thread at a time asks or changes (`lock`); `announce` alone may be called without it. `computed` counts, per
    query, how often it was computed: for tests and for measuring.
    """

    def __init__(self, owner: D) -> None:
        self.owner = owner
        self.lock = RLock()
        self.revision = 1
        self.computed: dict[str, int] = {}
        self._counter = Lock()
        self._announced = 0
        self._memos: dict[Any, _Memo] = {}
        self._asking: list[dict[_Memo, None]] = []
        self._asker = 0
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
        memo = self._input(key)
        if memo.value is not value and memo.value != value:
            memo.value, memo.changed = value, self.revision

    def _input(self, key: Hashable) -> _Memo:
        found = ("input", key)
        memo = self._memos.get(found)
        if memo is None:
            memo = self._memos[found] = _Memo(found)
        return memo

    def input(self, key: Hashable) -> Any:
        """The value of an input; None when it was never given one."""
        memo = self._input(key)
        if self._asking and self._asker == get_ident():
            self._asking[-1][memo] = None
        return memo.value

    def get(self, query: Callable[[D, K], V], key: K) -> V:
        """`query(owner, key)`, remembered. Raises Cancelled when a change was announced meanwhile."""
        found = (query, key)
        memo = self._memos.get(found)
        if memo is None or memo.verified != self.revision:
            if memo is None:
                memo = _Memo(found)
            self._refresh(memo)
        if self._asking:
            self._asking[-1][memo] = None
        value: V = memo.value
        return value

    def _refresh(self, memo: _Memo) -> None:
        """Verify a value in this revision, or compute it again."""
        if self._announced:
            raise Cancelled
        if memo.deps is None or self._stale(memo.deps, memo.verified):
            self._compute(memo)
        memo.verified = self.revision

    def _stale(self, deps: tuple[_Memo, ...], since: int) -> bool:
        """Did one of `deps` change after the revision `since`? Those behind it may not be asked any more."""
        revision = self.revision
        for dep in deps:
            if dep.deps is not None and dep.verified != revision:
                self._refresh(dep)
            if dep.changed > since:
                return True
        return False

    def _compute(self, memo: _Memo) -> None:
        query, key = memo.key
        if memo.key in self._open:
            raise RuntimeError(f"query {query.__name__} rests on itself")
        if not self._asking:
            self._asker = get_ident()
        deps: dict[_Memo, None] = {}
        self._asking.append(deps)
        self._open.add(memo.key)
        try:
            value = query(self.owner, key)
        finally:
            self._asking.pop()
            self._open.discard(memo.key)
        self.computed[query.__name__] = self.computed.get(query.__name__, 0) + 1
        if memo.deps is None or memo.value != value:
            memo.value, memo.changed = value, self.revision
        memo.deps = tuple(deps)
        self._memos[memo.key] = memo

    def sweep(self) -> int:
        """Forget every remembered value that this revision did not need, and absent inputs; returns how many.

        To be called when everything that is wanted has been asked; what is forgotten is computed again when needed.
        """
        alive = [memo for memo in self._memos.values() if memo.deps is None or memo.verified == self.revision]
        wanted = {dep for memo in alive for dep in memo.deps or ()}
        kept = {memo.key: memo for memo in alive if memo.deps is not None or memo.value is not None or memo in wanted}
        forgotten = len(self._memos) - len(kept)
        self._memos = kept
        return forgotten
