"""Types of the language (language.md §4) as plain values, compared structurally.

Shared by the typed program and the lowered one; knows no trees and no text.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Primitive:
    """`Bool Int Nat Real Decimal Money String Date DateTime Duration f64`, and the reflective `Top`, `Entity`."""

    name: str


@dataclass(frozen=True, slots=True)
class Named:
    """A declared type by its canonical path (`pkg::Lease`). `kind`: `concept`, `relation`, `struct` or `enum`."""

    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class OptionOf:
    """`T?`: may be absent."""

    inner: Type


@dataclass(frozen=True, slots=True)
class ListOf:
    """`[T]`, `[T; n..m]`: both bounds inclusive, `high` None is unbounded."""

    element: Type
    low: int = 0
    high: int | None = None


@dataclass(frozen=True, slots=True)
class SetOf:
    """`Set<T>`."""

    element: Type


@dataclass(frozen=True, slots=True)
class RecordOf:
    """The row of a `select { a, b }` projection: named columns in order. Never written by an author."""

    fields: tuple[tuple[str, Type], ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """The type of something already reported; agrees with every type, so one mistake gives one diagnostic."""


Type = Primitive | Named | OptionOf | ListOf | SetOf | RecordOf | Unknown

BOOL, INT, NAT, REAL, DECIMAL, MONEY = (Primitive(n) for n in ("Bool", "Int", "Nat", "Real", "Decimal", "Money"))
STRING, DATE, DATETIME, DURATION, FLOAT = (Primitive(n) for n in ("String", "Date", "DateTime", "Duration", "f64"))
TOP, ENTITY = Primitive("Top"), Primitive("Entity")
UNKNOWN = Unknown()
PRIMITIVES: dict[str, Primitive] = {
    t.name: t for t in (BOOL, INT, NAT, REAL, DECIMAL, MONEY, STRING, DATE, DATETIME, DURATION, FLOAT, TOP, ENTITY)
}


def show(ty: Type) -> str:
    """The type as an author writes it, paths shortened to their last segment."""
    match ty:
        case Primitive(name):
            return name
        case Named(_, path):
            return path.rsplit("::", 1)[-1]
        case OptionOf(inner):
            return f"{show(inner)}?"
        case ListOf(element, 0, None):
            return f"[{show(element)}]"
        case ListOf(element, low, high):
            return f"[{show(element)}; {low}..{'*' if high is None else high}]"
        case SetOf(element):
            return f"Set<{show(element)}>"
        case RecordOf(fields):
            return "{ " + ", ".join(f"{name}: {show(t)}" for name, t in fields) + " }"
        case Unknown():
            return "_"
