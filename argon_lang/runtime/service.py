"""RuntimeService: one served module and one store, and every question and write put to them (artifact.md §5).

Safe to call from many threads. A read takes a snapshot and holds no lock while it reasons; a write holds the store's
exclusive transaction and nothing else. Every refusal is an `ArgonError`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TypeVar

from argon_lang.engine.governor import Governor, Limits
from argon_lang.ir.module import Check, Mutation, Query
from argon_lang.program.types import Type, show
from argon_lang.runtime.across import across
from argon_lang.runtime.arguments import Given, coerce, instant
from argon_lang.runtime.base import ReadPoint, base_facts
from argon_lang.runtime.envelopes import Answer, Column, Explanation, Receipt, Versioned, Violations
from argon_lang.runtime.guard import violations
from argon_lang.runtime.models import Models
from argon_lang.runtime.options import PLAIN, SHALLOW, Depth, Proofs, WriteOptions
from argon_lang.runtime.questions import at_query
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.reload import require_compatible
from argon_lang.runtime.served import Served
from argon_lang.runtime.shown import as_of as shown_as_of
from argon_lang.runtime.shown import labels_of
from argon_lang.runtime.truth import Told, answered, forms, hidden, told
from argon_lang.runtime.wholes import derived_heads, derived_model, too_large
from argon_lang.runtime.wires import Computed, DerivedModel, ForkDiff, ForkList, ForkReport, LogReport, Suggestions
from argon_lang.store.protocol import MAIN, Reader, Snapshot, Store

A = TypeVar("A", bound=Versioned)
Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The machine's clock, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class At:
    """Where to read: `valid` is a date or date-time as text (None: now), `tx` a transaction (None: the head).

    `standpoint` names the view, by path or short name (None: the default layer alone).
    """

    valid: str | None = None
    tx: int | None = None
    standpoint: str | None = None


NOW = At()


@dataclass
class RuntimeService:
    """See the module's docstring. `principal` is who writes unless a call says otherwise; `clock` is injectable."""

    served: Served
    store: Store
    clock: Clock = system_clock
    limits: Limits = field(default_factory=Limits)
    principal: str = "user:unknown"
    models: Models = field(default_factory=Models)
    inputs_digest: str | None = None
    _fitting: tuple[str, int] | None = None

    def _rested(self, answer: A) -> A:
        """The answer with the inputs that the module was compiled from."""
        return answer.model_copy(update={"inputs_digest": self.inputs_digest})

    def governor(self) -> Governor:
        """A governor for one request."""
        return Governor(self.limits)

    def now(self, reader: Reader) -> datetime:
        """The clock's instant, never before the last transaction's: a read always sees what was written."""
        return max([self.clock(), *(transaction.instant for transaction in reader.transactions(reader.head - 2))])

    def reading(
        self, snapshot: Snapshot, point: ReadPoint, now: datetime, governor: Governor, *, passing: bool = False
    ) -> Reading:
        """A reading of a snapshot, for one query only with `passing`.

        Raises `ARGON_RUNTIME_SCHEMA_INCOMPATIBLE` when the module does not fit it.
        """
        self._require_compatible(snapshot, now, governor)
        return self.models.reading(self.served, snapshot, point, now, governor, passing=passing)

    def _require_compatible(self, snapshot: Snapshot, now: datetime, governor: Governor) -> None:
        """Compare module and store once per generation; only what did fit is remembered."""
        state = (str(snapshot.store_id), snapshot.generation)
        if snapshot.module_hash not in ("", self.served.module_hash) and self._fitting != state:
            require_compatible(self.served, snapshot, now, governor)
            self._fitting = state

    def read(
        self, at: At = NOW, governor: Governor | None = None, *, passing: bool = False
    ) -> tuple[Snapshot, Reading]:
        """The state at a read point. Raises `ARGON_RUNTIME_VALIDATION_FAILED` for a point that is none."""
        snapshot = self.store.snapshot()
        now = self.now(snapshot)
        view = self.served.schema.standpoint(at.standpoint)
        point = ReadPoint(instant(at.valid) if at.valid is not None else now, at.tx, view)
        return snapshot, self.reading(snapshot, point, now, governor or self.governor(), passing=passing)

    def query(
        self,
        name: str,
        given: Given = (),
        at: At = NOW,
        governor: Governor | None = None,
        *,
        truth4: bool | None = None,
    ) -> Answer:
        """The rows of a declared query; with `truth4` (by default where the query says so) also those that are not Is.

        Raises `ARGON_RUNTIME_NOT_FOUND`, `_VALIDATION_FAILED`, `_SIGNATURE_MISMATCH`, `_DERIVE_FAILED`, and limits.
        """
        return self.ask(self.served.schema.query(name), given, at, governor, truth4=truth4)

    def ask(
        self,
        query: Query,
        given: Given = (),
        at: At = NOW,
        governor: Governor | None = None,
        *,
        truth4: bool | None = None,
        proofs: Proofs | None = None,
    ) -> Answer:
        """The same of a query at hand, which need not be one of the module's; with `proofs`, why each row is there."""
        snapshot, reading = self.read(at, governor, passing=True)
        arguments = coerce(reading, query.path, query.params, given)
        excluded: int | None = None
        if query.extent is not None:
            columns = list(self.served.schema.predicates[query.extent].columns)
            state = at_query(reading, query, arguments)
            rows = across(reading, query, arguments) if query.across else told(state, query.extent)
        else:
            columns = [(column, ty) for column, ty, _ in query.columns]
            rows, excluded = answered(reading, query, arguments)
        answer = self._answer(snapshot, reading, columns, rows, query.truth4 if truth4 is None else truth4, excluded)
        if proofs is None:
            return answer
        from argon_lang.runtime.because import of_key, of_query, proved

        state = at_query(reading, query, arguments)
        whole = query.extent is not None and not query.across
        because = of_key(state, str(query.extent), proofs) if whole else of_query(reading, query, arguments, proofs)
        return proved(answer, rows, because, proofs)

    def derive(
        self,
        head: str,
        at: At = NOW,
        governor: Governor | None = None,
        *,
        truth4: bool | None = None,
        proofs: Proofs | None = None,
    ) -> Answer:
        """Every row of a derived predicate, concept, relation, or check; with `truth4` also those that are not Is."""
        shape = self.served.schema.head(head)
        snapshot, reading = self.read(at, governor)
        rows = told(reading, shape.key)
        answer = self._answer(snapshot, reading, list(shape.columns), rows, truth4 or False)
        if proofs is None:
            return answer
        from argon_lang.runtime.because import of_key, proved

        return proved(answer, rows, of_key(reading, shape.key, proofs), proofs)

    def _answer(
        self,
        snapshot: Snapshot,
        reading: Reading,
        columns: Sequence[tuple[str, Type]],
        rows: Sequence[Told],
        truth4: bool,
        excluded: int | None = None,
    ) -> Answer:
        labels, counted = labels_of(reading), hidden(rows)
        shown = forms(labels, rows, [ty for _, ty in columns], truth4=truth4)
        if len(shown) > self.limits.max_rows:
            raise too_large(len(shown), self.limits.max_rows)
        return Answer(
            columns=[Column(name=name, type=show(ty)) for name, ty in columns],
            rows=shown,
            row_count=len(rows) - counted.can - counted.both - counted.not_,
            hidden=counted,
            excluded=excluded,
            module_hash=self.served.module_hash,
            inputs_digest=self.inputs_digest,
            store_id=str(snapshot.store_id),
            generation=snapshot.generation,
            view=reading.point.view,
            as_of=shown_as_of(reading),
        )

    def mutate(
        self, name: str, given: Given = (), options: WriteOptions = PLAIN, governor: Governor | None = None
    ) -> Receipt:
        """Run a mutation as one transaction. Raises the refusals of `writes.write`."""
        from argon_lang.runtime.writes import write

        return self._rested(write(self, name, given, options, governor or self.governor()))

    def run(
        self, mutation: Mutation, given: Given = (), options: WriteOptions = PLAIN, governor: Governor | None = None
    ) -> Receipt:
        """The same of a mutation at hand, which need not be one of the module's."""
        from argon_lang.runtime.writes import write_mutation

        return self._rested(write_mutation(self, mutation, given, options, governor or self.governor()))

    def batch(
        self,
        steps: Sequence[tuple[str, Given]],
        options: WriteOptions = PLAIN,
        governor: Governor | None = None,
    ) -> Receipt:
        """Run several mutations as one transaction, all or nothing; the failing step is named."""
        from argon_lang.runtime.writes import write_batch

        return self._rested(write_batch(self, steps, options, governor or self.governor()))

    def checks(
        self,
        check: str | None = None,
        at: At = NOW,
        governor: Governor | None = None,
        *,
        proof: Depth | None = None,
        violation: str | None = None,
    ) -> Violations:
        """The violations that stand at a read point, of one check or of all, or the one that is named as a fact.

        With `proof`, each with why it stands.
        """
        from argon_lang.runtime.reports import named_violation, violation_form

        schema = self.served.schema
        snapshot, reading = self.read(at, governor)
        shared = [each for each in schema.checks.values() if each.standpoint in reading.layers]
        wanted: Sequence[Check] = [schema.check(check)] if check is not None else shared
        if violation is not None:
            standing = named_violation(reading, violation)
        else:
            standing = list(violations(reading, wanted))
        found = [violation_form(reading, each, proof) for each in standing]
        return Violations(
            violations=found,
            clean=not found,
            module_hash=self.served.module_hash,
            inputs_digest=self.inputs_digest,
            store_id=str(snapshot.store_id),
            generation=snapshot.generation,
            view=reading.point.view,
            as_of=shown_as_of(reading),
        )

    def explain(self, fact: str, at: At = NOW, depth: Depth = SHALLOW, governor: Governor | None = None) -> Explanation:
        """The proof of a fact written as text, or its why-not tree when it does not hold."""
        from argon_lang.runtime.explain import explain

        snapshot, reading = self.read(at, governor, passing=True)
        return self._rested(explain(snapshot, reading, fact, depth))

    def expand(self, node: str, depth: Depth = SHALLOW, governor: Governor | None = None) -> Explanation:
        """The tree under a node of an explanation of this service. Raises `ARGON_RUNTIME_STALE_PROOF`."""
        from argon_lang.runtime.explain import opened

        snapshot, watch = self.store.snapshot(), governor or self.governor()
        state = (self.served.module_hash, str(snapshot.store_id), snapshot.generation)
        known = self.models.open_nodes.find(node, state)
        reading = self.reading(snapshot, known.point, self.now(snapshot), watch, passing=True)
        return self._rested(opened(snapshot, reading, node, known, depth))

    def suggest(
        self,
        fact: str,
        compiled: Callable[[str], Mutation],
        most: int = 3,
        standpoint: str | None = None,
        governor: Governor | None = None,
    ) -> Suggestions:
        """The smallest changes of base facts that make a fact derivable now, each tried on a throw-away copy.

        `compiled` reads their texts as those of `mutate --eval` are read. Raises as `explain` does.
        """
        from argon_lang.runtime.suggest import suggestions

        watch = governor or self.governor()
        snapshot, reading = self.read(At(standpoint=standpoint), watch)
        return self._rested(suggestions(snapshot, reading, fact, most, compiled, watch))

    def compute(self, fn: str, given: Given = (), at: At = NOW, governor: Governor | None = None) -> Computed:
        """The value of a declared function. Raises as `query` does."""
        from argon_lang.runtime.compute import compute

        snapshot, reading = self.read(at, governor, passing=True)
        return self._rested(compute(snapshot, reading, self.served.schema.function(fn), given))

    def whole(
        self, heads: Sequence[str] | None = None, at: At = NOW, governor: Governor | None = None, *, k3: bool = False
    ) -> DerivedModel:
        """The whole derived model, or these heads of it, in one evaluation."""
        shapes = derived_heads(self.served.schema, heads)
        snapshot, reading = self.read(at, governor)
        return self._rested(derived_model(snapshot, reading, shapes, most=self.limits.max_rows, k3=k3))

    def on_fork(self, handle: str | None) -> RuntimeService:
        """The same service on a fork; on its own branch for None and `main`. Raises `ARGON_RUNTIME_FORK_NOT_FOUND`."""
        if handle in (None, MAIN):
            return self
        return replace(self, store=self.store.branch(str(handle), self.clock()), _fitting=None)

    def create_fork(self, name: str, *, principal: str | None = None, ephemeral: bool = False) -> ForkReport:
        """A fork of this branch at its head. Raises `ARGON_RUNTIME_VALIDATION_FAILED`, `_STORE_BUSY`."""
        from argon_lang.runtime.forks import fork_form, named

        instant, who = self.now(self.store.snapshot()), principal or self.principal
        made = self.store.create_fork(named(name), instant, principal=who, ephemeral=ephemeral)
        return ForkReport(fork=fork_form(made), store_id=str(made.store_id), generation=made.generation)

    def forks(self) -> ForkList:
        """The forks of the store."""
        from argon_lang.runtime.forks import fork_form

        snapshot = self.store.snapshot()
        listed = [fork_form(each) for each in self.store.forks()]
        return ForkList(forks=listed, store_id=str(snapshot.store_id), generation=snapshot.generation)

    def fork_diff(self, handle: str, governor: Governor | None = None) -> ForkDiff:
        """What a fork changed, against its parent at the fork point. Raises `ARGON_RUNTIME_FORK_NOT_FOUND`."""
        from argon_lang.runtime.forks import diff

        return diff(self, handle, governor or self.governor())

    def abort_fork(self, handle: str) -> ForkReport:
        """End a fork: nothing of it stays. Raises `ARGON_RUNTIME_FORK_NOT_FOUND`."""
        from argon_lang.runtime.forks import find_fork, fork_form

        fork = find_fork(self.store, handle)
        self.store.abort_fork(handle)
        snapshot = self.store.snapshot()
        return ForkReport(
            fork=fork_form(fork), ended=True, store_id=str(snapshot.store_id), generation=snapshot.generation
        )

    def promote_fork(
        self, handle: str, expected: str, options: WriteOptions = PLAIN, governor: Governor | None = None
    ) -> Receipt:
        """Replay a fork on its parent as one transaction and end it; `expected` is the hash of its diff."""
        from argon_lang.runtime.forks import promote

        return self._rested(promote(self, handle, expected, options, governor or self.governor()))

    def log(
        self, about: str | None = None, *, since_tx: int = 0, after: str | None = None, size: int = 100
    ) -> LogReport:
        """A page of the event history; it is told whether or not the module fits the store."""
        from argon_lang.runtime.history import history

        snapshot = self.store.snapshot()
        now = self.now(snapshot)
        base = base_facts(self.served.module, snapshot, ReadPoint(now))
        reading = Reading(self.served, base, ReadPoint(now), now, self.governor(), reader=snapshot)
        return self._rested(history(snapshot, reading, about, since_tx=since_tx, after=after, size=size))
