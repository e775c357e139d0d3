"""Types of the language (language.md §4) as plain values, compared structurally.

Shared by the typed program and the lowered one; knows no trees and no text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from argon_lang.quick import quick


@dataclass(frozen=True, slots=True)
class Primitive:
    """`Bool Int Nat Real Decimal Money String Date DateTime Duration f64`, and the reflective `Top`, `Entity`,
    `Metatype`, `TraitRef`.
    """

    name: str


@quick
@dataclass(frozen=True, slots=True)
class Named:
    """A declared type by its canonical path (`pkg::Lease`). `kind`: `concept`, `relation`, `struct` or `enum`.

    `args` are what stands for its type parameters, in their order; empty where it has none, and where its path alone
    is meant.
    """

    kind: str
    path: str
    args: tuple[Type, ...] = ()


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
class Applied:
    """A built-in type of types, by its name: `Map<K, V>`, `Range<T>`, `TypeRef<C>`."""

    name: str
    args: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class FnOf:
    """`fn(A, B) -> C`: the type of a closure, which is a value of expressions and never data."""

    params: tuple[Type, ...]
    result: Type


@dataclass(frozen=True, slots=True)
class TypeVar:
    """A type variable of a generic declaration or of an intrinsic; `owner` is the declaration's path, or empty.

    In a trait `Self` is one, of the trait.
    """

    owner: str
    name: str


@dataclass(frozen=True, slots=True)
class RecordOf:
    """The row of a `select { a, b }` projection: named columns in order. Never written by an author."""

    fields: tuple[tuple[str, Type], ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """The type of something already reported; agrees with every type, so one mistake gives one diagnostic."""


Type = Primitive | Named | OptionOf | ListOf | SetOf | Applied | FnOf | TypeVar | RecordOf | Unknown

BOOL, INT, NAT, REAL, DECIMAL, MONEY = (Primitive(n) for n in ("Bool", "Int", "Nat", "Real", "Decimal", "Money"))
STRING, DATE, DATETIME, DURATION, FLOAT = (Primitive(n) for n in ("String", "Date", "DateTime", "Duration", "f64"))
TOP, ENTITY, METATYPE, TRAIT_REF = (Primitive(n) for n in ("Top", "Entity", "Metatype", "TraitRef"))
TYPE_REF = Applied("TypeRef", ())
UNKNOWN = Unknown()
PRIMITIVES: dict[str, Primitive] = {
    t.name: t
    for t in (
        *(BOOL, INT, NAT, REAL, DECIMAL, MONEY, STRING, DATE, DATETIME, DURATION, FLOAT),
        *(TOP, ENTITY, METATYPE, TRAIT_REF),
    )
}


def part_types(ty: Type) -> tuple[Type, ...]:
    """The types that a type is made of, in the order in which an author writes them."""
    match ty:
        case OptionOf(inner) | ListOf(inner) | SetOf(inner):
            return (inner,)
        case Applied(_, args) | Named(_, _, args):
            return args
        case FnOf(params, result):
            return (*params, result)
        case RecordOf(fields):
            return tuple(part for _, part in fields)
        case _:
            return ()


def inside(ty: Type) -> Iterator[Type]:
    """The type and every type within it."""
    yield ty
    for part in part_types(ty):
        yield from inside(part)


def map_types(ty: Type, change: Callable[[Type], Type]) -> Type:
    """The type with each of its parts changed; a type without parts is itself."""
    match ty:
        case OptionOf(inner):
            made = change(inner)
            return made if isinstance(made, OptionOf) else OptionOf(made)
        case ListOf(element, low, high):
            return ListOf(change(element), low, high)
        case SetOf(element):
            return SetOf(change(element))
        case Applied(name, args):
            return Applied(name, tuple(map(change, args)))
        case Named(kind, path, args) if args:
            return instantiated(Named(kind, path, tuple(map(change, args))))
        case FnOf(params, result):
            return FnOf(tuple(map(change, params)), change(result))
        case RecordOf(fields):
            return RecordOf(tuple((name, change(part)) for name, part in fields))
        case _:
            return ty


def instantiated(ty: Named) -> Named:
    """A generic concept with a type for each parameter is a concept of its own, under a path that spells them."""
    if ty.kind != "concept" or not ty.args or any(isinstance(part, TypeVar | Unknown) for part in inside(ty)):
        return ty
    return Named("concept", f"{ty.path}<{', '.join(map(_spelled, ty.args))}>")


def _spelled(ty: Type) -> str:
    """The type in a path: as `show`, with whole paths whose segments one colon parts."""
    match ty:
        case Named(_, path, args):
            return path.replace("::", ":") + (f"<{', '.join(map(_spelled, args))}>" if args else "")
        case OptionOf(inner):
            return f"{_spelled(inner)}?"
        case ListOf(element, 0, None):
            return f"[{_spelled(element)}]"
        case ListOf(element, low, high):
            return f"[{_spelled(element)}; {low}..{'*' if high is None else high}]"
        case SetOf(element):
            return f"Set<{_spelled(element)}>"
        case Applied(name, args) if args:
            return f"{name}<{', '.join(map(_spelled, args))}>"
        case _:
            return show(ty)


def substituted(ty: Type, values: Mapping[TypeVar, Type]) -> Type:
    """The type with the variables that have a value replaced by it."""
    if isinstance(ty, TypeVar):
        return values.get(ty, ty)
    return map_types(ty, lambda part: substituted(part, values))


def holds_function(ty: Type) -> bool:
    """Is a closure among the values that a value of this type is made of? Such a value is never data."""
    return any(isinstance(part, FnOf) for part in inside(ty))


_QUALIFIED = re.compile(r"(?<=[<\[ ])(?:\w+:)+")
"""The modules of the types that a concept's own path spells."""


def last_name(path: str) -> str:
    """The last segment of a path; of an instance of a generic concept, its types are shortened too."""
    name = path.rsplit("::", 1)[-1]
    return _QUALIFIED.sub("", name) if name.endswith(">") else name


def show(ty: Type) -> str:
    """The type as an author writes it, paths shortened to their last segment."""
    match ty:
        case Primitive(name):
            return name
        case Named(_, path, args):
            shown = f"<{', '.join(map(show, args))}>" if args else ""
            return last_name(path) + shown
        case OptionOf(inner):
            return f"{show(inner)}?"
        case ListOf(element, 0, None):
            return f"[{show(element)}]"
        case ListOf(element, low, high):
            return f"[{show(element)}; {low}..{'*' if high is None else high}]"
        case SetOf(element):
            return f"Set<{show(element)}>"
        case Applied(name, args):
            return f"{name}<{', '.join(map(show, args))}>" if args else name
        case FnOf(params, result):
            return f"fn({', '.join(map(show, params))}) -> {show(result)}"
        case TypeVar(_, name):
            return name
        case RecordOf(fields):
            return "{ " + ", ".join(f"{name}: {show(t)}" for name, t in fields) + " }"
        case Unknown():
            return "_"
