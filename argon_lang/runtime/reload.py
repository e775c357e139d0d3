"""Does a module fit what a store holds? What would re-type or orphan live facts is refused (artifact.md §3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime

from argon_lang.engine.governor import Governor
from argon_lang.errors import ArgonError
from argon_lang.ir.values import Row, Value
from argon_lang.problems import Note, args
from argon_lang.program.types import Named, Type
from argon_lang.runtime.base import ReadPoint, base_facts
from argon_lang.runtime.fitting import is_member
from argon_lang.runtime.forms import fits, misshapen
from argon_lang.runtime.forms import short as _short
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.schema import Schema
from argon_lang.runtime.served import Served
from argon_lang.store.protocol import DEFAULT, Reader, Record


def require_compatible(served: Served, reader: Reader, now: datetime, governor: Governor) -> None:
    """Raise `ARGON_RUNTIME_SCHEMA_INCOMPATIBLE` when the store, last written under another module, does not fit."""
    if reader.module_hash in ("", served.module_hash):
        return
    reasons = misfits(served, reader, now, governor)
    if reasons:
        shown = "; ".join(f"{reason} ({count} fact{'s' if count != 1 else ''})" for reason, count in reasons.items())
        raise ArgonError(
            "ARGON_RUNTIME_SCHEMA_INCOMPATIBLE",
            args(found=shown),
            details={"reasons": [{"reason": reason, "facts": count} for reason, count in reasons.items()]},
            retryable=True,
            notes=(Note("reasons", args(count=sum(reasons.values()))), Note("migrate")),
        )


def misfits(served: Served, reader: Reader, now: datetime, governor: Governor) -> dict[str, int]:
    """Why live logged facts, those that hold now or will, do not fit the module: how many facts each reason touches."""
    counts: Counter[str] = Counter()
    readings: dict[tuple[datetime, str], Reading] = {}
    for record in reader.records():
        if record.kind == "fact" and (record.valid_to is None or record.valid_to > now):
            if record.standpoint not in (DEFAULT, *served.schema.standpoints):
                counts[f"standpoint `{_short(record.standpoint)}` is not declared"] += 1
                continue
            place = (_first_instant(record, now), record.standpoint)
            if place not in readings:
                readings[place] = _reading(served, reader, *place, now, governor)
            counts.update(_reasons(served.schema, readings[place], record.key, record.row))
    return dict(sorted(counts.items()))


def past_misfits(served: Served, reader: Reader, now: datetime, let_go: Callable[[str], object]) -> dict[str, int]:
    """Why logged facts that hold no more could not be read as of then, and of how many that is so.

    Those of keys that are `let_go` are nobody's to miss.
    """
    reasons = Counter(
        reason
        for record in reader.records()
        if record.kind == "fact" and record.valid_to is not None and record.valid_to <= now
        if not let_go(record.key)
        if (reason := misshapen(served.schema, record.key, record.row) or _undeclared(served.schema, record.key))
    )
    return dict(sorted(reasons.items()))


def _undeclared(schema: Schema, key: str) -> str | None:
    path = key.removesuffix("^")
    known = key in schema.fields or (key.endswith("^") and (path in schema.concepts or path in schema.relations))
    return None if known else f"`{_short(path)}` is not declared"


def _first_instant(record: Record, now: datetime) -> datetime:
    """When the fact next holds."""
    return now if record.valid_from is None or record.valid_from <= now else record.valid_from


def _reading(
    served: Served, reader: Reader, instant: datetime, view: str, now: datetime, governor: Governor
) -> Reading:
    point = ReadPoint(instant, view=view)
    return Reading(served, base_facts(served.module, reader, point), point, now, governor, reader=reader)


def _reasons(schema: Schema, reading: Reading, key: str, row: Row) -> Iterator[str]:
    path = key.removesuffix("^")
    if (field := schema.fields.get(key)) is not None:
        yield from _column(reading, row[0], schema.owner_type(key), f"the owner of `{_short(key)}`")
        yield from _column(reading, row[1], field.type, f"`{_short(key)}`")
    elif key.endswith("^") and (relation := schema.relations.get(path)) is not None:
        if len(row) != len(relation.ends):
            yield f"`{_short(path)}` has another arity"
            return
        for (name, ty), value in zip(relation.ends, row, strict=True):
            yield from _column(reading, value, ty, f"`{name}` of `{_short(path)}`")
    elif (reason := _undeclared(schema, key)) is not None:
        yield reason


def _column(reading: Reading, value: Value, ty: Type, what: str) -> Iterator[str]:
    if not fits(reading.served.schema, value, ty):
        yield f"{what} has another type"
    elif not is_member(reading, value, ty):
        yield f"{what} would hold what is no `{_short(ty.path) if isinstance(ty, Named) else ''}`"
