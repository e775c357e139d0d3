"""The executor of rows: generated Python, tuple at a time over indexes of dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from argon_lang.engine.compiled import CompiledRule, Environment, naming
from argon_lang.engine.relations import Ids


class Tuples:
    """Runs the rules of one component, round by round."""

    def __init__(self, environment: Environment, delta: Mapping[str, Collection[Ids]]) -> None:
        """`delta`: the rows of the round before, by key."""
        self._environment = environment
        self._delta = dict(delta)
        self._pending: dict[str, dict[Ids, int]] = {}
        self._bound: dict[tuple[int, int], Callable[..., None]] = {}

    def derive(self, compiled: CompiledRule, code: int, first: int | None = None, key: str = "") -> None:
        """Run a rule, its literal `first` on the delta of `key`; note with `code` what no earlier rule has derived."""
        environment = self._environment
        count, head = environment.space.count, compiled.rule.key
        if not all(count(read) for _, read in compiled.positive):
            return
        out: set[Ids] = set()
        with naming(compiled.rule):
            self._runner(compiled, first)(out, self._delta.get(key))
        new = out.difference(environment.space.relation(head, len(compiled.rule.terms)).rows)
        if head in environment.barred:
            new.difference_update(environment.barred[head])
        noted = self._pending.get(head)
        if noted is None:
            self._pending[head] = dict.fromkeys(new, code)
        else:
            noted.update(dict.fromkeys(new.difference(noted), code))

    def _runner(self, compiled: CompiledRule, first: int | None) -> Callable[..., None]:
        """The code of a rule that reads the delta, bound once for all rounds."""
        if first is None:
            return compiled.deriver(self._environment)
        label = (id(compiled), first)
        found = self._bound.get(label)
        if found is None:
            found = self._bound[label] = compiled.deriver(self._environment, first)
        return found

    def commit(self) -> dict[str, int]:
        """Add the rows of a round; they are the next round's delta. How many there are by key."""
        environment, self._delta = self._environment, {}
        for key, rows in self._pending.items():
            if rows:
                environment.context.governor.derived(len(rows))
                environment.space.relations[key].extend(rows, environment.context.governor.tick)
                self._delta[key] = rows
        self._pending = {}
        return self.sizes()

    def sizes(self) -> dict[str, int]:
        """How many rows the delta has by key."""
        return {key: len(rows) for key, rows in self._delta.items()}

    def restart(self, keys: Iterable[str]) -> dict[str, int]:
        """All rows of these keys are the delta."""
        relations = self._environment.space.relations
        self._delta = {key: relations[key].rows.keys() for key in keys if len(relations[key])}
        return self.sizes()

    def delta(self) -> Mapping[str, Collection[Ids]]:
        """The rows of the round before, by key."""
        return self._delta

    def settle(self) -> None:
        """Give back what only deriving needs."""
        self._bound = {}
