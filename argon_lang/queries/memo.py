"""Red-green memoisation: derived values that remember what they were computed from.

Every change of an input begins a new revision and puts in question whatever rests on that input, near or far; what is
not in question is handed out as it is, so that an edit costs in proportion to what it touches and not to the size of
the program. A value in question is verified by asking whether anything that it rests on changed since it was last
verified; only then is it computed again, and when the new value equals the old one, what rests on it stays as it was
(early cut-off). Pushing doubt and pulling values is the scheme of Adapton; the revisions are those of salsa and rustc.

A few values rest on almost everything and have almost everything rest on them, and yet hardly ever change: the world
of names is one. Doubt stops at such a *wall*. Before the next question is answered the doubted walls are verified, and
only those that did change put in question what is behind them.

A computation is cancelled by revision: `announce` says from any thread that a change is coming, the computation that
runs raises `Cancelled` at its next question, and what was not finished is not remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from threading import Lock, RLock, get_ident
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
D = TypeVar("D")


class Cancelled(Exception):
    """The sources changed while a question was being answered; ask again."""


class _Memo:
    """The remembered value of `query` for `key`; `query` is None for an input, and for a membership.

    `changed` is the revision in which it became what it is, `verified` the last in which it was known to be good.
    `deps` are the values that it rests on, in the order of asking; None for an input. `users` rest on it (one alone is
    kept without a list): at least those that do now, for a former one is taken off by a sweep only. `doubted`:
    something below may have changed, and then every user is doubted too. A memo lives as long as its key: a new value
    takes the place of the old one, so that what rests on it may hold on to it.
    """

    __slots__ = ("changed", "deps", "doubted", "key", "query", "users", "value", "verified")

    def __init__(self, query: Any, key: Any, doubted: bool) -> None:
        self.query = query
        self.key = key
        self.value: Any = None
        self.changed = 0
        self.verified = 0
        self.doubted = doubted
        self.deps: tuple[_Memo, ...] | None = None
        self.users: _Memo | list[_Memo] | None = None

    def rest_on(self, deps: tuple[_Memo, ...]) -> None:
        """Take `deps` for what the value rests on, and let each know."""
        if self.deps is None:
            self.tell(deps)
        elif self.deps != deps:
            known = set(self.deps)
            self.tell(dep for dep in deps if dep not in known)
        self.deps = deps

    def tell(self, deps: Iterable[_Memo]) -> None:
        """Enter the value among the users of `deps`."""
        for dep in deps:
            users = dep.users
            if users is None:
                dep.users = self
            elif isinstance(users, _Memo):
                dep.users = [users, self]
            else:
                users.append(self)


class _Wall(_Memo):
    """A remembered value at which doubt stops. `members`: of a set, what rests on one thing being in it, by that."""

    __slots__ = ("members",)

    def __init__(self, query: Any, key: Any, doubted: bool) -> None:
        super().__init__(query, key, doubted)
        self.members: dict[Any, _Memo] = {}


class Memory(Generic[D]):
    """Inputs and remembered values of one `owner`, which every query function is given first.

    `walls` are the queries whose values are walls, in an order in which none rests on those behind it, be it through
    other values.

    One thread at a time asks or changes (`lock`); `announce` alone may be called without it. `computed` counts, per
    query, how often it was computed: for tests and for measuring.
    """

    def __init__(self, owner: D, walls: Iterable[Callable[[D, Any], Any]] = ()) -> None:
        self.owner = owner
        self.lock = RLock()
        self.revision = 1
        self.computed: dict[str, int] = {}
        self._counter = Lock()
        self._announced = 0
        self._inputs: dict[Any, _Memo] = {}
        self._tables: dict[Any, dict[Any, _Memo]] = {}
        self._asking: list[dict[_Memo, None]] = []
        self._asker = 0
        self._open: set[Any] = set()
        self._rank = {query: rank for rank, query in enumerate(walls)}
        self._pressed: list[dict[_Wall, int]] = [{} for _ in self._rank]
        self._standing = True

    def announce(self) -> None:
        """Say that a change is coming and cancel what is being computed; `changing(announced=True)` must follow."""
        with self._counter:
            self._announced += 1

    def give_up(self) -> None:
        """Raise Cancelled when a change was announced: for whoever computes for long without asking."""
        if self._announced:
            raise Cancelled

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
            self._doubt(memo)

    def _input(self, key: Hashable) -> _Memo:
        memo = self._inputs.get(key)
        if memo is None:
            memo = self._inputs[key] = _Memo(None, key, doubted=False)
        return memo

    def input(self, key: Hashable) -> Any:
        """The value of an input; None when it was never given one."""
        memo = self._input(key)
        if self._asking and self._asker == get_ident():
            self._asking[-1][memo] = None
        return memo.value

    def get(self, query: Callable[[D, K], V], key: K) -> V:
        """`query(owner, key)`, remembered. Raises Cancelled when a change was announced meanwhile."""
        if not self._standing and not self._asking:
            self._settle()
        table = self._tables.get(query)
        if table is None:
            table = self._tables[query] = {}
        memo = table.get(key)
        if memo is None:
            memo = (_Wall if query in self._rank else _Memo)(query, key, doubted=True)
        if memo.doubted:
            self._refresh(memo)
        if self._asking:
            self._asking[-1][memo] = None
        else:
            memo.verified = self.revision
        value: V = memo.value
        return value

    def ask(self, query: Callable[[D, K], V], key: K) -> V:
        """As `get`, from any thread: waits for the one that asks or changes."""
        if self._asking and self._asker == get_ident():
            return self.get(query, key)
        with self.lock:
            return self.get(query, key)

    def contains(self, query: Callable[[D, None], frozenset[K]], member: K) -> bool:
        """Is `member` in the set `query(owner, None)`, a wall? Whoever asks rests on that, and not on other members."""
        if not self._standing and not self._asking:
            self._settle()
        wall = self._verified_wall(query)
        memo = wall.members.get(member)
        if memo is None:
            memo = wall.members[member] = _Memo(None, member, doubted=False)
            memo.value, memo.changed, memo.deps = member in wall.value, self.revision, ()
        if self._asking:
            self._asking[-1][memo] = None
        found: bool = memo.value
        return found

    def _verified_wall(self, query: Callable[[D, None], Any]) -> _Wall:
        """The wall of a query, which is asked without being entered among what the asker rests on."""
        known = self._tables.get(query, {}).get(None)
        if isinstance(known, _Wall) and not known.doubted:
            return known
        if not self._asking:
            self._asker = get_ident()
        self._asking.append({})
        try:
            self.get(query, None)
        finally:
            self._asking.pop()
        found = self._tables[query][None]
        if not isinstance(found, _Wall):
            raise RuntimeError(f"query {query.__name__} is no wall")
        return found

    def _doubt(self, memo: _Memo) -> None:
        """Put in question whatever rests on a value, as far as the next walls."""
        pending = [memo]
        for each in pending:
            users = each.users or ()
            for user in (users,) if isinstance(users, _Memo) else users:
                if not user.doubted:
                    user.doubted = True
                    if isinstance(user, _Wall):
                        self._pressed[self._rank[user.query]].setdefault(user, user.changed)
                        self._standing = False
                    else:
                        pending.append(user)

    def _settle(self) -> None:
        """Verify the doubted walls; what is behind one that changed is in question too, the next walls included."""
        for pressed in self._pressed:
            while pressed:
                wall = next(iter(pressed))
                if wall.doubted:
                    self._refresh(wall)
                if wall.changed > pressed.pop(wall):
                    self._doubt(wall)
        self._standing = True

    def _refresh(self, memo: _Memo) -> None:
        """Verify a value in this revision, or compute it again."""
        if self._announced:
            raise Cancelled
        if memo.deps is None or self._stale(memo.deps, memo.verified):
            self._compute(memo)
        memo.verified = self.revision
        memo.doubted = False

    def _stale(self, deps: tuple[_Memo, ...], since: int) -> bool:
        """Did one of `deps` change after the revision `since`? Those behind it may not be asked any more."""
        for dep in deps:
            if dep.doubted:
                self._refresh(dep)
            if dep.changed > since:
                return True
        return False

    def _compute(self, memo: _Memo) -> None:
        query, key, known = memo.query, memo.key, memo.deps is not None
        mark = memo if known else (query, key)
        if mark in self._open:
            raise RuntimeError(f"query {query.__name__} rests on itself")
        if not self._asking:
            self._asker = get_ident()
        deps: dict[_Memo, None] = {}
        self._asking.append(deps)
        self._open.add(mark)
        try:
            value = query(self.owner, key)
        finally:
            self._asking.pop()
            self._open.discard(mark)
        self.computed[query.__name__] = self.computed.get(query.__name__, 0) + 1
        if not known or memo.value != value:
            old, memo.value, memo.changed = memo.value, value, self.revision
            if isinstance(memo, _Wall) and memo.members:
                self._enter_or_leave(memo, old ^ value)
        memo.rest_on(tuple(deps))
        if not known:
            self._tables[query][key] = memo

    def _enter_or_leave(self, wall: _Wall, moved: frozenset[Any]) -> None:
        """Put in question what rests on something being in a set that it entered or left."""
        for member in moved:
            memo = wall.members.get(member)
            if memo is not None:
                memo.value, memo.changed = member in wall.value, self.revision
                self._doubt(memo)

    def _is_kept(self, memo: _Memo) -> bool:
        """Does a sweep keep the value even where nothing that is kept rests on it?"""
        if memo.query is None:
            return memo.value is not None
        return memo.verified == self.revision or isinstance(memo, _Wall)

    def sweep(self) -> int:
        """Forget every remembered value that this revision's questions do not rest on, and absent inputs; how many.

        To be called when everything that is wanted has been asked; what is forgotten is computed again when needed.
        Walls stay: they are few, and who rests on a member of one does not name it.
        """
        known = [memo for table in (self._inputs, *self._tables.values()) for memo in table.values()]
        wanted = dict.fromkeys(filter(self._is_kept, known))
        pending = list(wanted)
        for memo in pending:
            memo.users = None
            fresh = [dep for dep in memo.deps or () if dep not in wanted]
            wanted.update(dict.fromkeys(fresh))
            pending += fresh
        for memo in wanted:
            memo.tell(memo.deps or ())
        for memo in known:
            if memo not in wanted:
                memo.users = None
                del (self._tables[memo.query] if memo.query else self._inputs)[memo.key]
            elif isinstance(memo, _Wall):
                memo.members = {member: each for member, each in memo.members.items() if each in wanted}
        return len(known) - len(self._inputs) - sum(map(len, self._tables.values()))
