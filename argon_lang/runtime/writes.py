"""The write pipeline (semantics S7): from a mutation's name and arguments to a durable transaction and its receipt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from argon_lang.engine.governor import Governor
from argon_lang.engine.model import diff
from argon_lang.errors import ArgonError
from argon_lang.ir.module import Mutation
from argon_lang.program.types import UNKNOWN
from argon_lang.runtime.arguments import Given, coerce
from argon_lang.runtime.base import ReadPoint
from argon_lang.runtime.envelopes import HeadDelta, Minted, Receipt
from argon_lang.runtime.options import WriteOptions
from argon_lang.runtime.plans import REFUSALS, Batch, Plan, Single, at_step
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.reload import require_compatible
from argon_lang.runtime.reports import doubt_form, event_form, violation_form
from argon_lang.runtime.shown import Labels, labels_of
from argon_lang.runtime.transact import Performed, perform
from argon_lang.runtime.work import Work
from argon_lang.store.memory import MemoryStore
from argon_lang.store.protocol import DEFAULT, NO_STORE, Reader, Snapshot, Store, WriteTransaction

if TYPE_CHECKING:
    from argon_lang.runtime.service import RuntimeService


def write(service: RuntimeService, name: str, given: Given, options: WriteOptions, governor: Governor) -> Receipt:
    """Run one mutation as one transaction.

    Raises `ARGON_RUNTIME_NOT_FOUND`, `_VALIDATION_FAILED`, `_SIGNATURE_MISMATCH` before anything begins;
    `_WRITE_REFUSED`, `_CHECK_VIOLATION`, domain errors, limits, `_SCHEMA_INCOMPATIBLE`, `_STORE_BUSY` after which
    nothing of it is observable.
    """
    return write_mutation(service, service.served.schema.mutation(name), given, options, governor)


def write_mutation(
    service: RuntimeService, mutation: Mutation, given: Given, options: WriteOptions, governor: Governor
) -> Receipt:
    """The same of a mutation at hand, which need not be one of the module's."""
    snapshot = service.store.snapshot()
    if (replayed := _replayed(snapshot, options)) is not None:
        return replayed
    now = service.now(snapshot)
    point = ReadPoint(now, view=service.served.schema.standpoint(options.standpoint))
    coerce(service.reading(snapshot, point, now, governor), mutation.path, mutation.params, given)
    return _Task(service, Single(mutation, given), options, governor).begin(snapshot)


def write_plan(service: RuntimeService, plan: Plan, options: WriteOptions, governor: Governor) -> Receipt:
    """Run a plan as one transaction. Raises as `write` does."""
    snapshot = service.store.snapshot()
    return _replayed(snapshot, options) or _Task(service, plan, options, governor).begin(snapshot)


def write_batch(
    service: RuntimeService, steps: Sequence[tuple[str, Given]], options: WriteOptions, governor: Governor
) -> Receipt:
    """Run several mutations as one transaction, in order, each seeing the ones before; `result` lists what they yield.

    Raises as `write` does, with the failing step (counted from 1) under `details.batchStep`.
    """
    plan = Batch(tuple((service.served.schema.mutation(name), given) for name, given in steps))
    try:
        return write_plan(service, plan, options, governor)
    except ArgonError as error:
        if "batchStep" in error.details or error.code not in REFUSALS:
            raise
        raise at_step(error, _first_refused(service, plan, options, governor)) from error


def _first_refused(service: RuntimeService, plan: Batch, options: WriteOptions, governor: Governor) -> int:
    """The step that makes the whole one that is refused: the batch up to the step before it would be accepted."""
    tried = replace(options, dry_run=True, key=None)
    for count in range(len(plan.steps) - 1, 0, -1):
        try:
            _Task(service, Batch(plan.steps[:count]), tried, governor).begin(service.store.snapshot())
        except ArgonError as error:
            if error.code not in REFUSALS:
                raise
        else:
            return count + 1
    return 1


def _zeros(count: int) -> bytes:
    return bytes(count)


def _replayed(reader: Reader, options: WriteOptions) -> Receipt | None:
    blob = reader.receipt(options.key) if options.key is not None else None
    if blob is None:
        return None
    return Receipt.model_validate_json(blob).model_copy(update={"replayed": True})


