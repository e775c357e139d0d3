"""The executor of columns: runs the rules of one component over packed rows, many at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from argon_lang.engine.columns.bodies import Body, Maker
from argon_lang.engine.columns.packing import Column, Layout
from argon_lang.engine.columns.table import Table, packed
from argon_lang.engine.columns.values import Values
from argon_lang.engine.compiled import CompiledRule, Environment
from argon_lang.engine.relations import Ids


class Columns:
    """See the module's docstring. The same interface, rows and codes as `tuples.Tuples`."""

    def __init__(
        self, environment: Environment, layout: Layout, heads: Mapping[str, int], delta: Mapping[str, Collection[Ids]]
    ) -> None:
        """`heads`: the keys that are derived, with their arities. `delta`: the rows of the round before, by key."""
        tick = environment.context.governor.tick
        self._environment = environment
        self._values = Values(environment, layout)
        self._heads: dict[str, Table] = {
            key: environment.space.relation(key, arity).growing(layout, tick) for key, arity in heads.items()
        }
        self._delta = {key: packed(layout, heads[key], rows, tick) for key, rows in delta.items()}
        self._pending: dict[str, list[tuple[int, Column]]] = {}
        self._bodies: dict[tuple[int, int | None, int], Body] = {}

    @property
    def layout(self) -> Layout:
        """How rows are packed."""
        return self._values.layout

    def derive(self, compiled: CompiledRule, code: int, first: int | None = None, key: str = "") -> None:
        """Run a rule, its literal `first` on the delta of `key`; note with `code` what no earlier rule has derived.

        Raises `Outgrown`, and the domain errors of expressions.
        """
        count, rule = self._environment.space.count, compiled.rule
        if not all(count(read) for _, read in compiled.positive):
            return
        body = self._body(compiled, first)
        head, terms = self._heads[rule.key], [self._values.part(term) for term in rule.terms]
        tick, made, found = self._environment.context.governor.tick, 0, []
        for frame in body.whole() if first is None else body.over(self._delta[key]):
            parts = [frame.columns[part] if isinstance(part, str) else part for part in terms]
            fresh = head.fresh(self.layout.pack(parts, frame.size))
            if len(fresh):
                found.append(fresh)
                made += len(fresh)
                tick(made)
        if found:
            words = found[0] if len(found) == 1 else np.sort(np.concatenate(found))
            self._pending.setdefault(rule.key, []).append((code, words))

    def commit(self) -> dict[str, int]:
        """Add the rows of a round; they are the next round's delta. How many there are by key."""
        self._delta = {}
        for key, batches in self._pending.items():
            for code, words in batches:
                self._environment.context.governor.derived(len(words))
                self._heads[key].add(words, code)
            self._delta[key] = np.concatenate([words for _, words in batches]) if len(batches) > 1 else batches[0][1]
        self._pending = {}
        return self.sizes()

    def sizes(self) -> dict[str, int]:
        """How many rows the delta has by key."""
        return {key: len(words) for key, words in self._delta.items()}

    def restart(self, keys: Iterable[str]) -> dict[str, int]:
        """All rows of these keys are the delta."""
        self._delta = {key: self._heads[key].words() for key in keys if self._heads[key].count}
        return self.sizes()

    def delta(self) -> dict[str, Collection[Ids]]:
        """The rows of the round before, by key."""
        return {key: list(self._heads[key].tuples(words)) for key, words in self._delta.items()}

    def settle(self) -> None:
        """Give back what only deriving needs."""
        for table in self._heads.values():
            table.settle()

    def _body(self, compiled: CompiledRule, first: int | None) -> Body:
        space = self._environment.space
        plan = compiled.plan(space.count, first, distinct=space.distinct)
        label = (id(compiled), first, id(plan))
        found = self._bodies.get(label)
        if found is None:
            maker = Maker(compiled, self._values, self._table)
            found = self._bodies[label] = maker.body(plan, (), compiled.heads, first is not None)
        return found

    def _table(self, key: str, arity: int) -> Table:
        found = self._heads.get(key)
        if found is not None:
            return found
        return self._environment.space.relation(key, arity).table(self.layout, self._values.tick)
