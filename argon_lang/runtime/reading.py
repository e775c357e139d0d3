"""A reader of one state: base facts at a read point, derived facts by evaluation when first asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property

from argon_lang.engine.exprs import Context, evaluate_expression
from argon_lang.engine.governor import Governor, Limits
from argon_lang.engine.model import Model, evaluate
from argon_lang.engine.order import sort_key
from argon_lang.ir.expr import Expr
from argon_lang.ir.values import Row, TupleValue, Value
from argon_lang.runtime.base import Base, ReadPoint
from argon_lang.runtime.questions import ask
from argon_lang.runtime.served import Served
from argon_lang.store.protocol import Reader, Record


class Reading:
    """Implements the engine's `State`: what expressions in statements, projections and reports may read.

    `clock` is what `today()` and `now()` say; `model` may be given when it is known already.
    """

    def __init__(
        self,
        served: Served,
        base: Base,
        point: ReadPoint,
        clock: datetime,
        *,
        reader: Reader | None = None,
        governor: Governor | None = None,
        model: Model | None = None,
    ) -> None:
        """Read this state; nothing is evaluated yet. `reader` is where the leaves of proofs learn of their events."""
        self.reader = reader
        self.served = served
        self.base = base
        self.point = point
        self.clock = clock
        self.governor = governor or Governor(Limits())
        self._given = model
        self._indexes: dict[str, Mapping[Value, tuple[Value, ...]]] = {}

    @cached_property
    def model(self) -> Model:
        """Everything derived from the base facts."""
        if self._given is not None:
            return self._given
        return evaluate(self.served.program, self.base, self.clock, self.governor)

    @cached_property
    def context(self) -> Context:
        """The engine's evaluation context over this state."""
        return Context(self.clock, self.governor, self)

    @cached_property
    def records(self) -> Mapping[tuple[str, Row], Record]:
        """The logged records that hold at the read point, by fact."""
        instant, found = self.point.valid_at, self.reader.records(self.point.tx) if self.reader is not None else ()
        return {
            (record.key, record.row): record
            for record in found
            if record.kind == "fact"
            and (record.valid_from is None or record.valid_from <= instant)
            and (record.valid_to is None or instant < record.valid_to)
            and record.tx_to is None
        }

    def value(self, expr: Expr, env: Mapping[str, Value]) -> Value:
        """The value of a state expression under these locals."""
        names, run = self.served.expression(expr)
        return evaluate_expression(run, self.context, *(env[name] for name in names))

    def field(self, key: str, entity: Value) -> tuple[Value, ...]:
        """The values of a field of one individual or relation tuple, in value order; empty when absent."""
        subject = TupleValue(key.rpartition(".")[0], entity.ends) if isinstance(entity, TupleValue) else entity
        return self._index(key).get(subject, ())

    def _index(self, key: str) -> Mapping[Value, tuple[Value, ...]]:
        index = self._indexes.get(key)
        if index is None:
            grouped: dict[Value, list[Value]] = {}
            for subject, value in self.base.get(key, ()):
                grouped.setdefault(subject, []).append(value)
            index = self._indexes[key] = {s: tuple(sorted(vs, key=sort_key)) for s, vs in grouped.items()}
        return index

    def holds(self, key: str, arguments: Sequence[Value]) -> bool:
        """Is there a row with these columns? None stands for any value."""
        return self.model.holds(key, tuple(arguments))

    def query(self, path: str, arguments: Sequence[Value]) -> Value:
        """The answer of a declared query: a tuple of rows, one row, or None, by its result type."""
        query = self.served.schema.queries[path]
        rows: Sequence[Row] = ask(self, query, tuple(arguments))
        shown = [row[0] if query.single else row for row in rows]
        if query.result == "many":
            return tuple(shown)
        return shown[0] if shown else None
