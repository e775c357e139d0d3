"""Where a write counts later: boundaries of other facts within the valid time that it wrote (semantics S7.2, S1.6).

Between two boundaries nothing changes, so gates and guard that hold at what was written and at each boundary inside it
hold all the time. A boundary counts only when a fact that begins or ends there is read, over any number of rules, by a
check or gate that also reads something written: the others come out as they do without the write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from argon_lang.ir.expr import Lit, MakeStruct
from argon_lang.ir.module import Check, Relation
from argon_lang.ir.names import asserted, check_key, negative_key
from argon_lang.program.types import Named, OptionOf, Type
from argon_lang.runtime.served import Served
from argon_lang.runtime.work import Work
from argon_lang.store.protocol import Change

_FIRST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The instants in order, besides those that were written, and the checks that may come out differently there."""

    instants: tuple[datetime, ...]
    checks: tuple[Check, ...]


def boundaries(work: Work) -> Boundaries:
    """The boundaries inside what a transaction wrote."""
    spans = [_span(event.change) for event in work.events if event.change.op in ("assert", "close", "refute")]
    if not spans:
        return Boundaries((), ())
    edges = list(_edges(work, min(start for start, _ in spans)))
    edges = [edge for edge in edges if any(_inside(edge[0], *span) for span in spans)]
    if not edges:
        return Boundaries((), ())
    written = {key for event in work.events for key in (event.change.key, negative_key(event.change.key))}
    checks = tuple(check for check in work.served.module.checks if not written.isdisjoint(_reads(work.served, check)))
    counted = {key for check in checks for key in _reads(work.served, check)} | _of_gates(work.served, written)
    found = {instant for instant, key in edges if key in counted} - work.instants
    return Boundaries(tuple(sorted(found)), checks)


def _span(change: Change) -> tuple[datetime, datetime | None]:
    """From when to when a change makes a difference; an end of validity for ever after."""
    return change.valid_from or _FIRST, change.valid_to if change.op != "close" else None


def _inside(instant: datetime, start: datetime, end: datetime | None) -> bool:
    return start < instant and (end is None or instant < end)


def _edges(work: Work, after: datetime) -> Iterator[tuple[datetime, str]]:
    """When something begins or ends to hold later than an instant, and of which key it is."""
    declared = work.served.declared_edges
    yield from (edge for edge in declared if edge[0] > after)
    for record in work.writer.edges(after):
        for instant in (record.valid_from, record.valid_to):
            if instant is not None and instant > after:
                yield instant, record.key
                yield instant, negative_key(record.key)


def _reads(served: Served, check: Check) -> frozenset[str]:
    """Everything that a check may rest on, with what its severity is computed from: then all there is."""
    report = check.report
    fields = dict(report.fields) if isinstance(report, MakeStruct) else {}
    if isinstance(fields.get("severity", Lit(None)), Lit):
        return served.reads(check_key(check.path))
    return served.everything


# -- what the construction gates read ---------------------------------------------------------------------------------


def _of_gates(served: Served, written: Iterable[str]) -> frozenset[str]:
    """Everything that a gate may look at which judges what was written under these keys."""
    schema, found = served.schema, set[str]()
    for key in written:
        path = key.removesuffix("^")
        if key in schema.fields:
            found |= {key, schema.owner_type(key).path, *_named(schema.fields[key].type)}
        elif path in schema.relations:
            found.update(*(_named(ty) for _, ty in schema.relations[path].ends))
            found |= {above for above in schema.ancestors(path) if _is_bounded(schema.relations[above])}
            found |= {field.key for field in schema.fields_of(path).values()}
            found |= set(_resting_on(served, set(schema.ancestors(path))))
        elif path in schema.concepts:
            above = set(schema.ancestors(path))
            found |= above | {field.key for field in schema.fields_of(path).values()}
            found |= {member for group in served.module.groups for member in group.members if above & {*group.members}}
            found |= set(_resting_on(served, above))
    found |= {path for path in schema.derived if not served.reads(path).isdisjoint(found)}
    return frozenset(key for name in found for key in (name, asserted(name), *served.reads(name)))


def _is_bounded(relation: Relation) -> bool:
    return any(high is not None for _, high in relation.bounds)


def _resting_on(served: Served, types: set[str]) -> Iterator[str]:
    """The relations and fields at whose places only members of these types may stand."""
    for relation in served.schema.relations.values():
        if any(types & {*_named(ty)} for _, ty in relation.ends):
            yield relation.path
    for key, field in served.schema.fields.items():
        if types & {*_named(field.type), served.schema.owner_type(key).path}:
            yield key


def _named(ty: Type) -> tuple[str, ...]:
    """The concept or relation that a type asks for."""
    match ty:
        case OptionOf(inner):
            return _named(inner)
        case Named("concept" | "relation", path):
            return (path,)
        case _:
            return ()
