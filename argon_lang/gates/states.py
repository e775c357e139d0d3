"""States that declared facts alone bring about: when they change, which facts hold then, what expressions read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from argon_lang.engine.governor import Governor
from argon_lang.engine.model import Model
from argon_lang.errors import ArgonError
from argon_lang.ir.module import Fact
from argon_lang.ir.rules import Rule
from argon_lang.ir.values import Row, TupleValue, Value
from argon_lang.problems import args

_ALWAYS = datetime(1970, 1, 1, tzinfo=UTC)


class ModelState:
    """The engine's `State` over a model of declared facts: what a report or a condition may read."""

    def __init__(self, model: Model, governor: Governor) -> None:
        self.model = model
        self.governor = governor

    def field(self, key: str, entity: Value) -> tuple[Value, ...]:
        """The values of a field."""
        owner = key.rpartition(".")[0]
        return self.model.field(key, TupleValue(owner, entity.ends) if isinstance(entity, TupleValue) else entity)

    def holds(self, key: str, arguments: tuple[Value, ...]) -> bool:
        """Is there such a row?"""
        return self.model.holds(key, arguments)

    def solutions(self, rule: Rule, arguments: tuple[Value, ...]) -> Sequence[Row]:
        """The distinct head rows of a rule whose inputs have these values."""
        return self.model.solve(rule, dict(zip(rule.inputs, arguments, strict=True)), self.governor)

    def query(self, path: str, arguments: tuple[Value, ...]) -> Value:
        """Queries are answered at run time only."""
        raise ArgonError("ARGON_RUNTIME_DERIVE_FAILED", args(name=path, found="a query in a report"))


def instants(facts: Iterable[Fact]) -> list[datetime]:
    """Where the set of valid facts changes; one instant before them all."""
    bounds = {instant for fact in facts for instant in (fact.start, fact.end) if instant is not None}
    before = min(bounds, default=_ALWAYS)
    first = before.replace(year=max(1, before.year - 1), day=1) if bounds else before
    return sorted({first, *bounds})


def valid_at(facts: Iterable[Fact], instant: datetime) -> Mapping[str, list[Row]]:
    """The rows that hold at an instant, by key."""
    found: dict[str, list[Row]] = {}
    for fact in facts:
        if (fact.start is None or fact.start <= instant) and (fact.end is None or instant < fact.end):
            found.setdefault(fact.key, []).append(fact.row)
    return found
