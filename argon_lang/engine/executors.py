"""Which executor runs a component: rows, or columns for what is large. Both derive the same rows with the same codes.

Columns cost something per rule and round, and what they derive costs something again once it is read as rows; rows cost
something per row. How large a component is shows as it goes, so it may change over at the end of any round: once what
the other executor would have saved comes to what changing over costs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, Protocol

from argon_lang.engine.compiled import DOMAIN_ERRORS, CompiledRule, Environment
from argon_lang.engine.program import Unit
from argon_lang.engine.relations import Ids, large
from argon_lang.engine.tuples import Tuples
from argon_lang.engine.walk import matches, negations
from argon_lang.errors import ArgonError
from argon_lang.ir.rules import Match, Not, Test

Choice = Literal["rows", "columns"]
_FORCED: ContextVar[Choice | None] = ContextVar("argon_executor", default=None)
_WORTH = 16_384
"""Changing over is not thought of for less than this."""
_DEEP = 20
_NEVER = 1 << 20
_SMALL_ROUND = 256
"""A round of fewer rows is quicker in rows."""


class Outgrown(Exception):
    """More values are numbered than the columns have room for. Never leaves the engine."""


Work = tuple[CompiledRule, int, int | None, str]
"""What `Executor.derive` takes."""


class Executor(Protocol):
    """Runs the rules of one component, round by round."""

    def derive(self, compiled: CompiledRule, code: int, first: int | None = None, key: str = "") -> None:
        """Run a rule, its literal `first` on the delta of `key`; note with `code` what no earlier rule has derived."""

    def commit(self) -> dict[str, int]:
        """Add the rows of a round; they are the next round's delta. How many there are by key."""

    def restart(self, keys: Iterable[str]) -> dict[str, int]:
        """All rows of these keys are the delta. How many there are by key."""

    def delta(self) -> Mapping[str, Collection[Ids]]:
        """The rows of the round before, by key."""

    def settle(self) -> None:
        """Give back what only deriving needs."""


@contextmanager
def forced(choice: Choice | None) -> Iterator[None]:
    """Whatever is evaluated inside runs in this executor, where it can: for tests and measurements."""
    token = _FORCED.set(choice)
    try:
        yield
    finally:
        _FORCED.reset(token)


class Runner:
    """Runs the rounds of one component, each in the executor that fits."""

    def __init__(self, environment: Environment, unit: Unit, rules: Iterable[CompiledRule]) -> None:
        """Choose by the rows that are there. `rules` are those that will run."""
        self._environment = environment
        self._heads = {rule.rule.key: len(rule.rule.terms) for rule in rules}
        self._reads = unit.reads
        self._widest, self._computes = _shape(rules)
        self._owed = 0
        self._patience = 1
        self._executor: Executor = Tuples(environment, {})
        if self._wants_columns(self._size()):
            self._to_columns()

    def round(self, work: Iterable[Work]) -> dict[str, int]:
        """Run one round; how many rows it derived, by key."""
        listed = tuple(work)
        while not self._done(listed):
            pass
        sizes = self._executor.commit()
        self._reconsider(sum(sizes.values()))
        return sizes

    def restart(self, keys: Iterable[str]) -> dict[str, int]:
        """Let all rows of these keys be the delta; how many there are by key."""
        return self._executor.restart(keys)

    def finish(self) -> None:
        """Give back what only deriving needs."""
        self._executor.settle()

    def _done(self, work: tuple[Work, ...]) -> bool:
        """Run one round; False when it has to be run again in another executor.

        Rows tell an error as they always do, so what fails in columns is run again there.
        """
        try:
            for each in work:
                self._executor.derive(*each)
        except Outgrown:
            delta = self._executor.delta()
            self._executor = Tuples(self._environment, delta)
            self._to_columns()
        except ArgonError as error:
            if isinstance(self._executor, Tuples) or error.code not in DOMAIN_ERRORS:
                raise
            self._to_rows()
        else:
            return True
        return False

    def _size(self) -> int:
        """The rows that the component reads or has."""
        return sum(map(self._environment.space.count, self._reads))

    def _wants_columns(self, rows: int) -> bool:
        choice = _FORCED.get()
        return large(rows // self._patience) if choice is None else choice == "columns"

    def _reconsider(self, derived: int) -> None:
        """Change over when the other executor would have saved what that costs."""
        in_rows = isinstance(self._executor, Tuples)
        self._owed += max(derived - _SMALL_ROUND if in_rows else _SMALL_ROUND - derived, 0)
        if _FORCED.get() is not None or self._owed < _WORTH:
            return
        if in_rows and self._wants_columns(self._owed) and 4 * self._owed > self._size():
            self._to_columns()
        elif not in_rows and self._owed > self._size() * self._patience:
            self._to_rows()

    def _to_rows(self) -> None:
        self._executor = Tuples(self._environment, self._executor.delta())
        self._changed()

    def _to_columns(self) -> None:
        """Go on in columns, unless a row has no room in a word."""
        from argon_lang.engine.columns.executor import Columns  # numpy is slow to import
        from argon_lang.engine.columns.packing import Layout

        values = len(self._environment.interner.values)
        layout = Layout(max((2 * values if self._computes else values).bit_length(), 1))
        if self._allowed() and layout.fits(self._widest):
            self._executor = Columns(self._environment, layout, self._heads, self._executor.delta())
        self._changed()

    def _changed(self) -> None:
        self._owed, self._patience = 0, 2 * self._patience

    def _allowed(self) -> bool:
        """Are these rows of one estimate, of which none is barred?"""
        return self._environment.mode is None and not self._environment.barred


def _shape(rules: Iterable[CompiledRule]) -> tuple[int, bool]:
    """The columns of the widest row of some rules, and whether they compute values."""
    widest, computes = 0, False
    for compiled in rules:
        body = compiled.rule.body
        arities = (len(match.terms) for match, _ in matches(body))
        widest = max(widest, len(compiled.rule.terms), *arities, 0)
        computes = computes or any(not isinstance(literal, Match | Not | Test) for literal in body)
        if negations(body) > _DEEP:
            widest = _NEVER
    return widest, computes
