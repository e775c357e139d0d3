"""Has a stored value, or row, the form that the module declares? Memberships aside (`argon_lang.runtime.fitting`).

What holds now always has: another module is refused before it serves a store that it does not fit. What held earlier,
or was known earlier, may be of another form; a read of that is refused rather than answered from half of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from argon_lang.errors import ArgonError
from argon_lang.ir.values import Entity, EnumValue, MapValue, Money, RangeValue, Row, StructValue, TupleValue, Value
from argon_lang.problems import Note, args
from argon_lang.program.types import Applied, ListOf, Named, OptionOf, Primitive, SetOf, Type
from argon_lang.runtime.base import Base, ReadPoint, base_facts
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


def facts_at(served: Served, reader: Reader, point: ReadPoint, now: datetime) -> Base:
    """The base facts at a read point (`base_facts`), which all have the form that the module declares.

    Raises `ARGON_RUNTIME_SCHEMA_INCOMPATIBLE` for a point in the past at which some have another.
    """
    base = base_facts(served.module, reader, point)
    if point.tx is not None or point.valid_at < now:
        reasons = Counter(
            reason
            for key, rows in base.rows.items()
            for row in rows
            if (reason := misshapen(served.schema, key, row)) is not None
        )
        if reasons:
            raise _of_another_form(reasons)
    return base


def _of_another_form(reasons: Mapping[str, int]) -> ArgonError:
    listed = sorted(reasons.items())
    shown = "; ".join(f"{reason} ({count} fact{'s' if count != 1 else ''})" for reason, count in listed)
    return ArgonError(
        "ARGON_RUNTIME_SCHEMA_INCOMPATIBLE",
        args(found=shown),
        details={"reasons": [{"reason": reason, "facts": count} for reason, count in listed]},
        retryable=False,
        notes=(Note("past"),),
    )


def misshapen(schema: Schema, key: str, row: Row) -> str | None:
    """What is amiss with the form of a row of a key that the module declares; None when nothing is."""
    path = key.removesuffix("^")
    if (field := schema.fields.get(key)) is not None:
        sound = fits(schema, row[0], schema.owner_type(key)) and fits(schema, row[1], field.type)
        return None if sound else f"`{short(key)}` has another type"
    if key.endswith("^") and (relation := schema.relations.get(path)) is not None:
        if len(row) != len(relation.ends):
            return f"`{short(path)}` has another arity"
        unfit = (name for (name, ty), value in zip(relation.ends, row, strict=True) if not fits(schema, value, ty))
        return next((f"`{name}` of `{short(path)}` has another type" for name in unfit), None)
    return None


def short(path: str) -> str:
    """The last name of a path."""
    return path.rsplit("::", 1)[-1]


def fits(schema: Schema, value: Value, ty: Type) -> bool:
    """Has a value the form of a type, memberships aside?"""
    match ty:
        case OptionOf(inner):
            return value is None or fits(schema, value, inner)
        case ListOf(element):
            return isinstance(value, tuple) and all(fits(schema, part, element) for part in value)
        case SetOf(element):
            return isinstance(value, frozenset) and all(fits(schema, part, element) for part in value)
        case Applied("Map", (key, part)):
            return isinstance(value, MapValue) and all(
                fits(schema, a, key) and fits(schema, b, part) for a, b in value.entries
            )
        case Applied("Range", (bound,)):
            return isinstance(value, RangeValue) and all(fits(schema, end, bound) for end in (value.start, value.end))
        case Named("concept", _):
            return isinstance(value, Entity)
        case Named("relation", path):
            return isinstance(value, TupleValue) and schema.tuple_root(path) == schema.tuple_root(value.relation)
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
