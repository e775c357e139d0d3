"""Writing wire forms; see `argon_lang.ir.wire`."""

from __future__ import annotations

import math
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from argon_lang.ir import text_forms as forms
from argon_lang.ir.codec import dump_value
from argon_lang.ir.values import Entity, EnumValue, MapValue, Money, RangeValue, StructValue, TupleValue, Value
from argon_lang.ir.wire_context import SAFE, Json, Wire, named
from argon_lang.program.types import DECIMAL, REAL, UNKNOWN, Applied, ListOf, Named, OptionOf, RecordOf, SetOf, Type


def write(value: Value, ty: Type, wire: Wire) -> Json:
    """The full wire form of a value."""
    if isinstance(ty, OptionOf):
        ty = ty.inner
    match value:
        case None | bool() | str():
            return value
        case int() | Fraction() | Decimal() | float():
            return _number(value, ty)
        case Money(amount):
            return {"money": forms.show_money(amount)}
        case datetime():
            return {"dateTime": forms.show_instant(value)}
        case date():
            return {"date": value.isoformat()}
        case timedelta():
            return {"duration": forms.show_duration(value)}
        case Entity(name):
            shown = wire.label(value)
            return {"entity": name} if shown is None else {"entity": name, "label": shown}
        case EnumValue() | StructValue() | TupleValue():
            return _whole(value, wire, ty.args if isinstance(ty, Named) else ())
        case MapValue(entries):
            kinds = ty.args if isinstance(ty, Applied) and len(ty.args) == 2 else (UNKNOWN, UNKNOWN)
            pairs = sorted(entries, key=lambda entry: dump_value(entry[0]))
            return {"map": [[write(key, kinds[0], wire), write(part, kinds[1], wire)] for key, part in pairs]}
        case RangeValue(start, end):
            bound = ty.args[0] if isinstance(ty, Applied) and len(ty.args) == 1 else UNKNOWN
            return {"range": [write(start, bound, wire), write(end, bound, wire)]}
        case tuple() | frozenset():
            return _many(value, ty, wire)


def _number(value: int | Fraction | Decimal | float, ty: Type) -> Json:
    if isinstance(value, float):
        return value if math.isfinite(value) else {"f64": str(value)}
    if ty == REAL or isinstance(value, Fraction):
        return {"real": forms.show_real(value)}
    if ty == DECIMAL or isinstance(value, Decimal):
        return {"decimal": forms.show_decimal(Decimal(value))}
    return value if abs(value) <= SAFE else str(value)


def _whole(value: EnumValue | StructValue | TupleValue, wire: Wire, args: tuple[Type, ...] = ()) -> Json:
    match value:
        case TupleValue(path, ends):
            relation = wire.declared.relations.get(path)
            types = [ty for _, ty in relation.ends] if relation else [UNKNOWN] * len(ends)
            return {"tuple": path, "ends": [write(end, ty, wire) for end, ty in zip(ends, types, strict=True)]}
        case StructValue(path, fields):
            struct = wire.declared.structs.get(path)
            known = dict(wire.declared.fields(struct, args)) if struct else {}
            parts = {name: write(part, known.get(name, UNKNOWN), wire) for name, part in fields}
            return {"struct": path, "fields": parts}
        case EnumValue(path, name, payload):
            shown = {"enum": f"{path}::{name}"}
            return {**shown, "payload": _payload(value, wire, args)} if payload else shown


def _payload(value: EnumValue, wire: Wire, args: tuple[Type, ...]) -> Json:
    variant = wire.declared.variant(value.path, value.variant, args)
    if variant is None:
        return [write(part, UNKNOWN, wire) for part in value.payload]
    typed = zip(variant.payload, value.payload, strict=True)
    if not named(variant):
        return [write(part, ty, wire) for (_, ty), part in typed]
    return {name: write(pair[1], ty, wire) for (name, ty), pair in typed if isinstance(pair, tuple)}


def _many(value: tuple[Value, ...] | frozenset[Value], ty: Type, wire: Wire) -> Json:
    if isinstance(value, tuple) and isinstance(ty, RecordOf) and len(ty.fields) == len(value):
        return {name: write(part, sub, wire) for (name, sub), part in zip(ty.fields, value, strict=True)}
    inner = ty.element if isinstance(ty, (ListOf, SetOf)) else UNKNOWN
    items = sorted(value, key=dump_value) if isinstance(value, frozenset) else value
    return [write(part, inner, wire) for part in items]
