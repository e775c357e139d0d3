"""Reading wire forms; see `argon_lang.ir.wire`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from argon_lang.ir.expr import Lit
from argon_lang.ir.values import Entity, EnumValue, MapValue, RangeValue, StructValue, TupleValue, Value
from argon_lang.ir.wire_context import Json, Wire, named
from argon_lang.ir.wire_scalars import MISSING, SCALARS, TAGGED, refuse, scalar, tagged
from argon_lang.program.types import (
    STRING,
    UNKNOWN,
    Applied,
    ListOf,
    Named,
    OptionOf,
    Primitive,
    RecordOf,
    SetOf,
    Type,
    show,
)

_DEPTH = 64
"""Nesting of what is read; a type bounds it unless it says nothing."""
_NO_DEFAULTS: Mapping[str, Value] = MappingProxyType({})
_Fields = Sequence[tuple[str, Type]]
_Args = tuple[Type, ...]


def read(json: Json, ty: Type, where: str, wire: Wire, depth: int = 0) -> Value:
    """The value of this type that a caller means."""
    if depth > _DEPTH:
        refuse(where, f"at most {_DEPTH} nested levels", json)
    match ty:
        case Primitive(name) if name in SCALARS:
            return scalar(json, name, where)
        case Primitive("Entity") | Named("concept", _):
            return _entity(json, ty, where, wire)
        case Applied("TypeRef") | Primitive("Metatype" | "TraitRef"):
            return _type_name(json, ty, where, wire)
        case OptionOf(inner):
            return None if json is None else read(json, inner, where, wire, depth + 1)
        case ListOf(element, low, high):
            items = _items(json, ty, where, low, high)
            return tuple(_each(items, element, where, wire, depth))
        case SetOf(element):
            return frozenset(_each(_items(json, ty, where), element, where, wire, depth))
        case Applied("Map", (key, part)):
            return _map(json, key, part, ty, where, wire, depth)
        case Applied("Range", (bound,)):
            return _range(json, bound, ty, where, wire, depth)
        case RecordOf(fields):
            return tuple(value for _, value in _record(json, fields, ty, where, wire, depth))
        case Named("relation", _):
            return _tuple(json, where, wire, depth, ty)
        case Named("struct", path, args):
            return _struct(json, path, where, wire, depth, args)
        case Named("enum", path, args):
            return _enum(json, path, where, wire, depth, args)
        case _:
            return _any(json, where, wire, depth)


# -- individuals and tuples -------------------------------------------------------------------------------------------


def _entity(json: Json, ty: Type, where: str, wire: Wire) -> Entity:
    written = json
    if isinstance(json, dict) and {"entity"} <= set(json) <= {"entity", "label"}:
        written = json["entity"]
    if not isinstance(written, str) or not written:
        refuse(where, f'{show(ty)}, as "alice" or {{"entity": "pkg::alice"}}', json)
    return Entity(wire.resolve(written))


def _type_name(json: Json, ty: Type, where: str, wire: Wire) -> Entity:
    written = json["entity"] if isinstance(json, dict) and {"entity"} <= set(json) <= {"entity", "label"} else json
    if not isinstance(written, str) or not written:
        refuse(where, f'{show(ty)}, as "Lease" or {{"entity": "pkg::Lease"}}', json)
    return Entity(wire.resolve_type(written))


def _tuple(json: Json, where: str, wire: Wire, depth: int, ty: Type = UNKNOWN) -> TupleValue:
    full = isinstance(json, dict) and set(json) == {"tuple", "ends"} and isinstance(json["tuple"], str)
    if not full or not isinstance(json["ends"], list):
        refuse(where, f'{show(ty)}, as {{"tuple": "pkg::Job", "ends": [...]}}', json)
    relation = wire.declared.relations.get(json["tuple"])
    ends = [end for _, end in relation.ends] if relation else [UNKNOWN] * len(json["ends"])
    if len(ends) != len(json["ends"]):
        refuse(f"{where}.ends", f"{len(ends)} endpoints", json["ends"])
    typed = enumerate(zip(json["ends"], ends, strict=True))
    return TupleValue(
        json["tuple"], tuple(read(end, sub, f"{where}.ends[{at}]", wire, depth + 1) for at, (end, sub) in typed)
    )


# -- plain data -------------------------------------------------------------------------------------------------------


def _struct(json: Json, path: str, where: str, wire: Wire, depth: int, args: _Args = ()) -> StructValue:
    ty, parts = Named("struct", path, args), json
    if isinstance(json, dict) and set(json) == {"struct", "fields"}:
        if json["struct"] != path:
            refuse(where, path, json["struct"])
        parts = json["fields"]
    struct = wire.declared.structs.get(path)
    if struct is not None:
        fields: _Fields = wire.declared.fields(struct, args)
        defaults = {name: default.value for name, _, default in struct.fields if isinstance(default, Lit)}
    else:
        fields, defaults = [(name, UNKNOWN) for name in parts] if isinstance(parts, dict) else [], {}
    return StructValue(path, tuple(_record(parts, fields, ty, where, wire, depth, defaults)))


def _enum(json: Json, path: str, where: str, wire: Wire, depth: int, args: _Args = ()) -> EnumValue:
    full = isinstance(json, dict) and {"enum"} <= set(json) <= {"enum", "payload"}
    written, payload = (json["enum"], json.get("payload", [])) if full else (json, [])
    enum = wire.declared.enums.get(path)
    name = _variant_name(written, path)
    if name is None or (enum and name not in [case.name for case in enum.variants]):
        refuse(where, _cases(path, wire), json)
    variant = wire.declared.variant(path, name, args)
    if variant is None:
        return EnumValue(path, name, tuple(_each(_items(payload, UNKNOWN, where), UNKNOWN, where, wire, depth)))
    inner = f"{where}.{name}"
    if named(variant):
        return EnumValue(path, name, tuple(_record(payload, variant.payload, UNKNOWN, inner, wire, depth)))
    count = len(variant.payload)
    parts = zip(_items(payload, UNKNOWN, inner, count, count), variant.payload, strict=True)
    read_parts = (read(part, ty, f"{inner}[{at}]", wire, depth + 1) for at, (part, (_, ty)) in enumerate(parts))
    return EnumValue(path, name, tuple(read_parts))


def _variant_name(written: Json, path: str) -> str | None:
    """`Small`, `Size::Small` and `pkg::Size::Small` all mean the variant `Small` of `pkg::Size`."""
    if not isinstance(written, str):
        return None
    owner, _, name = written.rpartition("::")
    return name if name and (not owner or path == owner or path.endswith(f"::{owner}")) else None


def _cases(path: str, wire: Wire) -> str:
    enum = wire.declared.enums.get(path)
    return " | ".join(f"{path}::{case.name}" for case in enum.variants) if enum else f"a variant of {path}"


def _any(json: Json, where: str, wire: Wire, depth: int) -> Value:
    """A full form that tells its own type; integers, truth values and text as they are."""
    match json:
        case None | bool() | str():
            return json
        case int():
            return scalar(json, "Int", where)
        case list():
            return tuple(_each(json, UNKNOWN, where, wire, depth))
        case {"map": list()}:
            return _map(json, UNKNOWN, UNKNOWN, UNKNOWN, where, wire, depth)
        case {"range": list()}:
            return _range(json, UNKNOWN, UNKNOWN, where, wire, depth)
        case {"entity": _}:
            return _entity(json, UNKNOWN, where, wire)
        case {"tuple": _}:
            return _tuple(json, where, wire, depth)
        case {"struct": str(path)}:
            return _struct(json, path, where, wire, depth)
        case {"enum": str(written)} if "::" in written:
            return _enum(json, written.rpartition("::")[0], where, wire, depth)
    found = tagged(json, TAGGED) if isinstance(json, dict) else None
    if found is None:
        refuse(where, "a value in its full wire form", json)
    return found


# -- many -------------------------------------------------------------------------------------------------------------


def _map(json: Json, key: Type, part: Type, ty: Type, where: str, wire: Wire, depth: int) -> MapValue:
    kind = f'{show(ty)}, as {{"map": [[key, value], ...]}}'
    written = json["map"] if isinstance(json, dict) and set(json) == {"map"} and isinstance(json["map"], list) else json
    if isinstance(written, dict) and key == STRING:
        written = [[name, value] for name, value in written.items()]
    if not isinstance(written, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in written):
        refuse(where, kind, json)
    found: dict[Value, Value] = {}
    for at, (name, value) in enumerate(written):
        read_key = read(name, key, f"{where}[{at}][0]", wire, depth + 1)
        if read_key in found:
            refuse(f"{where}[{at}][0]", "a key that stands once", name)
        found[read_key] = read(value, part, f"{where}[{at}][1]", wire, depth + 1)
    return MapValue(frozenset(found.items()))


def _range(json: Json, bound: Type, ty: Type, where: str, wire: Wire, depth: int) -> RangeValue:
    written = json["range"] if isinstance(json, dict) and set(json) == {"range"} else json
    if not isinstance(written, list) or len(written) != 2:
        refuse(where, f'{show(ty)}, as {{"range": [start, end]}}', json)
    start, end = _each(written, bound, where, wire, depth)
    return RangeValue(start, end)


def _items(json: Json, ty: Type, where: str, low: int = 0, high: int | None = None) -> list[Json]:
    kind = "an array" if ty == UNKNOWN else f"{show(ty)}, as an array"
    if not isinstance(json, list):
        refuse(where, kind, json)
    if len(json) < low or (high is not None and len(json) > high):
        refuse(where, f"{kind} of {low}..{'*' if high is None else high} items", json)
    return json


def _each(items: list[Json], ty: Type, where: str, wire: Wire, depth: int) -> Iterator[Value]:
    for at, item in enumerate(items):
        yield read(item, ty, f"{where}[{at}]", wire, depth + 1)


def _record(
    json: Json,
    fields: _Fields,
    ty: Type,
    where: str,
    wire: Wire,
    depth: int,
    defaults: Mapping[str, Value] = _NO_DEFAULTS,
) -> Iterator[tuple[str, Value]]:
    """The named values of an object, in declaration order. An optional or defaulted one may be left out."""
    names = [name for name, _ in fields]
    kind = "{" + ", ".join(names) + "}"
    if not isinstance(json, dict) or not set(json) <= set(names):
        refuse(where, kind if ty == UNKNOWN else f"{show(ty)} {kind}", json)
    for name, sub in fields:
        if name in json:
            yield name, read(json[name], sub, f"{where}.{name}", wire, depth + 1)
        elif name in defaults or isinstance(sub, OptionOf):
            yield name, defaults.get(name)
        else:
            refuse(f"{where}.{name}", show(sub), MISSING)
