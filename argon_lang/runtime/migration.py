"""Bringing a store to another module: facts under new names, facts let go, what still does not fit (artifact.md §3).

A migration is one transaction of the log. What was known under an old name stays known at earlier transaction times;
from the migration on it never was, and the same rows stand under the new name over the same valid time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from argon_lang.engine.governor import Governor
from argon_lang.ir.values import Entity, EnumValue, MapValue, Row, StructValue, TupleValue, Value
from argon_lang.runtime.base import ReadPoint, base_facts
from argon_lang.runtime.envelopes import Violation
from argon_lang.runtime.guard import violations
from argon_lang.runtime.options import WriteOptions
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.reload import misfits, past_misfits
from argon_lang.runtime.reports import violation_form
from argon_lang.runtime.wires import MigratedName, MigrationReport, Misfit
from argon_lang.store.protocol import NO_STORE, Change, Reader, Record, WriteTransaction

if TYPE_CHECKING:
    from argon_lang.runtime.service import RuntimeService

_KEY = re.compile(r"(?P<path>[^.^/!?+*{~-]+)(?P<field>\.[^-^]+)?(?P<rest>.*)")


@dataclass(frozen=True)
class Renames:
    """Old paths with their new ones, and paths to let go.

    They are those of concepts, relations, fields (`pkg::Person.age`), individuals, enums, their variants
    (`pkg::Size::Small`) and structs.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()

    def key(self, key: str) -> str:
        """A predicate key under the new names. A field goes with its owner unless it is named itself."""
        found = _KEY.fullmatch(key)
        if found is None:
            return key
        path, own = found["path"], found["field"] or ""
        renamed = self.names.get(path + own) if own else None
        return (renamed or self.names.get(path, path) + own) + found["rest"]

    def lets_go(self, key: str) -> str | None:
        """The path because of which rows of a key are let go."""
        found = _KEY.fullmatch(key)
        paths = (found["path"] + (found["field"] or ""), found["path"]) if found is not None else ()
        return next((path for path in paths if path in self.dropped), None)

    def row(self, row: Row) -> Row:
        """A row under the new names."""
        return tuple(map(self.value, row))

    def value(self, value: Value) -> Value:
        """A value under the new names."""
        match value:
            case Entity(id_):
                return Entity(self.names.get(id_, id_))
            case EnumValue(path, variant, payload):
                renamed = self.names.get(f"{path}::{variant}", f"::{variant}").rsplit("::", 1)[-1]
                return EnumValue(self.names.get(path, path), renamed, tuple(map(self.value, payload)))
            case StructValue(path, fields):
                named = tuple((self._member(path, name), self.value(part)) for name, part in fields)
                return StructValue(self.names.get(path, path), named)
            case TupleValue(relation, ends):
                return TupleValue(self.names.get(relation, relation), tuple(map(self.value, ends)))
            case MapValue():
                return MapValue(frozenset((self.value(key), self.value(held)) for key, held in value.entries))
            case tuple():
                return tuple(map(self.value, value))
            case frozenset():
                return frozenset(map(self.value, value))
            case _:
                return value

    def _member(self, path: str, name: str) -> str:
        return self.names.get(f"{path}.{name}", name).rpartition(".")[2]

    def named_by(self, key: str, row: Row) -> Iterator[str]:
        """The old paths that a row is renamed by, as far as its key and its values show."""
        found = _KEY.fullmatch(key)
        if found is not None:
            yield from (path for path in (found["path"] + (found["field"] or ""), found["path"]) if path in self.names)
        yield from (path for path in _mentioned(row) if path in self.names)


def _mentioned(value: Value) -> Iterator[str]:
    match value:
        case Entity(id_):
            yield id_
        case EnumValue(path, variant, payload):
            yield from (path, f"{path}::{variant}")
            yield from _mentioned(payload)
        case StructValue(path, fields):
            yield path
            for name, part in fields:
                yield f"{path}.{name}"
                yield from _mentioned(part)
        case TupleValue(relation, ends):
            yield relation
            yield from _mentioned(ends)
        case MapValue():
            yield from (path for pair in value.entries for part in pair for path in _mentioned(part))
        case tuple() | frozenset():
            for part in value:
                yield from _mentioned(part)