@dataclass(frozen=True, slots=True)
class _Task:
    """One call of what writes, which any store may run."""

    service: RuntimeService
    plan: Plan
    options: WriteOptions
    governor: Governor

    def begin(self, snapshot: Snapshot) -> Receipt:
        """Run on the service's store, which is made by its first write that is accepted."""
        if snapshot.store_id != NO_STORE:
            return self.run(self.service.store)
        # It is tried on one in memory, which a dry run stays on.
        rehearsed = self.run(MemoryStore(random=_zeros), rehearsal=True)
        if self.options.dry_run:
            return rehearsed.model_copy(update={"store_id": str(NO_STORE)})
        return self.run(self.service.store)

    def run(self, store: Store, *, rehearsal: bool = False) -> Receipt:
        """Under the store's exclusive transaction; the clock is read there, so that transactions follow it in order."""
        with store.write(self.service.clock()) as writer:
            if (replayed := _replayed(writer, self.options)) is not None:
                return replayed
            now = self.service.now(writer)
            writer.set_instant(now)
            pipeline = _Pipeline(self.service, writer, store.snapshot(), now, self.options, self.governor)
            return pipeline.run(self.plan, commit=not (rehearsal or self.options.dry_run))


@dataclass(frozen=True, slots=True)
class _Pipeline:
    """One write under the store's exclusive transaction. `snapshot` is the state it began from."""

    service: RuntimeService
    writer: WriteTransaction
    snapshot: Snapshot
    now: datetime
    options: WriteOptions
    governor: Governor

    def run(self, plan: Plan, *, commit: bool) -> Receipt:
        require_compatible(self.service.served, self.writer, self.now, self.governor)
        work = self.work(self.before(self.now))
        performed = perform(work, self.before, plan.action(work))
        receipt = self.receipt(work, plan, performed)
        if commit:
            self.writer.set_module_hash(self.service.served.module_hash)
            data = receipt.model_dump_json(by_alias=True).encode()
            generation = self.writer.generation + 1
            self.writer.commit(key=self.options.key, receipt=data, ends=plan.ends)
            self.carry(work, generation)
        return receipt

    def work(self, before: Reading) -> Work:
        principal = self.options.principal or self.service.principal
        return Work(self.service.served, self.writer, self.now, principal, self.governor, before)

    def carry(self, work: Work, generation: int) -> None:
        """Let the next reader, and the next write, start from the state that this one left."""
        changes = [event.change for event in work.events]
        if work.before is not None and all(change.standpoint == DEFAULT for change in changes):
            edges = (edge for change in changes for edge in (change.valid_from, change.valid_to) if edge is not None)
            self.service.models.carry(work.before, work.reading, generation, edges)

    def before(self, instant: datetime) -> Reading:
        view = self.service.served.schema.standpoint(self.options.standpoint)
        return self.service.reading(self.snapshot, ReadPoint(instant, view=view), self.now, self.governor)

    def receipt(self, work: Work, plan: Plan, performed: Performed) -> Receipt:
        labels, dry = labels_of(work.reading), self.options.dry_run
        return Receipt(
            tx=None if dry else self.writer.tx,
            dry_run=dry,
            generation=self.writer.generation + (0 if dry else 1),
            store_id=str(self.writer.store_id),
            minted=[
                Minted(entity=made.entity.id, concept=made.concept, label=labels.of(made.entity))
                for made in work.minted
            ],
            events=[event_form(labels, event) for event in work.events],
            derived_delta=self.delta(work, labels) if self.options.include_delta else None,
            diagnostics=[
                *(violation_form(after, found) for after, found in performed.fresh),
                *(doubt_form(labels, *doubt) for doubt in work.doubts.items()),
            ],
            emitted=[{"name": name, "value": labels.wire(value, UNKNOWN)} for name, value in work.emitted],
            result=plan.shown(labels, performed.result),
            module_hash=self.service.served.module_hash,
        )

    def delta(self, work: Work, labels: Labels) -> dict[str, HeadDelta]:
        """What the write made derivable and what ceased to be, now, by predicate key; labels of the new state."""
        before, schema = self.before(self.now), self.service.served.schema
        old = labels_of(before)
        return {
            key: HeadDelta(
                added=[labels.fact(key, row) for row in change.added],
                removed=[old.fact(key, row) for row in change.removed],
            )
            for key, change in diff(before.model, work.reading.model).items()
            if key in schema.concluded
        }
