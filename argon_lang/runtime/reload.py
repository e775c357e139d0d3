"""Does a module fit what a store holds? What would re-type or orphan live facts is refused (artifact.md §3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from argon_lang.engine.governor import Governor
from argon_lang.errors import ArgonError
from argon_lang.ir.values import Entity, EnumValue, Money, Row, StructValue, TupleValue, Value
from argon_lang.problems import Note, args
from argon_lang.program.types import ListOf, Named, OptionOf, Primitive, Type
from argon_lang.runtime.base import ReadPoint, base_facts
from argon_lang.runtime.gates import is_member
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.schema import Schema
from argon_lang.runtime.served import Served
from argon_lang.store.protocol import Reader

_PYTHON: dict[str, tuple[type, ...]] = {
    "Bool": (bool,),
    "Int": (int,),
    "Nat": (int,),
    "Real": (int, Fraction, Decimal),
    "Decimal": (int, Decimal),
    "Money": (Money,),
    "String": (str,),
    "Date": (date,),
    "DateTime": (datetime,),
    "Duration": (timedelta,),
    "f64": (float,),
    "Entity": (Entity,),
}


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
    """Why live logged facts do not fit the module, with how many each reason touches."""
    point = ReadPoint(now)
    base = base_facts(served.module, reader, point)
    reading = Reading(served, base, point, now, governor=governor)
    counts: Counter[str] = Counter()
    for key, rows in reader.facts(now).items():
        for row in rows:
            counts.update(_reasons(served.schema, reading, key, row))
    return dict(sorted(counts.items()))


def _reasons(schema: Schema, reading: Reading, key: str, row: Row) -> Iterator[str]:
    path = key.removesuffix("^")
    if (field := schema.fields.get(key)) is not None:
        owner = key.rpartition(".")[0]
        kind = "relation" if owner in schema.relations else "concept"
        yield from _column(reading, row[0], Named(kind, owner), f"the owner of `{_short(key)}`")
        yield from _column(reading, row[1], field.type, f"`{_short(key)}`")
    elif key.endswith("^") and (relation := schema.relations.get(path)) is not None:
        if len(row) != len(relation.ends):
            yield f"`{_short(path)}` has another arity"
            return
        for (name, ty), value in zip(relation.ends, row, strict=True):
            yield from _column(reading, value, ty, f"`{name}` of `{_short(path)}`")
    elif not (key.endswith("^") and path in schema.concepts):
        yield f"`{_short(path)}` is not declared"


def _short(path: str) -> str:
    return path.rsplit("::", 1)[-1]


def _column(reading: Reading, value: Value, ty: Type, what: str) -> Iterator[str]:
    if not fits(value, ty):
        yield f"{what} has another type"
    elif not is_member(reading, value, ty):
        yield f"{what} would hold what is no `{_short(ty.path) if isinstance(ty, Named) else ''}`"


def fits(value: Value, ty: Type) -> bool:
    """Is a stored value of a type, memberships aside?"""
    match ty:
        case OptionOf(inner):
            return value is None or fits(value, inner)
        case ListOf(element):
            return isinstance(value, tuple) and all(fits(part, element) for part in value)
        case Named("concept", _):
            return isinstance(value, Entity)
        case Named("relation", path):
            return isinstance(value, TupleValue) and value.relation == path
        case Named(_, path):
            return isinstance(value, EnumValue | StructValue) and value.path == path
        case Primitive(name):
            return _fits_primitive(value, name)
        case _:
            return True


def _fits_primitive(value: Value, name: str) -> bool:
    allowed = _PYTHON.get(name)
    if allowed is None:
        return True
    if isinstance(value, bool) or (isinstance(value, datetime) and name == "Date"):
        return name == "Bool" and isinstance(value, bool)
    return isinstance(value, allowed) and not (name == "Nat" and isinstance(value, int) and value < 0)