def migrate(service: RuntimeService, renames: Renames, options: WriteOptions, governor: Governor) -> MigrationReport:
    """Bring the service's store to its module, unless something still does not fit; then nothing is written.

    Raises `ARGON_RUNTIME_STORE_BUSY`, `_STORE_UNAVAILABLE`. A store that does not exist is left so.
    """
    snapshot = service.store.snapshot()
    now = service.now(snapshot)
    if snapshot.store_id == NO_STORE:
        return _Migration(service, renames, now, governor).report(snapshot, {}, None)
    with service.store.write(service.clock()) as writer:
        now = service.now(writer)
        writer.set_instant(now)
        migration = _Migration(service, renames, now, governor)
        before = misfits(service.served, snapshot, now, governor)
        principal = options.principal or service.principal
        migration.write(writer, principal)
        report = migration.report(writer, before, snapshot.module_hash)
        changed = bool(report.renamed or report.dropped) or snapshot.module_hash != service.served.module_hash
        if options.dry_run or not report.ok or not changed:
            return report
        writer.set_module_hash(service.served.module_hash)
        tx = writer.commit()
    return report.model_copy(update={"tx": tx, "generation": report.generation + 1})


@dataclass
class _Migration:
    """One migration in progress."""

    service: RuntimeService
    renames: Renames
    now: datetime
    governor: Governor
    moved: Counter[str] = field(default_factory=Counter)
    let_go: Counter[str] = field(default_factory=Counter)

    def write(self, writer: WriteTransaction, principal: str) -> None:
        """Append what the renames come to: ends of the old rows first, then the rows under their new names."""
        ends: dict[Change, None] = {}
        hides, opens = list[Change](), list[Change]()
        for record in [each for each in writer.records() if each.tx_to is None]:
            self.governor.check()
            path = self.renames.lets_go(record.key)
            if path is not None and record.kind == "fact" and (record.valid_to is None or record.valid_to > self.now):
                self.let_go[path] += 1
                ends[_close(record, self.now, principal, writer.fork)] = None
            elif path is None and (key := self.renames.key(record.key), row := self.renames.row(record.row)) != (
                record.key,
                record.row,
            ):
                self.moved.update(set(self.renames.named_by(record.key, record.row)) if record.kind == "fact" else ())
                if record.kind == "fact":
                    ends[_close(record, None, principal, writer.fork)] = None
                (hides if record.kind == "hide" else opens).append(_moved(record, key, row, principal, writer.fork))
        writer.append([*ends, *hides, *opens])

    def report(self, reader: Reader, before: Mapping[str, int], module_hash: str | None) -> MigrationReport:
        """What was done and what does not fit, in the state of `reader`."""
        served = self.service.served
        after = misfits(served, reader, self.now, self.governor)
        past = past_misfits(served, reader, self.now, self.renames.lets_go)
        return MigrationReport(
            ok=not after,
            from_module=module_hash or None,
            renamed=[MigratedName(name=old, to=new, facts=self.moved[old]) for old, new in self.renames.names.items()],
            dropped=[MigratedName(name=path, facts=self.let_go[path]) for path in sorted(self.renames.dropped)],
            before=[Misfit(reason=reason, facts=count) for reason, count in before.items()],
            after=[Misfit(reason=reason, facts=count) for reason, count in after.items()],
            past=[Misfit(reason=reason, facts=count) for reason, count in past.items()],
            violations=self.violations(reader) if not after else [],
            module_hash=served.module_hash,
            store_id=str(reader.store_id),
            generation=reader.generation,
        )

    def violations(self, reader: Reader) -> list[Violation]:
        """The violations that stand then: a migration does not bring any about that the renames do not."""
        served, point = self.service.served, ReadPoint(self.now)
        base = base_facts(served.module, reader, point)
        reading = Reading(served, base, point, self.now, self.governor, reader=reader)
        return [violation_form(reading, found) for found in violations(reading, served.module.checks)]


def _close(record: Record, at: datetime | None, principal: str, fork: str) -> Change:
    return Change("close", record.key, record.row, at, None, record.standpoint, principal, fork)


def _moved(record: Record, key: str, row: Row, principal: str, fork: str) -> Change:
    """The event that makes the record again under its new name."""
    if record.kind == "hide":
        return Change("close", key, row, record.valid_from, None, record.standpoint, principal, fork)
    op = "assert" if record.kind == "fact" else "refute"
    return Change(op, key, row, record.valid_from, record.valid_to, record.standpoint, principal, fork)  # type: ignore[arg-type]
