"""Values as JSON on every surface (semantics S8.1).

They are written in full and read in full or, where the type is known, in short form.

A binary float is read as an `f64` only. Integers beyond 2^53 travel as text, because a JSON reader may round them. A
value that does not fit is refused with `ARGON_RUNTIME_VALIDATION_FAILED`, which names the place (`rent`,
`items[2].price`), what was expected there and what came.

Beyond S8.1: a relation tuple is `{"tuple": relation, "ends": […]}`; lists and sets are arrays (a set's in the order of
its elements' canonical bytes); a map is `{"map": [[key, value], …]}` in the order of its keys' bytes, in short the
pairs alone or, when its keys are text, an object; a range is `{"range": [start, end]}`, in short the pair; an absent
value is null; an `f64` that is no number is `{"f64": "nan"}`, `"inf"` or `"-inf"`; the payload of an enum is an array,
or an object when the variant names its fields; a row of a projection is an object.
"""

from __future__ import annotations

from argon_lang.ir.values import Value
from argon_lang.ir.wire_context import PLAIN, Declared, Json, Wire, declared
from argon_lang.ir.wire_read import read
from argon_lang.ir.wire_write import write
from argon_lang.program.types import UNKNOWN, Type

__all__ = ["PLAIN", "Declared", "Json", "Wire", "declared", "from_wire", "to_wire"]


def to_wire(value: Value, ty: Type = UNKNOWN, wire: Wire = PLAIN) -> Json:
    """The full wire form. The declared type decides how a number shows; `UNKNOWN` shows it as its own type."""
    return write(value, ty, wire)


def from_wire(json: Json, ty: Type, where: str, wire: Wire = PLAIN) -> Value:
    """The value that a caller means. `where` names the argument. Raises `ARGON_RUNTIME_VALIDATION_FAILED`.

    A type that says nothing (`UNKNOWN`, `Top`) takes full forms only.
    """
    return read(json, ty, where, wire)
