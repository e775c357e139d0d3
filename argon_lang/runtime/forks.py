"""Forks in domain terms: what one changed, whether its parent changed it too, and its way back (semantics S10)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from argon_lang.engine.governor import Governor
from argon_lang.engine.model import diff as model_diff
from argon_lang.errors import ArgonError
from argon_lang.ir.values import Entity, Row, Value
from argon_lang.problems import Note, args
from argon_lang.runtime.arguments import invalid
from argon_lang.runtime.base import ReadPoint
from argon_lang.runtime.envelopes import HeadDelta, Minted, Receipt, Violation
from argon_lang.runtime.guard import Found, brought_about, violations
from argon_lang.runtime.options import WriteOptions
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.replaying import Replay
from argon_lang.runtime.reports import event_form, violation_form
from argon_lang.runtime.shown import Labels, iso, labels_of
from argon_lang.runtime.wires import FieldChange, ForkDiff, ForkForm
from argon_lang.runtime.writes import write_plan
from argon_lang.store.protocol import MAIN, Fork, Reader, Snapshot, Store, Transaction

if TYPE_CHECKING:
    from argon_lang.runtime.service import RuntimeService


def find_fork(store: Store, handle: str) -> Fork:
    """The fork with this handle. Raises `ARGON_RUNTIME_FORK_NOT_FOUND`."""
    for fork in store.forks():
        if fork.handle == handle:
            return fork
    raise ArgonError("ARGON_RUNTIME_FORK_NOT_FOUND", args(name=handle), details={"fork": handle})


def named(name: str) -> str:
    """The name of a fork: words on one line. Raises `ARGON_RUNTIME_VALIDATION_FAILED`."""
    if not name.strip() or len(name) > 80 or not name.isprintable() or name == MAIN:
        raise invalid("name", "a name of 1 to 80 printable characters, not `main`", repr(name[:80]))
    return name.strip()


def state_of(fork: Fork) -> str:
    """Where answers of a fork stand, in words that cannot be taken for the main branch."""
    return f"fork {fork.name} at tx {fork.tx}, {fork.tx - fork.cut} uncommitted"


def fork_form(fork: Fork) -> ForkForm:
    """A fork in wire form."""
    return ForkForm(
        fork=fork.handle,
        name=fork.name,
        state=state_of(fork),
        parent=fork.parent,
        cut=fork.cut,
        tx=fork.tx,
        uncommitted=fork.tx - fork.cut,
        created=iso(fork.created),
        used=iso(fork.used),
        ephemeral=fork.ephemeral,
        principal=fork.principal,
    )


def parent_of(service: RuntimeService, fork: Fork) -> RuntimeService:
    """The service on the branch that a fork left."""
    if fork.parent == MAIN:
        return service
    return replace(service, store=service.store.branch(fork.parent, fork.used))


def diff(service: RuntimeService, handle: str, governor: Governor) -> ForkDiff:
    """What a fork changed. Raises `ARGON_RUNTIME_FORK_NOT_FOUND`, what reading does, limits."""
    fork = find_fork(service.store, handle)
    branch = service.store.branch(handle, service.clock()).snapshot()
    parent = parent_of(service, fork).store.snapshot()
    return _Diff(service, fork, branch, parent, service.now(branch), governor).made()


def promote(service: RuntimeService, handle: str, expected: str, options: WriteOptions, governor: Governor) -> Receipt:
    """Replay what a fork recorded on its parent as one transaction, through all gates, and end the fork with it.

    Raises `ARGON_RUNTIME_VALIDATION_FAILED` when `expected` is not the hash of the diff as it is now,
    `_FORK_CONFLICT` when the parent changed what the fork changed, and the refusals of a write.
    """
    fork = find_fork(service.store, handle)
    target = parent_of(service, fork)
    told = diff(service, handle, governor)
    if told.conflicts:
        raise _conflict(fork, told.conflicts)
    if told.diff_hash != expected:
        raise _moved(expected)
    branch = service.store.branch(handle, service.clock()).snapshot()
    plan = Replay(tuple(branch.transactions(fork.cut)), fork, told.parent_tx)
    return write_plan(target, plan, options, governor).model_copy(update={"promoted_from": fork.name})


def _moved(expected: str) -> ArgonError:
    found = expected if len(expected) <= 80 else f"{expected[:80]}…"
    return ArgonError(
        "ARGON_RUNTIME_VALIDATION_FAILED",
        args(name="expectDiffHash", expected="the hash of the diff as it is now", found=found),
        details={"argument": "expectDiffHash"},
        retryable=False,
    )


def _conflict(fork: Fork, conflicts: list[str]) -> ArgonError:
    return ArgonError(
        "ARGON_RUNTIME_FORK_CONFLICT",
        args(name=fork.name, candidates=", ".join(conflicts[:5])),
        details={"fork": fork.handle, "conflicts": conflicts},
        notes=(Note("rebase"),),
    )


@dataclass(frozen=True)
class _Diff:
    """One comparison: the fork now, and its parent as it was at the fork point, both at `now` of valid time."""

    service: RuntimeService
    fork: Fork
    branch: Snapshot
    parent: Snapshot
    now: datetime
    governor: Governor

    def made(self) -> ForkDiff:
        """The diff with its hash."""
        before, after = self.reading(self.fork.cut), self.reading(None)
        old, new = labels_of(before), labels_of(after)
        created, fields, added, removed = _base_changes(before, after)
        violated, fixed = _check_changes(before, after)
        body = ForkDiff(
            fork=fork_form(replace(self.fork, tx=self.branch.head)),
            parent_tx=self.parent.head,
            created=created,
            fields=fields,
            added=added,
            removed=removed,
            violated=violated,
            fixed=fixed,
            derived=_derived_changes(before, after, old, new),
            events=[
                event_form(new, event) for each in self.branch.transactions(self.fork.cut) for event in each.events
            ],
            conflicts=self.conflicts(new),
            diff_hash="",
            module_hash=self.service.served.module_hash,
            store_id=str(self.branch.store_id),
            generation=self.branch.generation,
        )
        return body.model_copy(update={"diff_hash": self.hashed(body)})

    def reading(self, tx: int | None) -> Reading:
        """The fork's state at one of its transactions."""
        point = ReadPoint(self.now, tx)
        return self.service.reading(self.branch, point, self.now, self.governor)

    def conflicts(self, labels: Labels) -> list[str]:
        """What both changed since the fork point, as facts with `_` for what may differ."""
        mine = {subject for subject, _ in _written(self.branch, self.fork.cut)}
        theirs = dict.fromkeys(each for each in _written(self.parent, self.fork.cut) if each[0] in mine)
        return list(dict.fromkeys(_told(labels, *subject, width) for subject, width in theirs))

    def hashed(self, body: ForkDiff) -> str:
        """SHA-256 over fork head, parent head and the diff, whenever and by whomever it is asked for."""
        told = body.model_dump(mode="json", exclude={"diff_hash": True, "fork": {"used", "state"}})
        heads = [str(self.parent.store_id), self.parent.head, str(self.branch.store_id), self.branch.head]
        canonical = json.dumps([heads, told], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


Subject = tuple[str, Value]


def _written(reader: Reader, since: int) -> Iterator[tuple[Subject, int]]:
    """The (predicate, subject) pairs of events since a transaction, with the width of their rows."""
    transactions: list[Transaction] = list(reader.transactions(since))
    for transaction in transactions:
        for event in transaction.events:
            row = event.change.row
            yield (event.change.key, row[0] if row else None), len(row)


def _told(labels: Labels, key: str, subject: Value, width: int) -> str:
    return labels.fact(key, (subject, *[None] * (width - 1)) if width else ())


def _base_changes(before: Reading, after: Reading) -> tuple[list[Minted], list[FieldChange], list[str], list[str]]:
    """Individuals created, fields changed, memberships and tuples added and removed."""
    old, new, schema = labels_of(before), labels_of(after), after.served.schema
    created: dict[str, Minted] = {}
    fields: dict[tuple[str, Value], None] = {}
    added, removed = list[str](), list[str]()
    for key in sorted({*before.base.rows, *after.base.rows}):
        gone = [row for row in before.base.of(key) if not after.base.holds(key, row)]
        come = [row for row in after.base.of(key) if not before.base.holds(key, row)]
        if key in schema.fields:
            fields |= dict.fromkeys((key, row[0]) for row in (*gone, *come))
            continue
        for row in come:
            if not _creates(key, row, old, new, created):
                added.append(new.fact(key, row))
        removed += [old.fact(key, row) for row in gone]
    changed = [_field_change(before, after, old, new, *each) for each in fields]
    return list(created.values()), changed, added, removed


def _creates(key: str, row: Row, old: Labels, new: Labels, created: dict[str, Minted]) -> bool:
    """Note an individual that was minted; is this row its making?"""
    entity = row[0] if len(row) == 1 else None
    minted = isinstance(entity, Entity) and entity.id.startswith("#") and key.endswith("^")
    if not minted or not isinstance(entity, Entity) or old.concept(entity) is not None:
        return False
    concept = new.concept(entity) or key.removesuffix("^")
    created[entity.id] = Minted(entity=entity.id, concept=concept, label=new.of(entity))
    return True


def _field_change(before: Reading, after: Reading, old: Labels, new: Labels, key: str, subject: Value) -> FieldChange:
    return FieldChange(
        field=after.served.schema.fields[key].name,
        subject=new.text(subject),
        before=[old.fact(key, row) for row in before.base.about(key, subject)],
        after=[new.fact(key, row) for row in after.base.about(key, subject)],
    )


def _check_changes(before: Reading, after: Reading) -> tuple[list[Violation], list[Violation]]:
    checks = after.served.module.checks
    was: list[Found] = list(violations(before, checks))
    is_now: list[Found] = list(violations(after, checks))
    return (
        [violation_form(after, found) for found in brought_about(was, is_now)],
        [violation_form(before, found) for found in brought_about(is_now, was)],
    )


def _derived_changes(before: Reading, after: Reading, old: Labels, new: Labels) -> dict[str, HeadDelta]:
    schema = after.served.schema
    return {
        key: HeadDelta(
            added=[new.fact(key, row) for row in change.added], removed=[old.fact(key, row) for row in change.removed]
        )
        for key, change in model_diff(before.model, after.model).items()
        if key in schema.concluded and schema.predicates[key].kind != "check"
    }
