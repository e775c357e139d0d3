"""A reader of one state: base facts at a read point, derived facts by evaluation when first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from argon_lang.engine.exprs import Context, evaluate_expression
from argon_lang.engine.governor import Governor
from argon_lang.engine.model import Model, evaluate
from argon_lang.engine.order import sort_key
from argon_lang.ir.expr import Expr
from argon_lang.ir.lattice import layers_of
from argon_lang.ir.rules import Rule
from argon_lang.ir.values import Row, TupleValue, Value
from argon_lang.runtime.base import Base, ReadPoint, base_facts
from argon_lang.runtime.opening import Known, addressed
from argon_lang.runtime.questions import ask
from argon_lang.runtime.served import Served
from argon_lang.store.protocol import Reader, Record
from argon_lang.store.view import holds

if TYPE_CHECKING:
    from argon_lang.runtime.models import Models


class Reading:
    """Implements the engine's `State`: what expressions in statements, projections and reports may read.

    `clock` is what `today()` and `now()` say. `governor` watches the one request that this reading serves.
    """

    def __init__(
        self,
        served: Served,
        base: Base,
        point: ReadPoint,
        clock: datetime,
        governor: Governor,
        *,
        reader: Reader,
        model: Model | None = None,
        after: Model | None = None,
        solving: Model | None = None,
        models: Models | None = None,
    ) -> None:
        """Read this state; nothing is evaluated yet.

        `reader` is where the leaves of proofs learn of their events. `model` may be given when it is known already;
        else `after`, an earlier model that makes evaluating this one cheaper. `solving` has the rows that queries range
        over, when they are not those of the model: its possible estimate. `models` remembers what is evaluated of the
        reader's other states; None inside a transaction, whose states are nobody else's.
        """
        self.reader = reader
        self.served = served
        self.base = base
        self.point = point
        self.clock = clock
        self.governor = governor
        self._given = model
        self._after = after
        self._solving = solving
        self._models = models

    @cached_property
    def model(self) -> Model:
        """Everything derived from the base facts."""
        if self._given is not None:
            return self._given
        return evaluate(self.served.program, self.base.rows, self.clock, self.governor, after=self._after)

    @property
    def solving(self) -> Model:
        """The rows that queries range over."""
        return self._solving or self.model

    def upper(self) -> Reading:
        """The same state, in which queries range over the rows that hold or might; values are those of this one."""
        return self._over(self.model.upper())

    def opposite(self) -> Reading:
        """The same state with the estimates changed over: what a query takes away is asked there."""
        return self._over(self.model if self._solving is not None else self.model.upper())

    def _over(self, solving: Model) -> Reading:
        if solving is self.solving:
            return self
        return Reading(
            self.served,
            self.base,
            self.point,
            self.clock,
            self.governor,
            reader=self.reader,
            model=self.model,
            solving=solving if solving is not self.model else None,
            models=self._models,
        )

    @property
    def evaluated(self) -> Model | None:
        """The model if it is known by now."""
        known: Model | None = self.__dict__.get("model", self._given)
        return known

    @property
    def latest_model(self) -> Model | None:
        """The model if it is known by now, else the earlier one that was handed in."""
        return self.evaluated or self._after

    @cached_property
    def context(self) -> Context:
        """The engine's evaluation context over this state."""
        return Context(self.clock, self.governor, self)

    @cached_property
    def layers(self) -> tuple[str, ...]:
        """What its view reads."""
        return layers_of(self.served.module.standpoints, self.point.view)

    @cached_property
    def records(self) -> Mapping[tuple[str, Row], Record]:
        """The logged support for facts that holds at the read point; of several for one fact the earliest."""
        return self._logged("fact")

    @cached_property
    def denials(self) -> Mapping[tuple[str, Row], Record]:
        """The logged support against facts that holds at the read point; of several for one fact the earliest."""
        return self._logged("against")

    def _logged(self, kind: str) -> Mapping[tuple[str, Row], Record]:
        found: dict[tuple[str, Row], Record] = {}
        for record in self.reader.records(self.point.tx):
            if record.kind == kind and record.standpoint in self.layers and holds(record, self.point.valid_at):
                found.setdefault((record.key, record.row), record)
        return found

    @property
    def state(self) -> tuple[str, str, int]:
        """What ids of nodes rest on besides read point and fact: module hash, store id, generation."""
        return self.served.module_hash, str(self.reader.store_id), self.reader.generation

    def remember(self, nodes: Iterable[tuple[str, str, tuple[Value, ...], bool]]) -> None:
        """Note the nodes of a tree that is shown: id, key, row, and whether it is a condition in the proof of that row.

        Those of a state inside a transaction are nobody's to open.
        """
        if self._models is not None:
            state, point = self.state, self.point
            self._models.open_nodes.note((each[0], Known(state, point, *each[1:])) for each in nodes)

    def address(self, id_: str, key: str, row: tuple[Value, ...]) -> str:
        """The id of a node of this state that is left shut, by which any process can open it."""
        return addressed(id_, Known(self.state, self.point, key, row))

    def at(self, point: ReadPoint) -> Reading:
        """The same store at another read point."""
        if self._models is not None:
            return self._models.reading(self.served, self.reader, point, self.clock, self.governor)
        base = base_facts(self.served.module, self.reader, point)
        return Reading(self.served, base, point, self.clock, self.governor, reader=self.reader, after=self.latest_model)

    def value(self, expr: Expr, env: Mapping[str, Value]) -> Value:
        """The value of a state expression under these locals. Raises domain errors, limits."""
        names, run = self.served.expression(expr)
        return evaluate_expression(run, self.context, *(env[name] for name in names))

    def shown(self, expr: Expr, env: Mapping[str, Value]) -> Value:
        """The same of an expression whose value is only shown: a field that is absent, though required, shows as none.

        A fact may omit fields (language §3.7); that makes no answer and no report unspeakable.
        """
        return self.value(self.served.lenient(expr), env)

    def field(self, key: str, entity: Value) -> tuple[Value, ...]:
        """The values of a field of one individual or relation tuple, in value order; empty when absent.

        A navigation view is derived; the others are read from the base facts alone.
        """
        subject = field_subject(key, entity)
        stored = key in self.served.schema.fields
        values = [row[1] for row in (self.base.about(key, subject) if stored else self.model.lookup(key, {0: subject}))]
        return tuple(sorted(values, key=sort_key)) if len(values) > 1 else tuple(values)

    def holds(self, key: str, arguments: Sequence[Value]) -> bool:
        """Is there a row with these columns? None stands for any value."""
        return self.model.holds(key, tuple(arguments))

    def solutions(self, rule: Rule, arguments: Sequence[Value]) -> Sequence[Row]:
        """The distinct head rows of a rule whose inputs have these values."""
        return self.model.solve(rule, dict(zip(rule.inputs, arguments, strict=True)), self.governor)

    def query(self, path: str, arguments: Sequence[Value]) -> Value:
        """The answer of a declared query: a tuple of rows, one row, or None, by its result type."""
        query = self.served.schema.queries[path]
        rows: Sequence[Row] = ask(self, query, tuple(arguments))
        shown = [row[0] if query.single else row for row in rows]
        if query.result == "many":
            return tuple(shown)
        return shown[0] if shown else None


def field_subject(key: str, subject: Value) -> Value:
    """An individual as the subject of a field; of a relation tuple, the tuple of the relation that declares it.

    A tuple of a sub-relation is the parent tuple (language §3.3), so its inherited fields are the parent's.
    """
    if isinstance(subject, TupleValue):
        return TupleValue(key.rpartition(".")[0], subject.ends)
    return subject
