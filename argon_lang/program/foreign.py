"""Names that other languages have for what Argon has too, or has not: asked for only where a name is not found."""

from __future__ import annotations

from dataclasses import dataclass

_TYPES = {
    "String": ("str", "string", "text", "char", "varchar", "symbol", "VARCHAR", "TEXT", "CHAR", "Text", "Str"),
    "Int": (
        "int", "integer", "i8", "i16", "i32", "i64", "i128", "isize", "long", "short", "bigint", "number", "INT",
        "INTEGER", "Integer", "Number", "Long", "unsigned",
    ),
    "Nat": ("u8", "u16", "u32", "u64", "u128", "usize", "uint", "nat"),
    "Real": ("float", "double", "f32", "real", "Float", "Double", "FLOAT", "DOUBLE"),
    "Decimal": ("decimal", "numeric", "DECIMAL", "NUMERIC", "BigDecimal"),
    "Bool": ("bool", "boolean", "BOOLEAN", "Boolean", "BOOL"),
    "Date": ("date", "DATE", "LocalDate"),
    "DateTime": ("datetime", "timestamp", "TIMESTAMP", "Instant"),
    "Duration": ("timedelta", "interval", "INTERVAL"),
    "Money": ("money", "currency", "MONEY"),
}  # fmt: skip
_VALUES = {"true": ("True", "TRUE"), "false": ("False", "FALSE")}

_NOTES: dict[str, dict[str, tuple[str, ...]]] = {
    "variable": {
        "no_null": ("None", "null", "nil", "undefined", "NULL", "nothing", "Nothing"),
        "no_step": ("pass", "break", "continue"),
        "no_this": ("this",),
    },
    "type": {
        "list_type": ("Vec", "List", "Array", "list", "Sequence", "array", "vec"),
        "option_type": ("Optional", "Maybe"),
        "no_unit": ("void", "unit", "Unit", "None"),
    },
    "function": {
        "present": ("Some", "Just"),
        "no_output": ("print", "println", "printf", "puts", "echo", "log"),
        "length": ("len", "size", "length"),
    },
    "predicate": {"membership": ("iof",)},
    "concept or relation": {"membership": ("iof",)},
}


CONSTRUCTS = {
    **dict.fromkeys(("class", "entity", "table", "record", "interface", "object", "data", "concept", "sort"), "type"),
    **dict.fromkeys(("relation", "predicate", "edge", "association", "relationship", "property"), "rel"),
}
"""What opens a declaration in other languages, by the generic metatype or metarel that does here."""


@dataclass(frozen=True, slots=True)
class Known:
    """A name of another language: `ours` is what to write, empty where `note` (a key of OE0101) has to say more."""

    ours: str
    note: str


_REPLACED = {
    "type": {theirs: Known(ours, "foreign") for ours, names in _TYPES.items() for theirs in names},
    "variable": {theirs: Known(ours, "foreign") for ours, names in _VALUES.items() for theirs in names},
    "module": {"crate": Known("pkg", "foreign")},
}
_TOLD = {
    kind: {theirs: Known("", note) for note, names in table.items() for theirs in names}
    for kind, table in _NOTES.items()
}


def known_elsewhere(kind: str, name: str) -> Known | None:
    """What a name that was sought as a `kind` of thing means in another language; None when it is none of theirs."""
    return _REPLACED.get(kind, {}).get(name) or _TOLD.get(kind, {}).get(name)
